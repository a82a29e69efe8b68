package rooted

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

// A folder whose owner may not write to it goes as well, and nothing that a link leads to.
func TestRemove(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	kept := filepath.Join(outside, "kept")
	assert.NilError(t, os.WriteFile(kept, nil, 0o600))
	assert.NilError(t, os.MkdirAll(filepath.Join(dir, "a/b/c"), 0o755))
	assert.NilError(t, os.Symlink(outside, filepath.Join(dir, "a/b/link")))
	assert.NilError(t, os.Chmod(filepath.Join(dir, "a/b"), 0o500))
	assert.NilError(t, os.Chmod(filepath.Join(dir, "a"), 0))
	t.Cleanup(func() { _ = RemoveAll(dir) })
	root, err := os.OpenRoot(dir)
	assert.NilError(t, err)
	defer func() { _ = root.Close() }()
	assert.NilError(t, Remove(root, "a"))
	assert.NilError(t, Remove(root, "a"), "what is not there is gone")
	_, err = root.Lstat("a")
	assert.ErrorIs(t, err, fs.ErrNotExist)
	_, err = os.Stat(kept)
	assert.NilError(t, err)
}
