//go:build unix

package python

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// What stands in the place of a project's file is not waited for.
func TestModulesOfAPipe(t *testing.T) {
	t.Parallel()
	dir := fixture.Files(t, map[string]string{"kit/__init__.py": ""})
	if err := syscall.Mkfifo(filepath.Join(dir, "pyproject.toml"), 0o600); err != nil {
		t.Skip(err)
	}
	got := make(chan map[string]bool, 1)
	go func() { got <- ownTops(dir, "") }()
	select {
	case tops := <-got:
		assert.Assert(t, tops["kit"])
	case <-time.After(time.Minute):
		t.Fatal("waited for a writer")
	}
}
