package runtime

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/container"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/sandbox"
)

// otherContainer is where commands run in.
type otherContainer interface {
	// Enter makes it ready for a workspace, and says which layers are in force there.
	Enter(ctx context.Context, b *sandbox.Sandbox) (levels []string, err error)
	Run(ctx context.Context, b *sandbox.Sandbox, pc process.Command, loopback bool) (process.Result, error)
}

// lender is a container in which the checkout's git objects have other paths: a tree
// gets them beside ours.
type lender interface {
	Lend(b *sandbox.Sandbox) error
}

// drivers is the closed set; auto is a choice among them, not one of them.
var drivers = []string{"container", "host", "image", "job-container"}

// choose picks the driver and says why.
func choose(o Options) (name, why string, err error) {
	if o.Driver == "" || o.Driver == "auto" {
		name, why = automatic(o)
		return name, why, nil
	}
	if !slices.Contains(drivers, o.Driver) {
		return "", "", fmt.Errorf("unknown runtime %q, expected one of auto, %s", o.Driver, strings.Join(drivers, ", "))
	}
	return o.Driver, "configured", nil
}

// containerOf is the container that commands run in with a driver; nil with those
// that run them on this machine.
func containerOf(driver string, o Options) otherContainer {
	switch driver {
	case "container":
		return container.NewEach(o.Image, o.Env)
	case "job-container":
		return container.NewJob(o.JobContainer, o.Env)
	}
	return nil
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
	case o.JobContainer != "" && hosted && container.NewEngine(o.Env).Answers(context.Background()):
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
