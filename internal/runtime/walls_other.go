//go:build !linux

package runtime

import (
	"context"
	"runtime"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/user"
)

type walls struct{}

// confines reports whether commands cannot write outside of their workspace though
// they run as ourselves.
func (walls) confines() bool { return false }

// raiseWalls says what is missing: most layers are features of Linux.
func (w *Workspace) raiseWalls(context.Context) {
	w.levels = []string{"env: allow-list"}
	for _, layer := range []string{"uid", "namespaces", "landlock", "seccomp", "network", "rlimits"} {
		w.levels = append(w.levels, layer+": unsupported on "+runtime.GOOS)
	}
}

func (w *Workspace) enterable(dir string) bool { return user.Reachable(dir, w.user) }

func (w *Workspace) runWalled(ctx context.Context, _ Command, pc process.Command) (process.Result, error) {
	return process.Run(ctx, pc)
}

// moves reports whether commands see the home at another path than we do.
func (w *Workspace) moves() bool { return false }

func (w *Workspace) probeViews(context.Context) error { return nil }
