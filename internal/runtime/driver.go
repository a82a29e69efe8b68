package runtime

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// driver is where programs come from.
type driver interface {
	name() string
	// prepare makes toolchain and dependencies ready in a workspace.
	prepare(ctx context.Context, w *Workspace) error
	// run runs one command of a workspace.
	run(ctx context.Context, w *Workspace, c Command, pc process.Command) (process.Result, error)
	close() error
}

// drivers is the closed set; auto is a choice among them, not one of them.
var drivers = map[string]func(Options) driver{
	"container":     newContainer,
	"host":          func(Options) driver { return host{} },
	"image":         func(Options) driver { return image{} },
	"job-container": newJobContainer,
}

// Names lists the valid values of Options.Driver.
func Names() []string {
	return append([]string{"auto"}, slices.Sorted(maps.Keys(drivers))...)
}

// choose picks the driver and says why.
func choose(o Options) (driver, string, error) {
	if o.Driver == "" || o.Driver == "auto" {
		name, why := automatic(o)
		return drivers[name](o), why, nil
	}
	open, ok := drivers[o.Driver]
	if !ok {
		return nil, "", fmt.Errorf("unknown runtime %q, expected one of %s", o.Driver, strings.Join(Names(), ", "))
	}
	return open(o), "configured", nil
}

// automatic chooses. Outside of a container the machine's own toolchains are the
// ones meant; inside the action's there are none but the image's.
func automatic(o Options) (name, why string) {
	// Who may use the engine's socket is root on the machine: on a machine that
	// outlives the job that is for its owner to allow, by naming the driver.
	hosted := environ.Lookup(o.Env, "RUNNER_ENVIRONMENT") == "github-hosted"
	switch {
	case o.Image != "":
		return "container", "runtime-image is set"
	case o.JobContainer != "" && hosted && newEngine(o.Env).answers(context.Background()):
		return "job-container", "the job runs in a container, which has the toolchains of the workflow"
	}
	if inContainer(o.Env) {
		return "image", "inside the action's container, which has no toolchains of the workflow"
	}
	return "host", "outside of a container, the toolchains on PATH are the ones meant"
}

// inContainer tells the action's container by the mounts that the workflow
// runner gives it, not by being in some container: a job may run in one.
func inContainer(env []string) bool {
	return environ.Lookup(env, "GITHUB_ACTIONS") == "true" && strings.HasPrefix(environ.Lookup(env, "GITHUB_WORKSPACE"), "/github/")
}

// host runs what is on PATH.
type host struct{}

func (host) name() string { return "host" }

func (host) prepare(ctx context.Context, w *Workspace) error {
	w.followEditable(ctx)
	return w.install(ctx, toolchain.Resolve(rooted.FS(w.place.Tree), w.opts.Dir))
}

func (host) run(ctx context.Context, w *Workspace, c Command, pc process.Command) (process.Result, error) {
	return w.runWalled(ctx, c, pc)
}

func (host) close() error { return nil }
