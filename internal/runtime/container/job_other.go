//go:build !linux

package container

import (
	"context"
	"errors"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/sandbox"
)

// raise says that no sandbox is set up in the job's container from here.
func (d *Job) raise(context.Context, *sandbox.Sandbox) []string {
	return []string{"landlock, seccomp, network, rlimits: off: only a program for Linux can raise them there"}
}

func (d *Job) runInside(context.Context, *sandbox.Sandbox, process.Command, bool) (process.Result, error) {
	return process.Result{}, errors.ErrUnsupported
}

func (d *Job) helperSweeps(*sandbox.Sandbox) []string { return nil }

func (d *Each) raise(context.Context, *sandbox.Sandbox) string {
	return "only a program for Linux can raise them there"
}

func (d *Each) runBelow(context.Context, *sandbox.Sandbox, process.Command, bool) (process.Result, error) {
	return process.Result{}, errors.ErrUnsupported
}
