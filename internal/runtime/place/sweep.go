package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/user"
)

const (
	workPrefix = "qa-work-"
	// ownerFile is locked as long as the process lives that made a workspace.
	ownerFile = "owner"
	// sweepAge keeps a workspace from being swept before its maker has locked it.
	sweepAge = 10 * time.Minute
	// maxSweep bounds what one start tidies up.
	maxSweep = 32
)

// sweep removes the workspaces that processes left below dir because they were
// killed: old, ours, and of nobody who lives. What cannot be removed stays.
func sweep(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	swept := 0
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), workPrefix) || !user.Ours(info) || now.Sub(info.ModTime()) < sweepAge {
			continue
		}
		home := filepath.Join(dir, e.Name())
		release, err := lockOwner(home)
		if err != nil {
			continue // its maker lives
		}
		_ = rooted.RemoveAll(home)
		release()
		if swept++; swept == maxSweep {
			return
		}
	}
}

// lockOwner marks a workspace as somebody's until release or the end of the
// process.
func lockOwner(home string) (release func(), err error) {
	f, err := os.OpenFile(filepath.Join(home, ownerFile), os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return func() {}, nil // somebody else is removing it
	}
	if err != nil {
		return nil, err
	}
	if err := user.LockFile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	// Somebody may have put another home there between our two steps.
	ours, err := f.Stat()
	if err == nil {
		now, lstat := os.Lstat(f.Name())
		if err = lstat; err == nil && !os.SameFile(ours, now) {
			err = fmt.Errorf("lock %s: another took its place", home)
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
}
