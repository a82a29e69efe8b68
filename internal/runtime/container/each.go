package container

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/limits"
	"github.com/org/qa-action/internal/runtime/provision"
	"github.com/org/qa-action/internal/runtime/sandbox"
)

// Each runs each command in a container of its own, made of one image. The
// workspace is mounted at the path it has here, so that paths mean the same.
type Each struct {
	image  string
	engine *Engine
	mounts []mountPoint // of the container that we are in; nil on the machine itself
	env    []string     // the image's own
}

// NewEach runs each command in a container of an image. env says where the engine
// is.
func NewEach(image string, env []string) *Each {
	return &Each{image: image, engine: NewEngine(env)}
}

// Enter makes the image ready, and says which layers will stand around commands.
func (d *Each) Enter(ctx context.Context, b *sandbox.Sandbox) (levels []string, err error) {
	if d.image == "" {
		return nil, fmt.Errorf("%w: runtime container needs runtime-image", provision.ErrProvision)
	}
	if !d.engine.Answers(ctx) {
		return nil, fmt.Errorf("%w: no container engine answers at %s; choose another runtime", provision.ErrProvision, d.engine.Socket)
	}
	if err := d.engine.pull(ctx, d.image); err != nil {
		return nil, fmt.Errorf("%w: %w", provision.ErrProvision, err)
	}
	d.mounts = ownMounts(ctx, d.engine)
	if seen := func(m mountPoint) bool { _, ok := rooted.Within(m.Destination, b.Place.Home); return ok }; d.mounts != nil && !slices.ContainsFunc(d.mounts, seen) {
		return nil, fmt.Errorf("%w: the container engine does not see %s; run in a job whose runner mounts its temporary directory (2.329 or later), or choose another runtime", provision.ErrProvision, b.Place.Home)
	}
	b.Foreign = true
	var info struct{ Config struct{ Env []string } }
	if err := d.engine.Call(ctx, http.MethodGet, "/images/"+d.image+"/json", nil, &info); err != nil {
		return nil, fmt.Errorf("%w: %w", provision.ErrProvision, err)
	}
	d.env = info.Config.Env
	filter, kept := "the container engine's profile, and our deny list", "core, file size, processes, memory, disk"
	if why := d.raise(ctx, b); why != "" {
		filter, kept = "the container engine's profile alone: "+why, "processes and memory, kept by the container engine; disk of the workspace"
	}
	return []string{
		fmt.Sprintf("uid: commands run as %s, without groups", b.User.Pair()),
		"env: allow-list",
		"namespaces: a container of " + d.image + " for each command, without capabilities, no_new_privs",
		"landlock: not needed: only the workspace is mounted",
		"seccomp: " + filter,
		"network: generated tests have a loopback device only (namespace)",
		"rlimits: " + kept,
	}, nil
}

// ownMounts finds what the container that we are in has mounted; its name is the
// host name unless somebody changed that.
func ownMounts(ctx context.Context, e *Engine) []mountPoint {
	host, err := os.Hostname()
	if err != nil {
		return nil
	}
	self, err := e.inspect(ctx, host)
	if err != nil {
		return nil
	}
	return self.Mounts
}

// onMachine translates a path of ours to the machine's: the daemon mounts those.
func onMachine(mounts []mountPoint, path string) string {
	best := mountPoint{}
	for _, m := range mounts {
		if _, ok := rooted.Within(m.Destination, path); ok && len(m.Destination) > len(best.Destination) {
			best = m
		}
	}
	if best.Destination == "" {
		return path
	}
	rel, _ := rooted.Within(best.Destination, path)
	return filepath.Join(best.Source, rel)
}

// noEntrypoint takes the image's own away; to some engines an empty list says
// nothing.
var noEntrypoint = []string{""}

// Run runs one command in a container of its own.
func (d *Each) Run(ctx context.Context, b *sandbox.Sandbox, pc process.Command, loopback bool) (process.Result, error) {
	if b.Layers.Helper {
		return d.runBelow(ctx, b, pc, loopback)
	}
	var end state
	within, full, done := limits.WhileRoom(ctx, limits.Disk{Dir: b.Place.Home, Written: b.Place.Writable(), UID: b.User.ID(), Limit: b.Limits.On(b.Place.Home).Disk})
	res, err := d.engine.attend(within, pc, func(ctx context.Context, capture *process.Capture) (int, error) {
		return d.once(ctx, b, loopback, contained{argv: pc.Argv, env: pc.Env, dir: pc.Dir, user: b.User.Pair(), end: &end}, capture)
	})
	done()
	switch {
	case full():
		res.ExitCode, res.Limit, err = -1, limits.OverDisk, nil
	case err == nil && end.OOMKilled:
		res.Limit = limits.OverMemory
	}
	return res, err
}

// contained is what one container runs.
type contained struct {
	argv, env []string
	dir, user string
	rights    []string // capabilities
	end       *state   // of the container, where it was killed
}

// once creates, starts and in any case removes one container.
func (d *Each) once(ctx context.Context, b *sandbox.Sandbox, loopback bool, what contained, capture *process.Capture) (int, error) {
	name := "qa-" + strings.ToLower(rand.Text())
	bounds := b.Limits.OrDefault()
	memory := bounds.Memory
	if b.Layers.Helper {
		memory += memory / 4 // the helper ends the command at its limit, and says so
	}
	network := "bridge"
	if loopback {
		network = "none"
	}
	body := map[string]any{
		"Image": d.image, "Cmd": what.argv, "Entrypoint": noEntrypoint, "Env": what.env, "WorkingDir": what.dir, "User": what.user,
		"HostConfig": map[string]any{
			"Binds": d.binds(b), "NetworkMode": network, "CapDrop": []string{"ALL"}, "CapAdd": what.rights, "SecurityOpt": []string{"no-new-privileges"},
			"PidsLimit": bounds.Threads(), "Memory": memory, "MemorySwap": memory, "ShmSize": int64(1 << 30),
			"CpuShares": cpuShares,
		},
	}
	if err := d.engine.Call(ctx, http.MethodPost, "/containers/create?name="+name, body, nil); err != nil {
		return 0, err
	}
	defer d.engine.remove(ctx, name) // with it goes everything that ran inside
	code, err := d.follow(ctx, name, capture)
	if err == nil && code == killedExit && what.end != nil {
		info, _ := d.engine.inspect(ctx, name) // without it, it ended by a signal
		*what.end = info.State
	}
	return code, err
}

// binds is what a container has of ours.
func (d *Each) binds(b *sandbox.Sandbox) []string {
	out := []string{onMachine(d.mounts, b.Place.Home) + ":" + b.Place.Home, onMachine(d.mounts, b.Place.Layers()) + ":" + b.Place.Layers() + ":ro"}
	if b.Head != nil {
		out = append(out, onMachine(d.mounts, b.Head.Home)+":"+b.Head.Home+":ro")
	}
	for _, objects := range b.Machine.Repository.Objects() {
		out = append(out, onMachine(d.mounts, objects)+":"+objects+":ro")
	}
	return out
}

const (
	// cpuShares makes ours weigh as much as eight such containers.
	cpuShares = 128
	// killedExit is how engines tell that a container was killed.
	killedExit = 137
)

// follow starts a container and copies what it prints until it ends.
func (d *Each) follow(ctx context.Context, name string, capture *process.Capture) (int, error) {
	path := "/containers/" + url.PathEscape(name)
	if err := d.engine.Call(ctx, http.MethodPost, path+"/start", nil, nil); err != nil {
		return 0, unstarted(err)
	}
	if err := d.engine.printed(ctx, http.MethodGet, path+"/logs?follow=true&stdout=true&stderr=true", nil, capture); err != nil {
		return 0, err
	}
	var end struct{ StatusCode int }
	resp, err := d.engine.send(ctx, d.engine.stream, http.MethodPost, path+"/wait", nil)
	if err == nil {
		err = read(resp, path+"/wait", &end)
	}
	return end.StatusCode, err
}

// attend makes a result of a run in another container: deadline, cancellation,
// what was printed.
func (e *Engine) attend(ctx context.Context, pc process.Command, follow func(context.Context, *process.Capture) (int, error)) (process.Result, error) {
	runCtx, cancel := ctx, context.CancelFunc(func() {})
	if pc.Timeout > 0 {
		runCtx, cancel = context.WithTimeout(ctx, pc.Timeout)
	}
	defer cancel()
	capture, start := process.NewCapture(pc), time.Now()
	code, err := follow(runCtx, capture)
	res := process.Result{ExitCode: code, Seconds: time.Since(start).Seconds()}
	capture.Fill(&res)
	switch {
	case ctx.Err() != nil:
		return res, fmt.Errorf("run %s: %w", pc.Argv[0], context.Cause(ctx))
	case runCtx.Err() != nil:
		res.ExitCode, res.TimedOut = -1, true
		return res, nil
	case err != nil:
		return res, fmt.Errorf("run %s: %w", pc.Argv[0], err)
	}
	return res, nil
}

// unstarted tells the error of a program that is not there from others.
func unstarted(err error) error {
	if strings.Contains(err.Error(), "executable file") || strings.Contains(err.Error(), "no such file") {
		return fmt.Errorf("%w: %w", process.ErrNotFound, err)
	}
	return err
}

// printed copies what a program prints until it ends.
func (e *Engine) printed(ctx context.Context, method, path string, in any, capture *process.Capture) error {
	stream, err := e.send(ctx, e.stream, method, path, in)
	if err != nil {
		return unstarted(err)
	}
	defer func() { _ = stream.Body.Close() }()
	if err := demultiplex(stream.Body, capture.Stdout(), capture.Stderr()); err != nil {
		return fmt.Errorf("read output: %w", err)
	}
	return nil
}

// Exec runs a program in a container that is there, and captures both of its outputs.
func (e *Engine) Exec(ctx context.Context, id string, spec map[string]any, capture *process.Capture) (int, error) {
	spec["AttachStdout"], spec["AttachStderr"] = true, true
	var made struct {
		ID string `json:"Id"`
	}
	if err := e.Call(ctx, http.MethodPost, "/containers/"+url.PathEscape(id)+"/exec", spec, &made); err != nil {
		return 0, err
	}
	if err := e.printed(ctx, http.MethodPost, "/exec/"+made.ID+"/start", map[string]bool{"Detach": false, "Tty": false}, capture); err != nil {
		return 0, err
	}
	var info struct {
		Running  bool
		ExitCode *int
	}
	if err := e.Call(ctx, http.MethodGet, "/exec/"+made.ID+"/json", nil, &info); err != nil {
		return 0, err
	}
	if info.ExitCode == nil || info.Running {
		return -1, nil
	}
	return *info.ExitCode, nil
}
