// Package layers measures the layers of tests that the strategist selected: how
// many tests of one passed, and what they cover. Start at [Meter.Measure].
package layers

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/budget"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/notes"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/session"
)

// Meter measures layers.
type Meter struct {
	checkout.Checkout
	Config  *config.Config
	Session *session.Session
	Copies  *copies.Copies
	Time    budget.Time
	Notes   *notes.Log
	Live    io.Writer // gets the output of test commands, may be nil
}

// Unmeasured is a layer before anything is known of it.
func Unmeasured(p qa.LayerPlan) qa.LayerResult {
	return qa.LayerResult{Layer: p.Layer, Name: p.Layer.Name(), Target: p.Target, State: "unknown", Iterations: 1}
}

// Measure measures a layer of the project's own tests.
func (m Meter) Measure(ctx context.Context, p qa.LayerPlan, b *baseline.Baseline) (qa.LayerResult, error) {
	l := Unmeasured(p)
	var err error
	switch {
	case l.Layer == qa.L3:
		err = m.endToEnd(ctx, &l)
	case b.Tests().Head.Executed() == 0:
		l.Reason = "no test was executed"
	case len(executor.Of(l.Layer, b.Cases())) == 0:
		l.Reason = "the repository has no " + l.Layer.Name() + " tests"
	case executor.Whole(l.Layer, b.Cases()):
		Whole(&l, b, m.Config)
	default:
		err = m.part(ctx, &l, b)
	}
	return l, err
}

// Cover enters what a layer's tests cover of the change.
func Cover(l *qa.LayerResult, heads []*qa.Coverage, change qa.Change, c *config.Config) {
	joined := coverage.Merge(heads...)
	l.Lines = joined.Lines
	p := coverage.Patch(joined, change.Files, coverage.PatchOptions{Exclude: c.Exclude})
	patched(l, &p, c)
}

// patched enters what is covered of the changed lines.
func patched(l *qa.LayerResult, p *qa.PatchCoverage, c *config.Config) {
	if p.Lines.Total > 0 {
		lines := p.Lines
		l.Patch, l.Parts = &lines, qa.Parts(p.Files, c.Goals(l.Layer), l.Target)
	}
}

// Text sums a layer up.
func Text(l qa.LayerResult) string {
	if l.State != "measured" {
		return l.Reason
	}
	text := fmt.Sprintf("%d of %d tests passed", l.Tally.Passed+l.Tally.Flaky, l.Tally.Executed())
	if l.Patch != nil && l.Patch.Total > 0 {
		text += "; patch coverage " + l.Patch.Text()
	}
	return text
}

// ownTests takes the layer's numbers of tests from the baseline, which ran them
// all, and false when none of them was executed.
func ownTests(l *qa.LayerResult, b *baseline.Baseline) bool {
	all := b.Tests()
	own := qa.Tests{Head: qa.Suite{Cases: executor.Of(l.Layer, all.Cases)}.Tally(), Failing: all.Failing}
	if !executor.Whole(l.Layer, all.Cases) {
		own.Failing = slices.DeleteFunc(slices.Clone(all.Failing), func(f qa.FailingTest) bool { return executor.LayerOf(f.Case) != l.Layer })
	}
	if own.Head.Executed() == 0 {
		l.State, l.Reason = "unknown", "no test was executed"
		return false
	}
	l.State, l.Tally, l.PassRate, l.NewFailures = "measured", &own.Head, own.Head.PassRate(), quality.NewFailures(own)
	return true
}

// Whole takes the baseline for a layer whose tests are all that ran.
func Whole(l *qa.LayerResult, b *baseline.Baseline, c *config.Config) {
	if !ownTests(l, b) {
		return
	}
	if b.Coverage.Head == nil {
		l.Reason = b.Coverage.Reason
		return
	}
	l.Lines = b.Coverage.Head.Lines
	if b.Coverage.Base != nil {
		l.BaseLines = b.Coverage.Base.Lines
	}
	patched(l, b.Coverage.Patch, c)
}
