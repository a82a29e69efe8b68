//go:build unix

package repository

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/runtime/user"
)

// Two stores that the code cannot reach have a file of one name: a copy gets the first,
// and neither store is written to.
func TestObjectsOfTwoStoresAreLinked(t *testing.T) {
	t.Parallel()
	u := user.Choose()
	if u == nil {
		t.Skip("only root hands files to another user")
	}
	top := t.TempDir()
	first, second := filepath.Join(top, "first", ".git"), filepath.Join(top, "second", "objects")
	for file, text := range map[string]string{
		filepath.Join(first, "HEAD"):                            "ref: refs/heads/main\n",
		filepath.Join(first, "refs", "heads", "main"):           "0\n",
		filepath.Join(first, "objects", "info", "alternates"):   second + "\n",
		filepath.Join(first, "objects", "info", "commit-graph"): "of the first",
		filepath.Join(second, "info", "commit-graph"):           "of the second",
		filepath.Join(second, "aa", "bb"):                       "an object",
	} {
		assert.NilError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		assert.NilError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	assert.NilError(t, os.Chmod(filepath.Join(top, "first"), 0o700))
	assert.NilError(t, os.Chmod(filepath.Join(top, "second"), 0o700))
	target := filepath.Join(t.TempDir(), ".git")
	assert.NilError(t, CopyDir(first, target, u))
	for file, want := range map[string]string{
		filepath.Join(target, "objects", "info", "commit-graph"): "of the first",
		filepath.Join(target, "objects", "aa", "bb"):             "an object",
		filepath.Join(first, "objects", "info", "commit-graph"):  "of the first",
		filepath.Join(second, "info", "commit-graph"):            "of the second",
	} {
		got, err := os.ReadFile(file)
		assert.NilError(t, err)
		assert.Equal(t, string(got), want, file)
	}
}
