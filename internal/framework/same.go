package framework

import (
	"slices"

	"github.com/org/qa-action/internal/framework/adapter"
)

// SameCommand reports whether two detections, of head and base, are the same
// test command: what the script says, what it builds before, and which packages
// it names. Where the runner is installed, and which version, is no part of it.
func SameCommand(a, b adapter.Detection) bool {
	same := a.Framework == b.Framework && a.Dir == b.Dir && a.Line == b.Line && slices.EqualFunc(a.Before, b.Before, slices.Equal[[]string]) &&
		slices.Equal(a.Args, b.Args) && slices.Equal(a.Env, b.Env) && slices.Equal(a.Packages, b.Packages) && slices.Equal(a.Paths, b.Paths) &&
		slices.Equal(a.Tests, b.Tests)
	if same && a.Framework == Command.Name && a.Line == "" { // the user's own
		return slices.Equal(a.Program, b.Program)
	}
	return same
}

// sameRun reports whether two leaves are one run.
func sameRun(d *adapter.Detection, o adapter.Detection) bool {
	return d.Framework == o.Framework && d.Dir == o.Dir && slices.Equal(d.Program, o.Program) && slices.Equal(d.Args, o.Args) &&
		slices.Equal(d.Env, o.Env) && slices.Equal(d.Packages, o.Packages) && slices.Equal(d.Paths, o.Paths)
}
