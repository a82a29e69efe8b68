package mode

import (
	"context"
	"io"
	"path"
	"slices"
	"time"

	"github.com/org/qa-action/internal/assemble"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/ci"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/inspect"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/past"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/targets"
)

// Deps is what a run works with.
type Deps struct {
	checkout.Checkout
	Config     *config.Config
	Output     *output.Dir
	Repository string // owner/name or the directory's name
	Version    string
	Machine    Machine
	// HeadLine follows lines of the checkout to the head commit; nil when the
	// head commit is what is checked out.
	HeadLine assemble.HeadLine
	Files    scout.Files
	// Model is nil for a run without a model.
	Model *llm.Client
	// Past is what earlier runs taught.
	Past past.Source
	// Scanned is where scans remember what they found out about files; nil is nowhere.
	Scanned *output.Dir
	// Resume names an unfinished session of the same commit and configuration to
	// go on with; nil begins a new one.
	Resume *Unfinished
	// Progress gets one line per step, Live the output of test commands; both
	// may be nil.
	Progress io.Writer
	Live     io.Writer
	Now      func() time.Time
}

// Machine is what a run may use of where it runs.
type Machine struct {
	Env []string // environment to choose from, "K=V"
	// JobContainer is the id of the job's container, empty when it has none.
	JobContainer string
}

// Unfinished is a session to go on with; without an ID it is the newest. Where there
// is none a new one begins, unless there must be one.
type Unfinished struct {
	ID   string
	Must bool
}

// Result is a finished run.
type Result struct {
	Report *qa.Report
	Dir    string   // the session's directory, absolute
	Files  []string // reporters whose files were written
	// Carry is what the check run of this run is to carry for later ones.
	Carry string
	// Done ends the session. It is called when what is published was published:
	// a run that is killed before can be gone on with, and publishes again.
	Done func() error
}

// Inspect finds out what a run would work with.
func Inspect(ctx context.Context, d Deps) (inspect.Setup, error) {
	return inspect.Look(ctx, d.runtime(ctx), d.Change.Base, d.Config)
}

// runtime says where the repository's code runs.
func (d Deps) runtime(ctx context.Context) runtime.Options {
	c := d.Config
	workflows := d.Workflows(ctx)
	c.Workflow = nil
	for _, l := range ci.Lines(workflows, c.WorkingDirectory) {
		c.Workflow = append(c.Workflow, config.WorkflowTest{Line: l.Text, Bare: l.Bare, Source: l.Source, Needs: l.Needs, Less: l.Less, Afar: l.Afar, Row: l.Row})
	}
	o := runtime.Options{
		Driver: c.Runtime, Root: d.Root, Env: d.Machine.Env, Secrets: c.Secrets(), Install: c.Install,
		Dir: c.WorkingDirectory, Containers: runtime.Containers{Image: c.RuntimeImage, JobContainer: d.Machine.JobContainer},
		Log: d.Progress, Hide: []string{d.Output.Path()}, Caches: framework.Caches(), AcceptWeak: c.AcceptWeak,
		Preparation: runtime.Preparation{
			Trusted:   d.Past.Default,
			Base:      d.Change.Base,
			Workflows: workflows,
			GoTests:   func(ctx context.Context, ws *runtime.Workspace) []runtime.GoTest { return targets.GoTests(ctx, ws, c) },
		},
	}
	if c.SetupCommand != "" {
		o.Setup = append(o.Setup, copies.Shell(c.SetupCommand))
	}
	for _, t := range c.Packages() {
		p := runtime.Package{Dir: t.Dir, Install: t.Install}
		if t.SetupCommand != "" {
			p.Setup = append(p.Setup, copies.Shell(t.SetupCommand))
		}
		o.Packages = append(o.Packages, p)
	}
	o.Packages = append(o.Packages, d.beside()...)
	return o
}

// beside are the packages below the run's directory that have tests, where nobody names
// what is to be tested.
func (d Deps) beside() []runtime.Package {
	c := d.Config
	if len(c.Targets) > 0 || c.TestCommand != "" {
		return nil
	}
	found, err := targets.Find(project.Here(), d.Root, c)
	if err != nil {
		return nil // said when the tests are to be run
	}
	var out []runtime.Package
	for _, t := range found.Targets {
		known := func(p runtime.Package) bool { return p.Dir == t.Dir }
		if path.Clean(t.Dir) != path.Clean(c.WorkingDirectory) && !slices.ContainsFunc(out, known) {
			out = append(out, runtime.Package{Dir: t.Dir, Install: c.Install, Found: true})
		}
	}
	return out
}
