package container

import (
	"context"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/sandbox"
	"github.com/org/qa-action/internal/runtime/stage"
)

// raise puts our program into the workspace and finds out whether containers of the
// image can start commands below it. Init starts there as root, to become the code's
// user itself, so that the code can neither read what init is told nor say for it
// how the command ended; an ordinary user has no such difference to offer.
func (d *Each) raise(ctx context.Context, b *sandbox.Sandbox) (why string) {
	b.Layers = sandbox.Layers{}
	switch {
	case !stage.Offered():
		return "this program does not offer the sandbox helper"
	case b.User == nil:
		return "only root can have containers in which the helper is another user than the code"
	}
	if err := putProgram(b); err != nil {
		return err.Error()
	}
	b.Layers = sandbox.Layers{Helper: true, Seccomp: true}
	reasons := b.Layers.Settle(func() error {
		return stage.Probed(d.helper(ctx, b, process.Command{Dir: b.Place.Tree, Timeout: stage.ProbeTime}, true, true))
	})
	delete(reasons, "landlock") // nothing of the machine is there to be hidden
	for _, layer := range slices.Sorted(maps.Keys(reasons)) {
		why = reasons[layer]
	}
	return why
}

// runBelow runs one command below the helper.
func (d *Each) runBelow(ctx context.Context, b *sandbox.Sandbox, pc process.Command, loopback bool) (process.Result, error) {
	res, st, err := d.helper(ctx, b, pc, loopback, false)
	return stage.Outcome(pc.Argv[0], res, st, err)
}

// helper is [stage.Start] in a container of its own, which the engine removes
// with all that is in it.
func (d *Each) helper(ctx context.Context, b *sandbox.Sandbox, pc process.Command, loopback, probe bool) (process.Result, stage.Status, error) {
	s := b.Spec(pc, loopback)
	s.Probe, s.Files.Hide, s.Files.Keep, s.Network.Sockets, s.Network.Connect, s.Threads = probe, nil, nil, nil, "", 0
	s.Env = environ.Merge(d.env, pc.Env)
	in := enclosed{engine: d.engine, program: programThere(b), user: "0:0", seen: func(path string) string { return path },
		start: func(ctx context.Context, argv []string, user string, capture *process.Capture) (int, error) {
			return d.once(ctx, b, loopback, contained{argv: argv, dir: "/", user: user, rights: []string{"SETUID", "SETGID"}}, capture)
		},
		end: func(context.Context, int, string) {}}
	return in.run(ctx, b, s, pc)
}
