package runtime

import (
	"context"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/stage"
)

// raise puts our program into the workspace and finds out whether containers of the
// image can start commands below it. Init starts there as root, to become the code's
// user itself, so that the code can neither read what init is told nor say for it
// how the command ended; an ordinary user has no such difference to offer.
func (d *container) raise(ctx context.Context, w *Workspace) (why string) {
	w.walls = walls{}
	switch {
	case !stage.Offered():
		return "this program does not offer the sandbox helper"
	case w.user == nil:
		return "only root can have containers in which the helper is another user than the code"
	}
	if err := w.putProgram(); err != nil {
		return err.Error()
	}
	w.walls = walls{helper: true, seccomp: true}
	reasons := w.settle(func() error {
		return stage.Probed(d.helper(ctx, w, Command{Network: NetworkLoopback}, process.Command{Dir: w.place.Tree, Timeout: stage.ProbeTime}, true))
	})
	delete(reasons, "landlock") // nothing of the machine is there to be hidden
	for _, layer := range slices.Sorted(maps.Keys(reasons)) {
		why = reasons[layer]
	}
	return why
}

// runBelow runs one command below the helper.
func (d *container) runBelow(ctx context.Context, w *Workspace, c Command, pc process.Command) (process.Result, error) {
	res, st, err := d.helper(ctx, w, c, pc, false)
	return stage.Outcome(c.Argv[0], res, st, err)
}

// helper is [Workspace.helper] in a container of its own, which the engine removes
// with all that is in it.
func (d *container) helper(ctx context.Context, w *Workspace, c Command, pc process.Command, probe bool) (process.Result, stage.Status, error) {
	s := w.spec(c, pc)
	s.Probe, s.Files.Read, s.Network.Sockets, s.Network.Connect, s.Threads = probe, nil, nil, "", 0
	s.Env = environ.Merge(d.env, pc.Env)
	in := enclosed{engine: d.engine, program: w.programThere(), user: "0:0", seen: func(path string) string { return path },
		start: func(ctx context.Context, argv []string, user string, capture *process.Capture) (int, error) {
			return d.once(ctx, w, c, contained{argv: argv, dir: "/", user: user, rights: []string{"SETUID", "SETGID"}}, capture)
		},
		end: func(context.Context, int, string) {}}
	return in.run(ctx, w, s, pc)
}
