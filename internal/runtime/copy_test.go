package runtime

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/user"
)

// Our own output lies inside the checkout and changes while the copy is made.
func TestCopyLeavesOutWhatItIsToldTo(t *testing.T) {
	t.Parallel()
	real := t.TempDir()
	for _, name := range []string{"lib.go", "qa-report/s/tasks.csv", "sub/qa-report/kept"} {
		path := filepath.Join(real, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, to := filepath.Join(t.TempDir(), "link"), t.TempDir()
	if err := os.Symlink(real, root); err != nil {
		t.Fatal(err)
	}
	if err := (clone.Copy{From: root, To: to, User: user.Choose(), Private: &clone.Privacy{Root: root}, Without: []string{filepath.Join(root, "qa-report"), "/elsewhere", root}}).Tree(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"lib.go": true, "sub/qa-report/kept": true, "qa-report": false} {
		if _, err := os.Stat(filepath.Join(to, filepath.FromSlash(name))); (err == nil) != want {
			t.Errorf("%s: %v, want it copied: %t", name, err, want)
		}
	}
}
