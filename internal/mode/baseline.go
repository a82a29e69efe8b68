package mode

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/past"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
)

// baseline is the run of the repository's own tests that starts beside wave 1
// and is joined before the strategist.
type baseline struct {
	done    chan struct{}
	targets []executor.Target
	runs    []executor.Baseline
	rows    []qa.TargetRow
	driver  string
	levels  []string
	// also are frameworks that were found and not run, with the reason.
	also map[string]string
	err  error // the place could not be opened, or the run was cancelled
	// unneeded says on what evidence no test is run.
	unneeded string
	// read are the files that say what is run and how; unrun is what of the
	// change's tests cannot run on this machine.
	read, unrun []string
	// broken are manifests that do not parse.
	broken []framework.Note
	// command says what is known against a test command that the change wrote.
	command string
	// checks are the parts of the test scripts that are no tests.
	checks []string
	// head is the coverage of all targets, nil when none is known; reason says
	// why.
	head   *qa.Coverage
	before *qa.Coverage
	reason string
	// part says of which targets alone the coverage is; empty when it is of all.
	part  string
	patch *qa.PatchCoverage
}

func startBaseline(ctx context.Context, r *run) *baseline {
	b := &baseline{done: make(chan struct{}), also: map[string]string{}}
	go func() {
		defer close(b.done)
		if b.unneeded = r.unneeded(); b.unneeded != "" {
			b.reason = "no test was needed"
			return
		}
		b.err = b.measure(ctx, r)
	}()
	return b
}

// wait joins the baseline.
func (b *baseline) wait(ctx context.Context) error {
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (b *baseline) join() { <-b.done }

// digest tells one outcome of the baseline from another. It waits for it: what
// a resumed run takes over may stand on these numbers, and so do the notes made
// of it.
func (b *baseline) digest() string {
	b.join()
	text := fmt.Sprint(b.tests().Head, b.reason)
	for _, c := range []*qa.Coverage{b.head, b.before} {
		if c != nil && c.Lines != nil {
			text += " " + c.Lines.Text()
		}
	}
	return text
}

// over reports whether the baseline is complete and may be read.
func (b *baseline) over() bool {
	select {
	case <-b.done:
		return true
	default:
		return false
	}
}

func (b *baseline) measure(ctx context.Context, r *run) error {
	ws, err := r.place.open(ctx)
	if err != nil {
		b.rows = append(b.rows, qa.TargetRow{Name: r.Config.WorkingDirectory, Dir: r.Config.WorkingDirectory, State: "inconclusive", Reason: err.Error()})
		return err
	}
	name, why := ws.Driver()
	b.driver, b.levels = name+": "+why, ws.Levels()
	if err := b.detect(machine(ctx, ws), ws.Dir(), r.Config); err != nil {
		return err
	}
	for _, t := range b.targets {
		run, err := r.measure(t, r.measureInputs(t), func() (executor.Baseline, error) {
			fmt.Fprintf(r.Progress, "baseline: running the tests of %s with %s\n", t.Name, t.Framework.Framework)
			o := executor.BaselineOptions{
				Keep:    r.session.Place("results", "baseline", safeName(t.Name)),
				Timeout: r.Config.TaskTimeout, Reruns: 3, CompareFor: r.onceMore(), Left: r.leftForBaseline, Live: r.Live, Known: r.past.Flaky,
				Root: r.Root, OnceMore: r.onceMore(),
			}
			if r.noCode() && !r.touches(b.read) { // one run tells: nothing that could be covered changed
				o.Plain, o.CompareFor = true, 0
			}
			base, known := r.past.StandsFor(t.Name, r.Change.Base)
			if known {
				o.CompareFor = 0 // only what fails runs on base
			}
			b, err := executor.Measure(ctx, r.place.sides(ws), t, o)
			if err == nil && known {
				past.CompareWith(&b, base)
			}
			return b, err
		})
		r.place.restore(ctx)
		r.past.SetAside(run.Tests.Failing)
		b.runs = append(b.runs, run)
		if err != nil {
			row := targetRow(run)
			row.State, row.Reason = "inconclusive", err.Error()
			if ctx.Err() != nil {
				row.Reason = "its tests did not end: " + context.Cause(ctx).Error()
			}
			b.rows = append(b.rows, row)
			return err
		}
	}
	if err := b.commandChanged(ctx, r, ws); err != nil {
		return err
	}
	if err := b.runnerChanged(ctx, r, ws); err != nil {
		return err
	}
	b.settle(r, ws.Unfit())
	return nil
}

// ambiguous finds the names that tests of several targets, or several of one,
// have come to share, and lets no history of them excuse a failure.
func (b *baseline) ambiguous() {
	named := map[string]int{}
	for _, c := range b.cases() {
		named[c.ID()]++
	}
	for i := range b.runs {
		b.runs[i].Ambiguous(func(id string) bool { return named[id] > 1 })
	}
}

// settle says, when all targets have run, what that is worth, and puts together
// what they measured. unfit says why the installed packages are not those that
// the change asks for.
func (b *baseline) settle(r *run, unfit string) {
	b.ambiguous()
	b.completeness(r)
	for _, n := range b.broken { // one that the change broke may have had tests
		if r.touches([]string{n.What}) {
			b.unread(n, path.Dir(n.What))
		}
	}
	for i := range b.runs {
		if h := &b.runs[i].Head; unfit != "" && h.Inconclusive == "" {
			h.Inconclusive = "the installed dependencies are not those of the change: " + unfit
		}
		b.rows = append(b.rows, targetRow(b.runs[i]))
	}
	if len(b.runs) > 0 {
		b.combine(r)
	}
}

func targetRow(b executor.Baseline) qa.TargetRow {
	row := qa.TargetRow{
		Name: b.Target.Name, Dir: b.Target.Dir, Framework: b.Target.Framework.Framework, Version: b.Target.Framework.Version,
		Command: b.Target.Framework.CommandLine(), Tests: b.Tests.Head, State: "ran",
	}
	if b.Head.Coverage != nil {
		row.Lines = b.Head.Coverage.Lines
	}
	if row.ExitOnly = b.Head.ExitOnly; row.ExitOnly {
		row.Reason = b.Target.Framework.Hint
	}
	if b.Added {
		row.Reason = strings.TrimSuffix(b.BaseReason+"; "+row.Reason, "; ")
	}
	switch {
	case b.Unavailable != "":
		row.State, row.Reason, row.Tail = "unavailable", "starts neither here nor on base: "+b.Unavailable, b.Head.Tail
	case b.Head.Inconclusive != "":
		row.State, row.Reason, row.Tail = "inconclusive", b.Head.Inconclusive, b.Head.Tail
	}
	return row
}

// cases are all cases of all targets.
func (b *baseline) cases() []qa.Case {
	var out []qa.Case
	for _, run := range b.runs {
		out = append(out, run.Tests.Cases...)
	}
	return out
}

// tests joins the targets' tests.
func (b *baseline) tests() qa.Tests {
	var out qa.Tests
	all := true
	for _, run := range b.runs {
		t := run.Tests
		out.Head = plus(out.Head, t.Head)
		out.Seconds += t.Seconds
		out.Cases = append(out.Cases, t.Cases...)
		out.Failing = append(out.Failing, t.Failing...)
		out.Problems = append(out.Problems, t.Problems...)
		out.Removed = append(out.Removed, t.Removed...)
		out.Added = append(out.Added, t.Added...)
		out.NewlySkipped = append(out.NewlySkipped, t.NewlySkipped...)
		if t.Base == nil {
			all = false
			continue
		}
		if out.Base == nil {
			out.Base = &qa.Tally{}
		}
		sum := plus(*out.Base, *t.Base)
		out.Base = &sum
	}
	if !all {
		out.Base = nil
	}
	out.Groups, out.Unneeded = quality.Groups(out.Failing), b.unneeded
	return out
}

func plus(a, b qa.Tally) qa.Tally {
	return qa.Tally{Tests: a.Tests + b.Tests, Passed: a.Passed + b.Passed, Failed: a.Failed + b.Failed, Errors: a.Errors + b.Errors, Skipped: a.Skipped + b.Skipped, Flaky: a.Flaky + b.Flaky}
}

// testFiles are the repository's test files, as the cases name them.
func (b *baseline) testFiles() []string {
	var out []string
	for _, c := range b.cases() {
		if c.File != "" && !slices.Contains(out, c.File) {
			out = append(out, c.File)
		}
	}
	slices.Sort(out)
	return out
}
