//go:build !linux

package sandbox

import (
	"context"
	"runtime"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/user"
)

// Raise says what is missing: most layers are features of Linux.
func (b *Sandbox) Raise(context.Context) []string {
	levels := []string{"env: allow-list"}
	for _, layer := range []string{"uid", "namespaces", "landlock", "seccomp", "network", "rlimits"} {
		levels = append(levels, layer+": unsupported on "+runtime.GOOS)
	}
	return levels
}

// Enterable reports whether the code can enter a directory.
func (b *Sandbox) Enterable(dir string) bool { return user.Reachable(dir, b.User) }

// Run runs one command.
func (b *Sandbox) Run(ctx context.Context, pc process.Command, _ bool) (process.Result, error) {
	return process.Run(ctx, pc)
}

// ProbeViews has nothing to find out: no command sees another path than we do.
func (b *Sandbox) ProbeViews(context.Context) error { return nil }
