package runtime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// jobContainer runs commands in the container that the workflow's job runs in,
// which has the toolchains that the workflow chose. The two containers share the
// runner's directories under different names, so paths are translated.
type jobContainer struct {
	id      string
	engine  *engine
	mounts  []mountPoint // ours
	theirs  []mountPoint // the job's
	path    string       // PATH there
	running atomic.Int64
}

func newJobContainer(o Options) driver {
	return &jobContainer{id: o.JobContainer, engine: newEngine(o.Env)}
}

func (d *jobContainer) name() string { return "job-container" }

func (d *jobContainer) close() error { return nil }

func (d *jobContainer) prepare(ctx context.Context, w *Workspace) error {
	if d.id == "" {
		return fmt.Errorf("%w: runtime job-container needs a job with a container", ErrProvision)
	}
	info, err := d.engine.inspect(ctx, d.id)
	if err != nil {
		return fmt.Errorf("%w: look at the job's container: %w", ErrProvision, err)
	}
	d.theirs, d.mounts = info.Mounts, ownMounts(ctx, d.engine)
	if _, ok := d.inJob(w.place.home); !ok {
		return fmt.Errorf("%w: the job's container does not see %s; its scratch directory must be below one that the runner mounts into both", ErrProvision, w.place.home)
	}
	w.foreign, w.lend = true, func(tree string) error { return d.lend(w, tree) }
	if err := w.lend(w.place.tree); err != nil {
		return err
	}
	w.env = withoutVariable(w.env, "PATH")
	d.path = d.searchPath(ctx, lookup(info.Config.Env, "PATH"))
	w.levels = append([]string{
		fmt.Sprintf("uid: commands run as %s, without groups", containerUser(w)),
		"env: allow-list",
	}, d.raise(ctx, w)...)
	return w.install(ctx, toolchain.Resolve(rooted.FS(w.place.tree), w.opts.Dir))
}

// searchPath is the container's PATH and, after it, the programs that setup steps
// have put into the runner's tool cache, the newest first.
func (d *jobContainer) searchPath(ctx context.Context, own string) string {
	if own == "" {
		own = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	}
	var res process.Result
	capture := process.NewCapture(process.Command{})
	if _, err := d.engine.exec(ctx, d.id, map[string]any{"Cmd": []string{"sh", "-c", "ls -dt /__t/*/*/*/bin 2>/dev/null"},
		"AttachStdout": true, "AttachStderr": true}, capture); err != nil {
		return own
	}
	capture.Fill(&res)
	return strings.Join(append([]string{own}, strings.Fields(string(res.Stdout))...), ":")
}

// lend adds the names that the checkout's objects have in the job's container to
// the places where git looks for them. Our own git finds its first.
func (d *jobContainer) lend(w *Workspace, tree string) error {
	_, common, err := gitDirs(filepath.Join(w.opts.Root, ".git"))
	if err != nil {
		return nil //nolint:nilerr // no repository, nothing to lend
	}
	root, err := os.OpenRoot(tree)
	if err != nil {
		return fmt.Errorf("lend git objects: %w", err)
	}
	defer func() { _ = root.Close() }()
	f, err := root.OpenFile(filepath.Join(".git", "objects", "info", "alternates"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("lend git objects: %w", err)
	}
	for _, objects := range objectDirs(common) {
		for _, there := range d.everywhere(objects) {
			_, writeErr := fmt.Fprintln(f, there)
			err = errors.Join(err, writeErr)
		}
	}
	return errors.Join(err, f.Close())
}

// everywhere lists the paths at which the job's container sees a path of ours, or
// parts of it.
func (d *jobContainer) everywhere(path string) []string {
	machine := onMachine(d.mounts, path)
	var out []string
	for _, m := range d.theirs {
		if rel, ok := within(m.Source, machine); ok {
			out = append(out, strings.TrimSuffix(m.Destination+"/"+rel, "/."))
		} else if _, ok := within(machine, m.Source); ok {
			out = append(out, m.Destination)
		}
	}
	return out
}

// inJob translates a path of ours to the job container's.
func (d *jobContainer) inJob(path string) (string, bool) {
	machine := onMachine(d.mounts, path)
	best, to := "", ""
	for _, m := range d.theirs {
		if rel, ok := within(m.Source, machine); ok && len(m.Source) > len(best) {
			best, to = m.Source, m.Destination+"/"+rel
		}
	}
	return strings.TrimSuffix(to, "/."), best != ""
}

// translated replaces our directories in a text by their names there.
func (d *jobContainer) translated(w *Workspace, text string) string {
	places := []string{w.place.home, w.place.cache}
	if w.parent != nil {
		places = append(places, w.parent.place.home)
	}
	for _, ours := range places {
		if theirs, ok := d.inJob(ours); ok {
			text = string(replacePath([]byte(text), ours, theirs))
		}
	}
	return text
}

func (d *jobContainer) all(w *Workspace, list []string) []string {
	out := slices.Clone(list)
	for i, s := range out {
		out[i] = d.translated(w, s)
	}
	return out
}

// sweepTime bounds the killing of what a command left.
const sweepTime = 15 * time.Second

func (d *jobContainer) run(ctx context.Context, w *Workspace, c Command, pc process.Command) (process.Result, error) {
	d.running.Add(1)
	defer func() {
		if d.running.Add(-1) > 0 || w.user == nil {
			return // others of the same user still run; the last one sweeps
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sweepTime)
		defer cancel()
		// Nobody else in there has this id.
		_, _ = d.engine.exec(ctx, d.id, map[string]any{"Cmd": d.sweeper(w), "User": containerUser(w),
			"AttachStdout": true, "AttachStderr": true}, process.NewCapture(process.Command{}))
	}()
	if w.helped() {
		return d.runInside(ctx, w, c, pc)
	}
	spec := map[string]any{"Cmd": d.all(w, pc.Argv), "Env": merge([]string{"PATH=" + d.path}, d.all(w, pc.Env)), "WorkingDir": d.translated(w, pc.Dir),
		"User": containerUser(w), "AttachStdout": true, "AttachStderr": true}
	res, err := d.engine.attend(ctx, pc, func(ctx context.Context, capture *process.Capture) (int, error) {
		return d.engine.exec(ctx, d.id, spec, capture)
	})
	if err == nil && res.ExitCode == exitNotFound && strings.Contains(string(res.Stdout)+string(res.Stderr), "executable file not found") {
		return res, fmt.Errorf("run %s: %w", pc.Argv[0], process.ErrNotFound)
	}
	return res, err
}

// sweeper ends what a user's commands left running, which the helper does by
// itself, and removes what they left where others of the container would find it.
func (d *jobContainer) sweeper(w *Workspace) []string {
	if w.helped() {
		return d.helperSweeps(w)
	}
	return []string{"sh", "-c", "kill -9 -1; for f in /dev/shm/* /dev/shm/.[!.]* /dev/mqueue/* /tmp/* /tmp/.[!.]* /var/tmp/* /var/tmp/.[!.]* /run/lock/*; do [ -O \"$f\" ] && rm -rf -- \"$f\"; done"}
}

// exitNotFound is how engines end a program that is not there, with a line about
// it for all output.
const exitNotFound = 127
