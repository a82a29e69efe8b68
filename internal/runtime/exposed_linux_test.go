package runtime

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where no layer is to be had the code is not run beside a secret that it can read.
func TestExposed(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	w := open(t, Options{Root: root, Env: []string{"PATH=" + os.Getenv("PATH")}})
	if err := w.exposed(); err != nil {
		t.Errorf("inside the sandbox: %v", err)
	}
	w.box.Layers.Namespaces, w.box.Layers.Landlock = false, 0
	if w.box.User != nil { // else the environment of whoever runs this test counts
		if err := w.exposed(); err != nil {
			t.Errorf("without a secret: %v", err)
		}
	}
	config := filepath.Join(root, ".git", "config")
	data, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	included := filepath.Join(t.TempDir(), "git-credentials-1.config")
	if err := os.WriteFile(included, []byte("[http]\n\textraheader = AUTHORIZATION: basic eDp5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Dir(included), filepath.Dir(filepath.Dir(included))} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"included": "[includeIf \"gitdir:/x/\"]\n\tpath = " + included + "\n",
		"header":   "[http \"https://github.com/\"]\n\textraheader = AUTHORIZATION: basic eDp5\n",
		"address":  "[remote \"origin\"]\n\turl = https://x:ghs_secret@github.com/o/r\n",
		"no token": "[remote \"origin\"]\n\turl = https://github.com/o/r\n[user]\n\temail = a@b.c\n",
	} {
		if err := os.WriteFile(config, append(bytes.Clone(data), text...), 0o644); err != nil {
			t.Fatal(err)
		}
		found := w.box.Exposed(w.opts.Secrets)
		if strings.Contains(found, "the token that the checkout left") != (name != "no token") {
			t.Errorf("%s: %q", name, found)
		}
	}
	if err := os.WriteFile(config, append(bytes.Clone(data), "[http]\n\textraheader = AUTHORIZATION: basic eDp5\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if w.box.User == nil {
		return
	}
	if err := w.exposed(); !errors.Is(err, ErrExposed) || !strings.Contains(err.Error(), "accept-weak-isolation: true") || strings.Contains(err.Error(), "eDp5") {
		t.Errorf("err = %v", err)
	}
	w.opts.AcceptWeak = true
	if err := w.exposed(); err != nil {
		t.Errorf("accepted: %v", err)
	}
	if err := os.Chmod(config, 0o600); err != nil {
		t.Fatal(err)
	}
	w.opts.AcceptWeak = false
	if err := w.exposed(); err != nil {
		t.Errorf("unreadable for the other user: %v", err)
	}
}
