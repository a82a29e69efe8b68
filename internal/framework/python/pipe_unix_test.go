//go:build unix

package python

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/folder"
)

// TestPipesAreNotWaitedFor: a test may leave a pipe where a folder or a manifest was, and
// opening one waits until somebody writes to it.
func TestPipesAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{"__pycache__", "src", "package.json"} {
		assert.NilError(t, syscall.Mkfifo(filepath.Join(root, name), 0o600))
	}
	done := make(chan bool, 1)
	go func() {
		_, manifest := (&folder.Tree{Abs: root}).Installed(".", "package.json")
		done <- imported(root, ".") || len(ownPython(root, "")) > 0 || manifest
	}()
	select {
	case found := <-done:
		assert.Assert(t, !found)
	case <-time.After(10 * time.Second):
		t.Fatal("still waits for a pipe after ten seconds")
	}
}
