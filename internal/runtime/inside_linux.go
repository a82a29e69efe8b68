package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/stage"
)

// ownProgram is what is put there. Only a program that needs no libraries runs
// in every container; ours is one unless it was built in another way.
var ownProgram = "/proc/self/exe"

// endTime is how long init may take to end its tree.
const endTime = 10 * time.Second

// raise puts our program into the workspace and finds out which layers hold in
// the job's container.
func (d *jobContainer) raise(ctx context.Context, w *Workspace) []string {
	w.walls = walls{}
	if !stage.Offered() {
		return w.walls.describe(map[string]string{"helper": "this program does not offer the sandbox helper"})
	}
	if err := w.putProgram(); err != nil {
		return w.walls.describe(map[string]string{"helper": err.Error()})
	}
	w.walls = walls{helper: true, landlock: stage.LandlockABI(), seccomp: true, notify: true}
	why := w.settle(func() error {
		c := Command{Network: NetworkLoopback}
		return stage.Probed(d.helper(ctx, w, c, process.Command{Dir: w.place.Tree, Timeout: stage.ProbeTime}, true))
	})
	why["namespaces"] = "those of the job's container, which the engine made"
	return w.walls.describe(why)
}

// program is the path of ours there.
func (d *jobContainer) program(w *Workspace) string {
	return d.translated(w, w.programThere())
}

// programThere is where putProgram has put it.
func (w *Workspace) programThere() string {
	if w.parent != nil {
		w = w.parent
	}
	return filepath.Join(w.place.Home, stage.InsideArg)
}

func (d *jobContainer) helperSweeps(w *Workspace) []string {
	return []string{d.program(w), stage.Arg, stage.InsideArg, stage.SweepArg}
}

// helped reports whether commands start below the helper.
func (w *Workspace) helped() bool { return w.walls.helper }

func (d *jobContainer) runInside(ctx context.Context, w *Workspace, c Command, pc process.Command) (process.Result, error) {
	res, st, err := d.helper(ctx, w, c, pc, false)
	return stage.Outcome(c.Argv[0], res, st, err)
}

func (w *Workspace) putProgram() error {
	from, err := os.Open(ownProgram)
	if err != nil {
		return fmt.Errorf("put the sandbox helper into the workspace: %w", err)
	}
	defer func() { _ = from.Close() }()
	to, err := os.OpenFile(filepath.Join(w.place.Home, stage.InsideArg), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return fmt.Errorf("put the sandbox helper into the workspace: %w", err)
	}
	_, err = io.Copy(to, from)
	if err := errors.Join(err, to.Chmod(0o755), to.Close()); err != nil {
		return fmt.Errorf("put the sandbox helper into the workspace: %w", err)
	}
	return nil
}

// starter starts a program in another container, and copies what it prints until it
// has ended.
type starter func(ctx context.Context, argv []string, user string, capture *process.Capture) (int, error)

// helper is [Workspace.helper] in the job's container.
func (d *jobContainer) helper(ctx context.Context, w *Workspace, c Command, pc process.Command, probe bool) (process.Result, stage.Status, error) {
	s := d.spec(w, c, pc)
	s.Probe = probe
	user := w.user.Pair()
	if w.user != nil {
		user = "0:0" // init itself becomes the code's user
	}
	in := enclosed{engine: d.engine, user: user, program: d.program(w), seen: func(path string) string { return d.translated(w, path) },
		start: func(ctx context.Context, argv []string, user string, capture *process.Capture) (int, error) {
			return d.engine.exec(ctx, d.id, map[string]any{"Cmd": argv, "Env": []string{}, "WorkingDir": "/", "User": user,
				"AttachStdout": true, "AttachStderr": true}, capture)
		}}
	in.end = func(ctx context.Context, pid int, statusFile string) { d.end(ctx, in.program, user, pid, statusFile) }
	return in.run(ctx, w, s, pc)
}

// enclosed is another container that the helper is started in.
type enclosed struct {
	engine        *engine
	program, user string
	seen          func(path string) string
	start         starter
	end           func(ctx context.Context, pid int, statusFile string) // what still runs
}

func (in enclosed) run(ctx context.Context, w *Workspace, s stage.Spec, pc process.Command) (process.Result, stage.Status, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return process.Result{}, stage.Status{}, fmt.Errorf("start sandbox: %w", err)
	}
	dir, err := os.MkdirTemp(w.place.Home, "run-")
	if err != nil {
		return process.Result{}, stage.Status{}, fmt.Errorf("start sandbox: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	specFile, statusFile := filepath.Join(dir, "spec"), filepath.Join(dir, "status")
	if err := errors.Join(os.WriteFile(specFile, data, 0o600), os.WriteFile(statusFile, nil, 0o600)); err != nil {
		return process.Result{}, stage.Status{}, fmt.Errorf("start sandbox: %w", err)
	}
	if pc.Argv == nil {
		pc.Argv = []string{stage.InsideArg}
	}
	res, err := in.engine.attend(ctx, pc, func(ctx context.Context, capture *process.Capture) (int, error) {
		return in.start(ctx, []string{in.program, stage.Arg, stage.InsideArg, in.seen(specFile), in.seen(statusFile)}, in.user, capture)
	})
	st := readStatus(statusFile)
	if !st.Done && st.PID > 1 {
		in.end(context.WithoutCancel(ctx), st.PID, statusFile)
	}
	return res, st, err
}

// end asks an init to kill its tree, and waits until it has.
func (d *jobContainer) end(ctx context.Context, program, user string, pid int, statusFile string) {
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	request := map[string]any{"Cmd": []string{program, stage.Arg, stage.InsideArg, strconv.Itoa(pid)}, "Env": []string{}, "User": user,
		"AttachStdout": true, "AttachStderr": true}
	_, _ = d.engine.exec(ctx, d.id, request, process.NewCapture(process.Command{}))
	for ctx.Err() == nil && !readStatus(statusFile).Done {
		time.Sleep(20 * time.Millisecond)
	}
}

func readStatus(file string) stage.Status {
	f, err := os.Open(file)
	if err != nil {
		return stage.Status{}
	}
	defer func() { _ = f.Close() }()
	return stage.Listen(io.LimitReader(f, 1<<20))
}

// spec is that of the workspace, told in the paths of the job's container.
func (d *jobContainer) spec(w *Workspace, c Command, pc process.Command) stage.Spec {
	s := w.spec(c, pc)
	s.Dir, s.Scratch, s.Files.Read, s.Network.Sockets = d.translated(w, s.Dir), d.translated(w, s.Scratch), nil, slices.Clone(engineSockets)
	for _, socket := range sockets(w.opts) {
		s.Network.Sockets = append(s.Network.Sockets, d.everywhere(socket)...)
	}
	s.Argv, s.Files.Write = d.all(w, pc.Argv), d.all(w, s.Files.Write)
	s.Env = environ.Merge([]string{"PATH=" + d.path}, d.all(w, pc.Env))
	for _, path := range hidden(w.opts) {
		s.Files.Hide = append(s.Files.Hide, d.everywhere(path)...)
	}
	for _, p := range []string{w.place.Home, w.place.Cache} {
		s.Files.Keep = append(s.Files.Keep, d.everywhere(p)...)
	}
	if w.parent != nil {
		s.Files.Keep = append(s.Files.Keep, d.everywhere(w.parent.place.Home)...)
	}
	for _, objects := range w.repo.Objects() {
		s.Files.Keep = append(s.Files.Keep, d.everywhere(objects)...)
	}
	if len(s.Files.Hide) == 0 {
		s.Files.Hide = []string{"/github"} // without any, everything would be unreadable
	}
	return s
}
