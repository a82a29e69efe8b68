//go:build !linux

package runtime

import (
	"context"
	"errors"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/sandbox"
)

// raise says that no walls are raised in the job's container from here.
func (d *jobContainer) raise(context.Context, *sandbox.Sandbox) []string {
	return []string{"landlock, seccomp, network, rlimits: off: only a program for Linux can raise them there"}
}

func (d *jobContainer) runInside(context.Context, *sandbox.Sandbox, process.Command, bool) (process.Result, error) {
	return process.Result{}, errors.ErrUnsupported
}

func (d *jobContainer) helperSweeps(*sandbox.Sandbox) []string { return nil }

func (d *perCommand) raise(context.Context, *sandbox.Sandbox) string {
	return "only a program for Linux can raise them there"
}

func (d *perCommand) runBelow(context.Context, *sandbox.Sandbox, process.Command, bool) (process.Result, error) {
	return process.Result{}, errors.ErrUnsupported
}
