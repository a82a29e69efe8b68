package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A workflow may have unpacked a toolchain into /tmp, of which the code gets one
// of its own.
func TestToolsInTmp(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("/tmp", "qa-tools-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	put(t, dir, map[string]string{"sdk/lib/word": "hello\n", "sdk/bin/greet": "#!/bin/sh\ncat \"$(dirname \"$0\")/../lib/word\"\n", "other/secret": "s"})
	for _, path := range []string{dir, filepath.Join(dir, "sdk", "bin", "greet")} {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	root, _ := repo(t)
	w := open(t, Options{Root: root, Env: []string{"PATH=" + filepath.Join(dir, "sdk", "bin") + ":/usr/bin:/bin"}})
	if got := run(t, w, "greet"); got != "hello\n" {
		t.Errorf("got %q", got)
	}
	if !w.box.Layers.Namespaces {
		return
	}
	res, err := w.Run(t.Context(), Command{Argv: []string{"sh", "-c", "cat " + dir + "/other/secret; echo x > " + dir + "/sdk/bin/greet"}})
	if err != nil || res.ExitCode == 0 || !strings.Contains(string(res.Stderr), "No such file") {
		t.Errorf("more of /tmp than the toolchain: %s%s, %v", res.Stdout, res.Stderr, err)
	}
}
