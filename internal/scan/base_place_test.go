package scan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// TestBaseFilesAreNoTests: while programs compare with base, the tests of the
// working copy run. Runners of all frameworks leave .git alone.
func TestBaseFilesAreNoTests(t *testing.T) {
	t.Parallel()
	files := []*engine.File{engine.NewFile(qa.FileChange{Path: "test/a.test.ts"}, []byte("test('a')\n"), nil)}
	outside := t.TempDir()
	for name, c := range map[string]struct {
		prepare func(tree string) error
		below   string
	}{
		"a working copy":         {func(tree string) error { return os.Mkdir(filepath.Join(tree, ".git"), 0o755) }, ".git"},
		"any folder":             {func(string) error { return nil }, "."},
		"git's folder elsewhere": {func(tree string) error { return os.Symlink(outside, filepath.Join(tree, ".git")) }, "."},
	} {
		tree := t.TempDir()
		if err := c.prepare(tree); err != nil {
			t.Fatal(err)
		}
		dir, remove, err := layOut(tree, files, func(string) map[string][]byte { return nil })
		if err != nil || filepath.Dir(dir) != filepath.Join(tree, c.below) {
			t.Errorf("%s: laid out in %s: %v", name, strings.TrimPrefix(dir, tree), err)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "test", "a.test.ts")); err != nil || string(text) != "test('a')\n" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		remove()
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s: %s is left", name, dir)
		}
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("wrote to %v, %v", left, err)
	}
	if dir, remove, err := layOut(filepath.Join(outside, "none"), files, func(string) map[string][]byte { return nil }); err == nil {
		t.Errorf("no error for a folder that is not there, but %s", dir)
		remove()
	}
}
