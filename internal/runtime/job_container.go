package runtime

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// jobContainer runs commands in the container that the workflow's job runs in,
// which has the toolchains that the workflow chose. The two containers share the
// runner's directories under different names, so paths are translated.
type jobContainer struct {
	id     string
	engine *engine
	mounts []mountPoint // ours
	theirs []mountPoint // the job's
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
	w.walls, w.foreign = walls{}, true
	w.levels = []string{
		fmt.Sprintf("uid: commands run as %s", containerUser(w)),
		"env: allow-list",
		"namespaces: those of the job's container",
		"landlock: off: commands start in another container",
		"seccomp: the container engine's profile",
		"network: off: generated tests too share the job container's network; choose runtime image to keep them off it",
		"rlimits: off: those of the job's container",
	}
	w.env = withoutVariable(w.env, "PATH")
	return w.install(ctx, toolchain.Resolve(os.DirFS(w.place.tree), w.opts.Dir))
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

// sweepTime bounds the killing of what a command left.
const sweepTime = 15 * time.Second

func (d *jobContainer) run(ctx context.Context, w *Workspace, _ Command, pc process.Command) (process.Result, error) {
	translate := func(list []string) []string {
		out := make([]string, len(list))
		for i, s := range list {
			out[i] = s
			for _, ours := range []string{w.place.home, w.place.cache} {
				if theirs, ok := d.inJob(ours); ok {
					out[i] = string(replacePath([]byte(out[i]), ours, theirs))
				}
			}
		}
		return out
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sweepTime)
		defer cancel()
		if w.user != nil { // nobody else in there has this id
			_, _ = d.engine.exec(ctx, d.id, map[string]any{"Cmd": []string{"sh", "-c", "kill -9 -1"}, "User": containerUser(w),
				"AttachStdout": true, "AttachStderr": true}, process.NewCapture(process.Command{}))
		}
	}()
	spec := map[string]any{"Cmd": translate(pc.Argv), "Env": translate(pc.Env), "WorkingDir": translate([]string{pc.Dir})[0],
		"User": containerUser(w), "AttachStdout": true, "AttachStderr": true}
	return d.engine.attend(ctx, pc, func(ctx context.Context, capture *process.Capture) (int, error) {
		return d.engine.exec(ctx, d.id, spec, capture)
	})
}
