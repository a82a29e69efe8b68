//go:build unix

package rooted

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"gotest.tools/v3/assert"
)

func TestGiveBack(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root makes files of another user")
	}
	root := t.TempDir()
	made := filepath.Join(root, "qa-report", "session")
	assert.NilError(t, os.MkdirAll(made, 0o755))
	outside := filepath.Join(t.TempDir(), "outside")
	assert.NilError(t, os.WriteFile(outside, nil, 0o600))
	assert.NilError(t, os.Symlink(outside, filepath.Join(made, "link")))
	assert.NilError(t, os.Chown(root, 1001, 1002))
	assert.NilError(t, GiveBack(root, filepath.Join(root, "qa-report"), filepath.Join(root, "none")))
	// A link on the way out is not followed, one that stands there itself is given.
	away := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(away, "x"), nil, 0o600))
	assert.NilError(t, os.Symlink(away, filepath.Join(root, "esc")))
	_ = GiveBack(root, filepath.Join(root, "esc"), filepath.Join(root, "esc", "x"))
	outsideToo := filepath.Join(away, "x")
	for path, want := range map[string]uint32{made: 1001, filepath.Join(made, "link"): 1001, outside: 0, outsideToo: 0, away: 0} {
		info, err := os.Lstat(path)
		assert.NilError(t, err)
		assert.Equal(t, info.Sys().(*syscall.Stat_t).Uid, want, path)
	}
}
