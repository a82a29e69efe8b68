// Package executor runs tests and says what came of them: the repository's own
// suite on head and base, the triage of its failures, and the tests of one
// layer. It runs what a framework adapter describes, in a private copy of the
// checkout, and believes structured reports only, never console text. Start at
// [Suite]; [Triage] says whose failures they are.
package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/timing"
	"github.com/org/qa-action/internal/wording"
)

// Tree is a private copy of the checkout in which commands run; a
// [runtime.Workspace] is one.
type Tree interface {
	Dir() string     // root of the copy, absolute
	Results() string // where report files may be written, absolute
	Run(ctx context.Context, c runtime.Command) (process.Result, error)
	// Prepare runs a command before the tests, with the programs of its
	// dependencies first on PATH; what it makes belongs to the tree from then on.
	Prepare(ctx context.Context, c runtime.Command) (process.Result, error)
	Prepared() runtime.Prepared
	Dependencies() runtime.Dependencies
	// Afresh takes away what commands left, in the tree, in their home and among temporary
	// files.
	Afresh(ctx context.Context) error
	// MarkReads begins to notice which files are opened, Reads says which were.
	MarkReads(ctx context.Context, extra ...string) error
	Reads(ctx context.Context) (runtime.Reads, error)
	// OwnElsewhere are the repository's own packages that code in a directory would
	// take from an installed copy.
	OwnElsewhere(dirs ...string) []runtime.Elsewhere
	// Local writes what a command wrote with the paths that the tree has for us.
	Local(to io.Writer) io.WriteCloser
}

// Target is one package of the repository with its own tests.
type Target struct {
	Name string
	// Dir is relative to the repository root, "." for the root.
	Dir       string
	Framework adapter.Detection
	// Part is what of the suite is run; nil is the whole.
	Part *adapter.Part `json:"-"`
	// Only are the test files, or packages, that the change can reach, where the others
	// are left out; nil is all.
	Only []adapter.Selected `json:"-"`
	// Without has by test file the tests of it that are left out, too.
	Without map[string][]string `json:"-"`
}

// Run is one execution of a target's test command.
type Run struct {
	Target  string   `json:"target"`
	Command []string `json:"command"`
	Dir     string   `json:"dir"`
	Suite   qa.Suite `json:"suite"`
	// Coverage is nil when unknown; CoverageReason then says why.
	Coverage       *qa.Coverage `json:"-"`
	CoverageReason string       `json:"coverage_reason,omitempty"`
	// Inconclusive says why the tests cannot be judged; empty when they can.
	Inconclusive string `json:"inconclusive,omitempty"`
	Ending
	Reports []string `json:"reports"` // absolute paths of the report copies
	Tail    string   `json:"tail,omitempty"`
	Tree    string   `json:"-"` // the copy it ran in
	Adapter string   `json:"adapter,omitempty"`
	// NotOwn says why the run does not show its own side: with whose
	// dependencies or with which other copy of the code it ran.
	NotOwn string `json:"not_own,omitempty"`
	Seen   Seen   `json:"seen"`
}

// Ending is how the command of a run ended.
type Ending struct {
	ExitCode int `json:"exit_code"`
	// Well says that the command ran and ended by itself with exit code 0.
	Well     bool `json:"well,omitempty"`
	TimedOut bool `json:"timed_out,omitempty"`
	// ExitOnly says that there is an exit code and no count of tests.
	ExitOnly bool `json:"exit_only,omitempty"`
	// Empty says that nothing in the part of the suite that was to run could be executed.
	Empty bool `json:"empty,omitempty"`
	// Killed says that a signal from outside ended the command or a program
	// that ran tests, as the kernel does when memory runs out.
	Killed  bool    `json:"killed,omitempty"`
	Seconds float64 `json:"seconds"`
	// Unmeasured is what went wrong only because the run was measured, and counts for
	// nothing where the project does not measure by itself.
	Unmeasured string `json:"unmeasured,omitempty"`
	// FailMeasured are the ids of tests that fail only then.
	FailMeasured []string `json:"fail_measured,omitempty"`
	// Missed says that the runner speaks of the project's own coverage threshold, which
	// our gates replace.
	Missed bool `json:"missed,omitempty"`
}

// Unnamed reports whether the report of a target's tests may name no files of those that
// pass.
func (t Target) Unnamed() bool {
	a, err := framework.For(t.Framework.Framework)
	return err == nil && a.Habits.Unnamed
}

// Seen is which files a run loaded, compiled and opened. Paths are relative to
// the repository root.
type Seen struct {
	Loaded   []string `json:"loaded,omitempty"`
	Compiled []string `json:"compiled,omitempty"`
	// Steers are those with a hand in what becomes of tests that know nothing of them.
	Steers []string `json:"steers,omitempty"`
	// Opened and Unopened are the files whose opening would have been noticed;
	// NoReads says why there are none.
	Opened   []string `json:"opened,omitempty"`
	Unopened []string `json:"unopened,omitempty"`
	NoReads  string   `json:"no_reads,omitempty"`
	// Shared says that programs of scan engines ran in the same tree at the same time.
	Shared bool `json:"shared,omitempty"`
	// Built are files that git ignores and that were opened, such as a bundle.
	Built     []string            `json:"built,omitempty"`
	Elsewhere []adapter.Elsewhere `json:"elsewhere,omitempty"`
	// Artifacts are what a build made and the tests loaded.
	Artifacts []adapter.Artifact `json:"artifacts,omitempty"`
	// Executed is which functions each unit of the suite enters; nil where that is not known.
	Executed *qa.Execution `json:"executed,omitempty"`
}

// Options say how to run a suite.
type Options struct {
	// Name is unique per run in its tree; report files are collected in Keep,
	// a directory of ours.
	Name     string
	Keep     rooted.Place
	Coverage bool
	Tests    []adapter.Selected // only these; empty is all
	Related  []string           // only tests that load these source files
	Timeout  time.Duration
	Order
	// Parallel is the number of workers; 0 leaves it to the framework.
	Parallel int
	Env      []string
	// Generated says that tests a model wrote are part of the run: they get no
	// network.
	Generated bool
	// Trace asks what the tests were made of and what they opened.
	Trace bool
	// Executed is how much longer the run may take to tell what each unit executes.
	Executed time.Duration
	// Within is how long the tests themselves may take; 0 is Timeout alone.
	Within time.Duration
	// Races asks to watch for accesses to memory that nothing orders.
	Races bool
	Live  io.Writer
}

// Order is that of the tests.
type Order struct {
	// Shuffle asks for one by chance, which Seed repeats (0: any).
	Shuffle bool
	Seed    int64
}

// tailLines is how much of a runner's last words is shown.
const tailLines = 20

// network is what tests may reach: those that a model wrote nothing but themselves.
func (o Options) network() runtime.Network {
	if o.Generated {
		return runtime.NetworkLoopback
	}
	return ""
}

// phase is what the time of a run counts as.
func (o Options) phase() timing.Phase {
	switch {
	case o.Generated || len(o.Related) > 0:
		return timing.Generated
	case strings.HasSuffix(o.Name, "head"), strings.HasSuffix(o.Name, "head-built"):
		return timing.Head
	case strings.HasSuffix(o.Name, "base"):
		return timing.Base
	}
	return timing.Reruns
}

// Suite runs the target's tests in tree. An error means that the run was
// cancelled or that our own side failed; everything that is wrong with the
// tests or their runner is in the Run.
func Suite(ctx context.Context, tree Tree, t Target, o Options) (Run, error) {
	ctx, end := timing.Begin(ctx, o.phase(), o.Name+" "+t.Name)
	defer end()
	run := Run{Target: t.Name, Tree: tree.Dir(), Adapter: t.Framework.Framework}
	how, err := framework.For(t.Framework.Framework)
	if err != nil {
		return run, err
	}
	out, err := outDir(tree, o.Name)
	if err != nil {
		return run, err
	}
	request := adapter.Request{OutDir: out, Coverage: o.Coverage, Tests: o.Tests, Related: o.Related, Shuffle: o.Shuffle, Seed: o.Seed, Parallel: o.Parallel, Executed: o.Executed, Within: o.Within, Races: o.Races}
	if err := run.part(ctx, tree, t, how, &request); err != nil || run.Inconclusive != "" || run.Empty {
		return run, err
	}
	inv, err := how.Invocation(t.Framework, request)
	if err != nil {
		run.Inconclusive = err.Error()
		return run, nil
	}
	run.Command, run.Dir = inv.Argv, inv.Dir
	files, err := laid(tree, inv, out)
	if err != nil {
		return run, err
	}
	if o.Timeout > 0 {
		o.Timeout += o.Executed
	}
	cmd := runtime.Command{Argv: inv.Argv, Dir: inv.Dir, Env: append(inv.Env, o.Env...), Script: t.script(), Timeout: o.Timeout, Stdout: files.stdout, Live: o.Live}
	cmd.Network, cmd.Services = o.network(), true
	var copies []runtime.Elsewhere
	if o.Trace {
		if copies, err = watch(ctx, tree, t); err != nil {
			return run, err
		}
		if how.Trace != nil {
			cmd.Env = append(cmd.Env, how.Trace.Env...)
		}
	}
	res, err := run.start(ctx, tree, t, cmd)
	if err != nil || run.Inconclusive != "" {
		return run, err
	}
	tests, coverage, err := files.keep(o.Keep)
	if err != nil {
		return run, err
	}
	run.Reports = append(tests, coverage...)
	run.judge(how, tree, t, res, tests)
	how.Located(tree.Dir(), t.Framework, o.Tests, run.Suite.Cases)
	if o.Coverage {
		measure(&run, tree, t, inv, coverage)
	}
	if o.Trace {
		if err := run.reads(ctx, tree, t.Framework, copies); err != nil || how.Trace == nil {
			return run, err
		}
		return run, run.trace(ctx, how.Trace, tree, t, out)
	}
	return run, nil
}

// start runs the command. That it could not be started makes the run inconclusive; an
// error is a cancellation.
func (r *Run) start(ctx context.Context, tree Tree, t Target, cmd runtime.Command) (process.Result, error) {
	res, err := tree.Run(ctx, cmd)
	r.ExitCode, r.Seconds, r.TimedOut = res.ExitCode, res.Seconds, res.TimedOut
	r.Tail = inTree(tree, tail(res))
	r.Well = err == nil && res.ExitCode == 0 && res.Signal == "" && res.Limit == "" && !res.TimedOut
	if err == nil || ctx.Err() != nil {
		return res, err
	}
	r.Inconclusive = fmt.Sprintf("the test command could not be started: %v", err)
	if said := t.Framework.Hint.String(); said != "" {
		r.Inconclusive += "; " + said
	}
	return res, nil
}

// tail is the end of what the runner said, for messages.
func tail(res process.Result) string {
	text := said(res.Stderr)
	if text == "" {
		text = said(res.Stdout)
	}
	return lastLines(text, tailLines)
}

var colours = pattern.New("\x1b\\[[0-9;]*m")

// said is what a stream has for people: Maven ends with a colour that it never set.
func said(stream []byte) string {
	return strings.TrimSpace(colours.ReplaceAllString(string(stream), ""))
}

// inTree names the files of the tree from its root.
func inTree(tree Tree, text string) string {
	return strings.ReplaceAll(text, tree.Dir()+string(filepath.Separator), "")
}

// wholeTail is the end of both streams: of a command without a report nobody
// knows which of them tells what failed. Standard output comes last, as the
// runners that list failures write them there.
func wholeTail(res process.Result) string {
	errs, out := said(res.Stderr), said(res.Stdout)
	if errs == "" || out == "" {
		return tail(res)
	}
	return lastLines(errs, tailLines/2) + "\n" + lastLines(out, tailLines/2)
}

// lastLines are the last n lines that programs said, none of them too long.
func lastLines(text string, n int) string {
	lines := spoken(strings.Split(text, "\n"))
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	for i, l := range lines {
		lines[i] = wording.Cut(l, 300)
	}
	return strings.ToValidUTF8(strings.Join(lines, "\n"), "\uFFFD")
}

// spoken puts what programs said in the place of the events that go test -json
// makes of it.
func spoken(lines []string) []string {
	var out []string
	for _, l := range lines {
		var event struct{ Action, Output string }
		if strings.HasPrefix(l, "{") && json.Unmarshal([]byte(l), &event) == nil && event.Action != "" {
			if l = strings.TrimRight(event.Output, "\n"); l == "" {
				continue
			}
		}
		out = append(out, l)
	}
	return out
}

func abs(tree Tree, dir string) string { return filepath.Join(tree.Dir(), filepath.FromSlash(dir)) }
