package runtime

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteAndRestore(t *testing.T) {
	root, _ := repo(t)
	w := open(t, Options{Root: root})
	before, err := w.Digest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second write of a file must not become its original
		if err := w.Write("file", []byte("mutant\n")); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Write("new/dir/a_test.txt", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := w.Remove("sub/keep"); err != nil {
		t.Fatal(err)
	}
	if got := run(t, w, "cat", "file", "new/dir/a_test.txt"); got != "mutant\nx" {
		t.Errorf("got %q", got)
	}
	run(t, w, "sh", "-c", "echo by a test > file") // the code owns what we wrote
	now, err := w.Digest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"file", "new/dir/a_test.txt", "sub/keep"}, before.Changed(now)); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	if _, err := w.Restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now, err = w.Digest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if changed := before.Changed(now); changed != nil {
		t.Errorf("after restore: %v", changed)
	}
	if _, err := os.Stat(filepath.Join(w.Dir(), "new")); !os.IsNotExist(err) {
		t.Errorf("made directory stays: %v", err)
	}
}

func TestWriteStaysInTheTree(t *testing.T) {
	root, _ := repo(t)
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, "out")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", filepath.Join(root, "alias")); err != nil {
		t.Fatal(err)
	}
	w := open(t, Options{Root: root})
	for _, name := range []string{"", ".", "/etc/x", "../x", "a/../../x", "out/x", "alias", "sub", ".git/hooks/pre-commit", "sub/.git/config"} {
		if err := w.Write(name, []byte("x")); err == nil {
			t.Errorf("wrote %q", name)
		}
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("written outside: %v", entries)
	}
}
