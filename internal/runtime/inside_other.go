//go:build !linux

package runtime

import (
	"context"
	"errors"

	"github.com/org/qa-action/internal/process"
)

// raise says that no walls are raised in the job's container from here.
func (d *jobContainer) raise(context.Context, *Workspace) []string {
	return []string{"landlock, seccomp, network, rlimits: off: only a program for Linux can raise them there"}
}

func (d *jobContainer) runInside(context.Context, *Workspace, Command, process.Command) (process.Result, error) {
	return process.Result{}, errors.ErrUnsupported
}

func (w *Workspace) helped() bool { return false }

func (d *jobContainer) helperSweeps(*Workspace) []string { return nil }

func (d *container) raise(context.Context, *Workspace) string {
	return "only a program for Linux can raise them there"
}

func (d *container) runBelow(context.Context, *Workspace, Command, process.Command) (process.Result, error) {
	return process.Result{}, errors.ErrUnsupported
}
