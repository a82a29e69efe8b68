//go:build unix

package testreport

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/org/qa-action/internal/testreport/collect"
)

// TestPipeInPlaceOfGoMod: a test may leave anything in the tree that it ran in, and
// opening a pipe waits until somebody writes to it.
func TestPipeInPlaceOfGoMod(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(root, "go.mod"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := collect.NewPlaces(root, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	answered := make(chan bool, 1)
	go func() {
		_, ok := p.GoFile("example.com/m/pkg", "x_test.go")
		answered <- ok
	}()
	select {
	case ok := <-answered:
		if ok {
			t.Error("found a file that does not exist")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("still waits for the pipe after ten seconds")
	}
}
