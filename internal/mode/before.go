package mode

import (
	"context"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/task"
	"github.com/org/qa-action/internal/trials"
)

// This file has what is tried before a model is asked for tests: tests of the last push,
// tests that the change weakened, and the mutants of the change.

// rewritten makes findings of tests that the change wrote anew and that notice less. Mutants
// are tried where there is a model, whose part takes longer.
func (w roles) rewritten(ctx context.Context, b *baseline.Baseline, out *task.Result) []trials.Weak {
	shown, err := w.trials.Rewritten(ctx, b, w.client != nil)
	if err != nil {
		w.notes.Warn("tests that the change wrote anew were not all run as they were on base: %v", err)
	}
	if len(shown) == 0 {
		return nil
	}
	found, err := w.scout.Rewritten(ctx, each.Of(shown, func(s trials.Rewritten) qa.Weakening { return s.Weakening }))
	if err != nil {
		w.notes.Warn("tests that the change wrote anew and that notice less are not told: %v", err)
		return nil
	}
	var weak []trials.Weak
	for _, f := range found.Findings {
		if s, ok := each.First(shown, func(s trials.Rewritten) bool { return s.Path == f.Path && s.Lines == f.Lines }); ok {
			s.Finding = f.Fingerprint
			weak = append(weak, s.Weak)
		}
	}
	joined := scout.Join(w.MinSeverity, out.Gaps, &found)
	out.Gaps = &joined
	return weak
}

// weakened tries tests that the change weakened as they were on base, and finds the
// mutants that they do not notice any more. A run that cannot goes on without.
func (w roles) weakened(ctx context.Context, findings []qa.Finding, b *baseline.Baseline, out *task.Result) {
	weak, err := w.trials.Weakened(ctx, findings, b)
	if err != nil {
		w.notes.Warn("tests that the change weakened were not run as they were on base: %v", err)
	}
	weak = append(weak, w.rewritten(ctx, b, out)...)
	if len(weak) == 0 {
		return
	}
	t := trials.New()
	t.Weak = weak
	if out.Trial != nil {
		t.Join(*out.Trial)
	}
	out.Trial = &t
}

// again tries the tests that proved regressions when the branch was looked at last,
// before a model is asked for any: what they show costs nothing. A run that cannot try
// them goes on without.
func (w roles) again(ctx context.Context, s task.State, b *baseline.Baseline, out *task.Result) {
	if len(w.evidence.Tests) == 0 {
		return
	}
	set, err := w.trials.Prepare(ctx, b)
	if err == nil {
		out.Mutation = set
		remembered := w.evidence
		remembered.Findings = s.Found(w.MinSeverity, out.Gaps)
		var t trials.Trial
		if t, err = w.trials.Again(ctx, task.Strategy, remembered, b); err == nil && len(t.Tests) > 0 {
			w.trials.Results.Add(t)
			out.Trial = &t
		}
	}
	if err != nil {
		w.notes.Warn("tests that proved regressions before were not run again: %v", err)
	}
}

// mutants tries those of the change before a model is asked for tests, which can aim at
// what lives then, and are not asked for where nothing does. What keeps them from being
// tried now is told when the first test is on trial, and for a model that answered nothing
// of the scan nobody waits for them.
func (w roles) mutants(ctx context.Context, b *baseline.Baseline, out *task.Result) {
	if w.client == nil || w.client.Silent() || out.Mutation != nil {
		return
	}
	if set, err := w.trials.Prepare(ctx, b); err == nil {
		out.Mutation = set
	}
}
