package container

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/provision"
	"github.com/org/qa-action/internal/runtime/sandbox"
)

// Job runs commands in the container that the workflow's job runs in,
// which has the toolchains that the workflow chose. The two containers share the
// runner's directories under different names, so paths are translated.
type Job struct {
	id      string
	engine  *Engine
	mounts  []mountPoint // ours
	theirs  []mountPoint // the job's
	path    string       // PATH there
	running atomic.Int64
}

// NewJob is the container of an id. env says where the engine is.
func NewJob(id string, env []string) *Job {
	return &Job{id: id, engine: NewEngine(env)}
}

// Enter finds out what the container sees of ours, and which layers hold there.
func (d *Job) Enter(ctx context.Context, b *sandbox.Sandbox) (levels []string, err error) {
	if d.id == "" {
		return nil, fmt.Errorf("%w: runtime job-container needs a job with a container", provision.ErrProvision)
	}
	info, err := d.engine.inspect(ctx, d.id)
	if err != nil {
		return nil, fmt.Errorf("%w: look at the job's container: %w", provision.ErrProvision, err)
	}
	d.theirs, d.mounts = info.Mounts, ownMounts(ctx, d.engine)
	if _, ok := d.inJob(b.Place.Home); !ok {
		return nil, fmt.Errorf("%w: the job's container does not see %s; its scratch directory must be below one that the runner mounts into both", provision.ErrProvision, b.Place.Home)
	}
	b.Foreign = true
	if err := d.Lend(b); err != nil {
		return nil, err
	}
	d.path = d.searchPath(ctx, environ.Lookup(info.Config.Env, "PATH"))
	return append([]string{
		fmt.Sprintf("uid: commands run as %s, without groups", b.User.Pair()),
		"env: allow-list",
	}, d.raise(ctx, b)...), nil
}

// searchPath is the container's PATH and, after it, the programs that setup steps
// have put into the runner's tool cache, the newest first.
func (d *Job) searchPath(ctx context.Context, own string) string {
	if own == "" {
		own = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	}
	var res process.Result
	capture := process.NewCapture(process.Command{})
	if _, err := d.engine.Exec(ctx, d.id, map[string]any{"Cmd": []string{"sh", "-c", "ls -dt /__t/*/*/*/bin 2>/dev/null"}}, capture); err != nil {
		return own
	}
	capture.Fill(&res)
	return strings.Join(append([]string{own}, strings.Fields(string(res.Stdout))...), ":")
}

// Lend adds the names that the checkout's objects have in the job's container to
// the places where git looks for them. Our own git finds its first.
func (d *Job) Lend(b *sandbox.Sandbox) error {
	objects := b.Machine.Repository.Objects()
	if len(objects) == 0 {
		return nil // no repository, nothing to lend
	}
	root, err := os.OpenRoot(b.Place.Tree)
	if err != nil {
		return fmt.Errorf("lend git objects: %w", err)
	}
	defer func() { _ = root.Close() }()
	f, err := root.OpenFile(filepath.Join(".git", "objects", "info", "alternates"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("lend git objects: %w", err)
	}
	for _, there := range d.everywhere(objects...) {
		_, writeErr := fmt.Fprintln(f, there)
		err = errors.Join(err, writeErr)
	}
	return errors.Join(err, f.Close())
}

// everywhere lists the paths at which the job's container sees paths of ours, or
// parts of them.
func (d *Job) everywhere(paths ...string) []string {
	var out []string
	for _, path := range paths {
		machine := onMachine(d.mounts, path)
		for _, m := range d.theirs {
			if rel, ok := rooted.Within(m.Source, machine); ok {
				out = append(out, strings.TrimSuffix(m.Destination+"/"+rel, "/."))
			} else if _, ok := rooted.Within(machine, m.Source); ok {
				out = append(out, m.Destination)
			}
		}
	}
	return out
}

// inJob translates a path of ours to the job container's.
func (d *Job) inJob(path string) (string, bool) {
	machine := onMachine(d.mounts, path)
	best, to := "", ""
	for _, m := range d.theirs {
		if rel, ok := rooted.Within(m.Source, machine); ok && len(m.Source) > len(best) {
			best, to = m.Source, m.Destination+"/"+rel
		}
	}
	return strings.TrimSuffix(to, "/."), best != ""
}

// translated replaces our directories in a text by their names there.
func (d *Job) translated(b *sandbox.Sandbox, text string) string {
	places := []string{b.Place.Home, b.Place.Cache}
	if b.Head != nil {
		places = append(places, b.Head.Home)
	}
	for _, ours := range places {
		if theirs, ok := d.inJob(ours); ok {
			text = string(clone.ReplacePath([]byte(text), ours, theirs))
		}
	}
	return text
}

func (d *Job) all(b *sandbox.Sandbox, list []string) []string {
	return each.Of(list, func(text string) string { return d.translated(b, text) })
}

// sweepTime bounds the killing of what a command left.
const sweepTime = 15 * time.Second

// Run runs one command there.
func (d *Job) Run(ctx context.Context, b *sandbox.Sandbox, pc process.Command, loopback bool) (process.Result, error) {
	d.running.Add(1)
	defer func() {
		if d.running.Add(-1) > 0 || b.User == nil {
			return // others of the same user still run; the last one sweeps
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sweepTime)
		defer cancel()
		// Nobody else in there has this id.
		_, _ = d.engine.Exec(ctx, d.id, map[string]any{"Cmd": d.sweeper(b), "User": b.User.Pair()}, process.NewCapture(process.Command{}))
	}()
	if b.Layers.Helper {
		return d.runInside(ctx, b, pc, loopback)
	}
	spec := map[string]any{"Cmd": d.all(b, pc.Argv), "Env": environ.Merge([]string{"PATH=" + d.path}, d.all(b, pc.Env)), "WorkingDir": d.translated(b, pc.Dir),
		"User": b.User.Pair()}
	res, err := d.engine.attend(ctx, pc, func(ctx context.Context, capture *process.Capture) (int, error) {
		return d.engine.Exec(ctx, d.id, spec, capture)
	})
	if err == nil && res.ExitCode == exitNotFound && strings.Contains(string(res.Stdout)+string(res.Stderr), "executable file not found") {
		return res, fmt.Errorf("run %s: %w", pc.Argv[0], process.ErrNotFound)
	}
	return res, err
}

// sweeper ends what a user's commands left running, which the helper does by
// itself, and removes what they left where others of the container would find it.
func (d *Job) sweeper(b *sandbox.Sandbox) []string {
	if b.Layers.Helper {
		return d.helperSweeps(b)
	}
	return []string{"sh", "-c", "kill -9 -1; for f in /dev/shm/* /dev/shm/.[!.]* /dev/mqueue/* /tmp/* /tmp/.[!.]* /var/tmp/* /var/tmp/.[!.]* /run/lock/*; do [ -O \"$f\" ] && rm -rf -- \"$f\"; done"}
}

// exitNotFound is how engines end a program that is not there, with a line about
// it for all output.
const exitNotFound = 127
