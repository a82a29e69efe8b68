package mode

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/session"
)

// ownTests takes the layer's numbers of tests from the baseline, which ran them
// all, and false when none of them was executed.
func (r *run) ownTests(l *qa.LayerResult) bool {
	all := r.own().Tests()
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

// part measures what the tests of one layer cover. Only of a target where tests
// of other layers ran as well the layer's are run once more: its coverage report
// does not tell them apart.
func (r *run) part(ctx context.Context, l *qa.LayerResult) error {
	if !r.ownTests(l) {
		return nil
	}
	var heads []*qa.Coverage
	for _, b := range r.own().Runs {
		covered, reason := b.Head.Coverage, b.Head.CoverageReason
		switch own := executor.Of(l.Layer, b.Tests.Cases); {
		case !executor.Executed(own):
			continue
		case executor.Whole(l.Layer, b.Tests.Cases):
		case !r.time.Affords(b.Head.Seconds):
			// What all tests cover is the most that these can cover.
			l.Reason = strings.TrimPrefix(fmt.Sprintf("%s: coverage counts tests of other layers, too: to run these apart takes up to %.0f s; raise timeout", b.Target.Name, b.Head.Seconds), ".: ")
			r.notes.Cut("time: %s, %s", l.Layer, l.Reason)
		default:
			run, err := r.again(ctx, b.Target, l.Layer, own)
			if err != nil {
				return err
			}
			covered, reason = run.Coverage, cmp.Or(run.Inconclusive, run.CoverageReason)
		}
		if covered == nil {
			l.Reason = strings.TrimPrefix(b.Target.Name+": coverage of the layer is unknown: "+reason, ".: ")
			continue
		}
		heads = append(heads, covered)
		r.file("results/run-"+string(l.Layer)+"/"+session.Segment(b.Target.Name)+"/measured.json", baseline.CountersOf(covered))
	}
	if len(heads) == 0 {
		return nil
	}
	joined := coverage.Merge(heads...)
	l.Lines = joined.Lines
	if p := coverage.Patch(joined, r.Change.Files, coverage.PatchOptions{Exclude: r.Config.Exclude}); p.Lines.Total > 0 {
		l.Patch = &p.Lines
	}
	return nil
}

// again runs one layer's tests of a target.
func (r *run) again(ctx context.Context, t executor.Target, layer qa.Layer, cases []qa.Case) (executor.Run, error) {
	ws, err := r.copies.Open(ctx)
	if err != nil {
		return executor.Run{}, err
	}
	return executor.Suite(ctx, ws, t, executor.Options{
		Name: "layer-" + string(layer), Keep: r.session.Place("results", "run-"+string(layer), session.Segment(t.Name)),
		Coverage: true, Tests: executor.Files(cases), Timeout: r.Config.TaskTimeout, Live: r.Live,
	})
}

// endToEnd runs the configured end-to-end command; its exit code is its only
// report, so it counts as one test and measures no coverage.
func (r *run) endToEnd(ctx context.Context, l *qa.LayerResult) error {
	ws, err := r.copies.Open(ctx)
	if err != nil {
		return err
	}
	res, err := ws.Run(ctx, runtime.Command{Argv: shell(r.Config.E2eCommand), Dir: r.Config.WorkingDirectory, Timeout: r.Config.TaskTimeout, Live: r.Live})
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		l.Reason = fmt.Sprintf("the end-to-end command could not be started: %v", err)
		return nil
	}
	if res.TimedOut {
		l.Reason = "the end-to-end command did not end within its time"
		return nil
	}
	t := qa.Tally{Tests: 1, Passed: 1}
	if res.ExitCode != 0 {
		t = qa.Tally{Tests: 1, Failed: 1}
	}
	l.State, l.Tally, l.PassRate = "measured", &t, t.PassRate()
	return nil
}
