package container

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
	"github.com/org/qa-action/internal/runtime/cache"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/sandbox"
	"github.com/org/qa-action/internal/runtime/stage"
)

// OwnProgram is what is put there. Only a program that needs no libraries runs
// in every container; ours is one unless it was built in another way.
var OwnProgram = "/proc/self/exe"

// endTime is how long init may take to end its tree.
const endTime = 10 * time.Second

// raise puts our program into the workspace and finds out which layers hold in
// the job's container.
func (d *Job) raise(ctx context.Context, b *sandbox.Sandbox) []string {
	b.Layers = sandbox.Layers{}
	if !stage.Offered() {
		return b.Layers.Describe(map[string]string{"helper": "this program does not offer the sandbox helper"})
	}
	if err := putProgram(b); err != nil {
		return b.Layers.Describe(map[string]string{"helper": err.Error()})
	}
	b.Layers = sandbox.Layers{Helper: true, Landlock: stage.LandlockABI(), Seccomp: true, Notify: true}
	why := b.Layers.Settle(func() error {
		return stage.Probed(d.helper(ctx, b, process.Command{Dir: b.Place.Tree, Timeout: stage.ProbeTime}, true, true))
	})
	why["namespaces"] = "those of the job's container, which the engine made"
	return b.Layers.Describe(why)
}

// program is the path of ours there.
func (d *Job) program(b *sandbox.Sandbox) string {
	return d.translated(b, programThere(b))
}

// programThere is where putProgram has put it.
func programThere(b *sandbox.Sandbox) string {
	home := b.Place.Home
	if b.Head != nil {
		home = b.Head.Home
	}
	return filepath.Join(home, stage.InsideArg)
}

func (d *Job) helperSweeps(b *sandbox.Sandbox) []string {
	return []string{d.program(b), stage.Arg, stage.InsideArg, stage.SweepArg}
}

func (d *Job) runInside(ctx context.Context, b *sandbox.Sandbox, pc process.Command, loopback bool) (process.Result, error) {
	res, st, err := d.helper(ctx, b, pc, loopback, false)
	return stage.Outcome(pc.Argv[0], res, st, err)
}

func putProgram(b *sandbox.Sandbox) error {
	to := filepath.Join(b.Place.Home, stage.InsideArg)
	err := cache.CopyFile(OwnProgram, to)
	if err == nil {
		err = os.Chmod(to, 0o755)
	}
	if err != nil {
		return fmt.Errorf("put the sandbox helper into the workspace: %w", err)
	}
	return nil
}

// starter starts a program in another container, and copies what it prints until it
// has ended.
type starter func(ctx context.Context, argv []string, user string, capture *process.Capture) (int, error)

// helper is [stage.Start] in the job's container.
func (d *Job) helper(ctx context.Context, b *sandbox.Sandbox, pc process.Command, loopback, probe bool) (process.Result, stage.Status, error) {
	s := d.spec(b, pc, loopback)
	s.Probe = probe
	user := b.User.Pair()
	if b.User != nil {
		user = "0:0" // init itself becomes the code's user
	}
	in := enclosed{engine: d.engine, user: user, program: d.program(b), seen: func(path string) string { return d.translated(b, path) },
		start: func(ctx context.Context, argv []string, user string, capture *process.Capture) (int, error) {
			return d.engine.Exec(ctx, d.id, map[string]any{"Cmd": argv, "Env": []string{}, "WorkingDir": "/", "User": user}, capture)
		}}
	in.end = func(ctx context.Context, pid int, statusFile string) { d.end(ctx, in.program, user, pid, statusFile) }
	return in.run(ctx, b, s, pc)
}

// enclosed is another container that the helper is started in.
type enclosed struct {
	engine        *Engine
	program, user string
	seen          func(path string) string
	start         starter
	end           func(ctx context.Context, pid int, statusFile string) // what still runs
}

func (in enclosed) run(ctx context.Context, b *sandbox.Sandbox, s stage.Spec, pc process.Command) (process.Result, stage.Status, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return process.Result{}, stage.Status{}, fmt.Errorf("start sandbox: %w", err)
	}
	dir, err := os.MkdirTemp(b.Place.Home, "run-")
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
func (d *Job) end(ctx context.Context, program, user string, pid int, statusFile string) {
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	request := map[string]any{"Cmd": []string{program, stage.Arg, stage.InsideArg, strconv.Itoa(pid)}, "Env": []string{}, "User": user}
	_, _ = d.engine.Exec(ctx, d.id, request, process.NewCapture(process.Command{}))
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
func (d *Job) spec(b *sandbox.Sandbox, pc process.Command, loopback bool) stage.Spec {
	s := b.Spec(pc, loopback)
	s.Dir, s.Scratch = d.translated(b, s.Dir), d.translated(b, s.Scratch)
	s.Network.Sockets = append(slices.Clone(sandbox.EngineSockets), d.everywhere(b.Machine.Sockets()...)...)
	s.Argv, s.Files.Write = d.all(b, pc.Argv), d.all(b, s.Files.Write)
	s.Env = environ.Merge([]string{"PATH=" + d.path}, d.all(b, pc.Env))
	keep := append([]string{b.Place.Home, b.Place.Cache}, b.Machine.Repository.Objects()...)
	if b.Head != nil {
		keep = append(keep, b.Head.Home)
	}
	s.Files.Hide, s.Files.Keep = d.everywhere(b.Machine.Hidden()...), d.everywhere(keep...)
	return s
}
