// Package checks runs the parts of the test scripts that are no tests: linters, type
// checkers, what is built in the end. The repository's own test command fails where one
// of them does, so that a verdict which left them out could be green over a red command.
// Start at [Runner.Run].
package checks

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/wording"
)

// The states of a check.
const (
	passed = "passed"
	failed = "failed"
	flaky  = "flaky"
	notRun = "not run"

	elsewhere = "the first part of the run runs it"
)

// Outcome is what is known of one check.
type Outcome struct {
	qa.CheckRow
	// Failing stands among the failing tests where the check failed.
	Failing *qa.FailingTest `json:"failing,omitempty"`
	// Unended says that it was to run and came to no end in its time.
	Unended bool `json:"unended,omitempty"`
}

// Runner runs checks in the copies of a run.
type Runner struct {
	checkout.Checkout
	Config *config.Config
	Copies *copies.Copies
	Head   *runtime.Workspace
	// Elsewhere says that another part of the run runs the checks, Changed that the change
	// writes what says which there are.
	Elsewhere, Changed bool
	// Ahead are builds ahead of suites that check types, and passed where those ran.
	Ahead []framework.Check
	Left  func() time.Duration
	Keep  rooted.Place
	// Progress gets one line per check, Live what they print; Live may be nil.
	Progress, Live io.Writer

	base *side
	runs int
	lay  []laid // in the copy of head, for the run under way
}

// Run runs checks in the order of their scripts. Those of one folder share what they
// write, as a formatter and the "git diff" behind it do; what they wrote is put back then.
func (r *Runner) Run(ctx context.Context, all []framework.Check) ([]Outcome, error) {
	var out []Outcome
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Run.Dir == all[0].Run.Dir {
			n++
		}
		some, err := r.folder(ctx, all[:n])
		out = append(out, some...)
		if err != nil {
			return out, err
		}
		all = all[n:]
	}
	return out, nil
}

// folder runs the checks of one folder; what fails is repeated, and then run on base.
func (r *Runner) folder(ctx context.Context, all []framework.Check) ([]Outcome, error) {
	head, err := r.each(ctx, r.Head, all)
	out := told(all, head)
	bad := func(i int) bool { return meant(all[i], head[i]) && !passes(head[i]) && !out[i].Unended }
	if err != nil || !slices.ContainsFunc(indices(all), bad) {
		return out, err
	}
	again, err := r.each(ctx, r.Head, all)
	if err != nil {
		return out, err
	}
	base := r.onBase(ctx)
	base.checks = each.Where(base.checks, func(c framework.Check) bool { return c.Run.Dir == all[0].Run.Dir })
	var old []executor.Run
	if base.err == nil {
		if old, err = r.each(ctx, base.tree, base.checks); err != nil {
			return out, err
		}
	}
	for i := range all {
		if !bad(i) {
			continue
		}
		var was *executor.Run
		if at := slices.IndexFunc(base.checks, func(c framework.Check) bool { return same(c, all[i]) }); at >= 0 {
			was = &old[at]
		}
		if all[i].Beside && was != nil && !passes(*was) {
			out[i].State = notRun
			if out[i].Reason == "" { // what could not be started has said why
				out[i].Reason = "it does not pass on base either (" + short(head[i]) + ")"
			}
			continue
		}
		out[i].judge(head[i], again[i], was, base)
		if f := out[i].Failing; f != nil {
			f.Reproduce = framework.CommandLine(all[i].Run)
		}
	}
	return out, nil
}

// judge says whose a failure is; was is nil where base has no such check. What could not
// even be started may need what is not here: it is a failure where base could do it.
func (o *Outcome) judge(head, again executor.Run, was *executor.Run, base side) {
	p := qa.Problem{Kind: qa.FailedCheck, Where: o.Check, Message: said(head)}
	f := qa.FailingTest{Case: p.Case(), Head: []bool{passes(again)}, Triage: qa.NewFailure}
	switch {
	case !failing(head) && (was == nil || !passes(*was)):
		return // not run, as before
	case f.Head[0]:
		f.Triage, f.Base, o.State = qa.FlakyFailure, qa.NotRun, flaky
	case base.err != nil:
		f.Triage, f.Base = qa.UnknownFailure, qa.NotRun
	case was == nil: // head alone decides
	case failing(*was) && base.tree.Dependencies().Shared == "":
		f.Triage, f.Base = qa.PreExisting, qa.BuildFailed
	case passes(*was):
		f.Base, o.State = qa.Passed, failed
	default:
		f.Triage, f.Base = qa.UnknownFailure, qa.NotRun
	}
	o.Reason, o.Failing = "", &f
}

func indices(all []framework.Check) []int {
	out := make([]int, len(all))
	for i := range out {
		out[i] = i
	}
	return out
}

// each runs checks in a tree, one behind the other, and puts back what they wrote.
func (r *Runner) each(ctx context.Context, tree executor.Tree, all []framework.Check) ([]executor.Run, error) {
	r.Copies.Restore(ctx)
	defer r.Copies.Restore(ctx)
	out := make([]executor.Run, len(all))
	if err := r.lays(); err != nil {
		for i := range out {
			out[i].Inconclusive = "base's files cannot be put into the copy: " + err.Error()
		}
		return out, nil
	}
	for i, c := range all {
		left := min(r.Left(), r.Config.TaskTimeout)
		switch {
		case c.Why != "":
			out[i].Inconclusive = c.Why
			continue
		case r.Elsewhere:
			out[i].Inconclusive = elsewhere
			continue
		case left <= 0:
			out[i].Inconclusive, out[i].TimedOut = "there was no time left for it; raise timeout", true
			continue
		}
		fmt.Fprintf(r.Progress, "baseline: running the check %s\n", wording.Line(c.Text, 200))
		r.runs++
		name := fmt.Sprintf("check-%d", r.runs)
		run, err := executor.Prepared(ctx, tree, executor.Target{Name: c.Text, Dir: c.Run.Dir, Framework: c.Run},
			executor.Options{Name: name, Keep: r.Keep.Join(name), Timeout: left, Live: r.Live})
		if err != nil {
			return out, fmt.Errorf("run a check of the test scripts: %w", err)
		}
		out[i] = run
	}
	return out, nil
}

// passes reports whether a command ended well.
func passes(r executor.Run) bool { return r.Well && r.Inconclusive == "" }

// meant reports whether a check was to run here.
func meant(c framework.Check, r executor.Run) bool { return c.Why == "" && r.Inconclusive != elsewhere }

// same reports whether two checks, of head and base, run the same command and count.
func same(a, b framework.Check) bool {
	return a.Why == "" && b.Why == "" && framework.SameCommand(a.Run, b.Run)
}

// failing reports whether a command ran to its end, which was a bad one.
func failing(r executor.Run) bool { return !r.Well && r.Inconclusive == "" && !unended(r) }

// unended reports whether a command was ended, or not begun for want of time.
func unended(r executor.Run) bool { return r.TimedOut || r.Killed }

// said is how a check ended, and the end of what it printed: that is where one sums up.
func said(r executor.Run) string {
	lines := each.Where(strings.Split(r.Tail, "\n"), func(l string) bool { return strings.TrimSpace(l) != "" })
	if len(lines) == 0 && len(r.Suite.Problems) > 0 {
		return r.Suite.Problems[0].Message
	}
	text := fmt.Sprintf("ended with exit code %d", r.ExitCode)
	if len(lines) > shownLines {
		text, lines = text+"; the end of what it printed", lines[len(lines)-shownLines:]
	}
	return text + ":\n" + strings.Join(lines, "\n")
}

// short is how a check ended, in one line.
func short(r executor.Run) string {
	text := fmt.Sprintf("exit code %d", r.ExitCode)
	if line := diagnosis.Line([]byte(r.Tail)); line != "" {
		text += ": " + line
	}
	return text
}

// shownLines is how many lines of a failing check are shown.
const shownLines = 5

func told(all []framework.Check, runs []executor.Run) []Outcome {
	out := make([]Outcome, len(all))
	for i, c := range all {
		row := qa.CheckRow{Check: c.Text, State: notRun, Seconds: runs[i].Seconds}
		switch {
		case passes(runs[i]):
			row.State = passed
		case failing(runs[i]):
			row.State = failed
		default:
			row.Reason = wording.Line(runs[i].Inconclusive, 300)
		}
		out[i].CheckRow, out[i].Unended = row, meant(c, runs[i]) && unended(runs[i])
	}
	return out
}
