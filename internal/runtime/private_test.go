package runtime

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const secret = "canary-secret-0123456789"

// TestPrivateFilesStayBehind lays committed and other files into a checkout, all
// of them ignored, as such files are.
func TestPrivateFilesStayBehind(t *testing.T) {
	t.Parallel()
	const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n"
	root, _ := repo(t)
	committed := map[string]string{".env.test": "A=1\n", "test/server.key": key, "test/id_rsa": key, ".npmrc": "//x/:_authToken=${TOKEN}\n"}
	others := map[string]string{".env": "TOKEN=s\n", "app/.env.local": "s\n", "app/.ENV": "s\n", "deploy.pem": key, "home/.npmrc": "//x/:_authToken=s\n",
		"gha-creds-0123.json": "{}", "id_ed25519": key, "prod.tfvars": "s\n", ".netrc": "s\n"}
	kept := map[string]string{".env.example": "TOKEN=\n", "ca.pem": "-----BEGIN CERTIFICATE-----\n", "piano.key": "C#\n", "etc/.npmrc": "registry=https://x/\n",
		"node_modules/a/.env": "in a package\n", "lib/site-packages/certifi/x.p12": "in a package\n", "environment": "e\n", "build/out.js": "o\n"}
	put(t, root, map[string]string{".gitignore": "*\n"})
	put(t, root, committed)
	git(t, root, "add", "-f", ".")
	git(t, root, "commit", "-q", "-m", "files")
	put(t, root, others)
	put(t, root, kept)
	if err := os.Symlink("../.env", filepath.Join(root, "sub", ".env")); err != nil {
		t.Fatal(err)
	}
	w := open(t, Options{Root: root, Driver: "host", Install: "never", Cache: t.TempDir()})
	want := []string{"sub/.env"}
	for name := range others {
		want = append(want, name)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, w.tree.Private); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	for _, name := range want {
		if _, err := os.Lstat(filepath.Join(w.Dir(), name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is in the copy: %v", name, err)
		}
	}
	for _, files := range []map[string]string{committed, kept} {
		for name, text := range files {
			if data, err := os.ReadFile(filepath.Join(w.Dir(), name)); err != nil || string(data) != text {
				t.Errorf("%s: %q, %v", name, data, err)
			}
		}
	}
	level := w.Levels()[slices.IndexFunc(w.Levels(), func(l string) bool { return strings.HasPrefix(l, "files: ") })]
	if !strings.Contains(level, ": .env, .netrc, app/.ENV, app/.env.local, deploy.pem and 5 more;") {
		t.Errorf("level %q", level)
	}
}

// A setup command writes the file that the tests need. What a test makes of it is
// not put back from the checkout: the secrets are there.
func TestPrivateFileIsNotPutBack(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	put(t, root, map[string]string{".env": "TOKEN=" + secret + "\n"})
	w := open(t, Options{Root: root, Driver: "host", Install: "never", Cache: t.TempDir(), Preparation: Preparation{Setup: [][]string{{"sh", "-c", "echo TOKEN=none > .env"}}}})
	if got := run(t, w, "cat", ".env"); got != "TOKEN=none\n" {
		t.Errorf("after the setup command: %q", got)
	}
	run(t, w, "sh", "-c", "echo TOKEN=other > .env")
	if _, err := w.Restore(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("restore: %v", err)
	}
	if got := run(t, w, "cat", ".env"); strings.Contains(got, secret) {
		t.Errorf("after the restoration: %q", got)
	}
}

// Without an answer of git every such file is somebody's own.
func TestPrivateWithoutGit(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put(t, root, map[string]string{".env": "s\n", "file": "f\n"})
	w := open(t, Options{Root: root, Driver: "host", Install: "never", Cache: t.TempDir()})
	if diff := cmp.Diff([]string{".env"}, w.tree.Private); diff != "" {
		t.Error(diff)
	}
}
