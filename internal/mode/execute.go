package mode

import (
	"context"
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
)

// selected says whether the strategist wants a layer; the error is a skip.
func (r *run) selected(row Row) (qa.LayerPlan, error) {
	if r.strategy == nil {
		return qa.LayerPlan{}, pipeline.Skip("there is no strategy")
	}
	p, ok := r.strategy.Layer(row.Layer)
	if !ok || !p.Selected {
		return p, pipeline.Skip("not selected: " + p.Rationale)
	}
	return p, nil
}

// generate writes tests for a layer.
func (r *run) generate(ctx context.Context, row Row) (result, error) {
	if _, err := r.selected(row); err != nil {
		return result{}, err
	}
	if r.Model == nil {
		return result{}, pipeline.Skip("no model configured")
	}
	candidates, err := r.writeTests(ctx, row, row.Round)
	if err != nil && len(candidates) == 0 {
		return result{}, err
	}
	if err != nil {
		r.notes.Model(fmt.Errorf("%s: %w", row.ID, err))
	}
	return result{Candidates: candidates, Findings: fmt.Sprintf("%d tests proposed", len(candidates))}, nil
}

// execute measures a layer. It changes files of the copies and measures what is
// in them, so that layers of one wave take turns, in the order of tasks.
func (r *run) execute(ctx context.Context, row Row) (result, error) {
	p, err := r.selected(row)
	if err != nil {
		return result{}, err
	}
	if err := r.waited(ctx); err != nil {
		return result{}, fmt.Errorf("no baseline: %w", err)
	}
	if err := r.turns.Wait(ctx, row.ID); err != nil {
		return result{}, err
	}
	l := qa.LayerResult{Layer: row.Layer, Name: row.Layer.Name(), Target: p.Target, State: "unknown", Iterations: 1}
	switch {
	case row.Layer == qa.L3:
		if err := r.endToEnd(ctx, &l); err != nil {
			return result{}, err
		}
	case r.own().Tests().Head.Executed() == 0:
		l.Reason = "no test was executed"
	case len(executor.Of(row.Layer, r.own().Cases())) == 0:
		l.Reason = "the repository has no " + row.Layer.Name() + " tests"
	case executor.Whole(row.Layer, r.own().Cases()):
		r.whole(&l)
	default:
		if err := r.part(ctx, &l); err != nil {
			return result{}, err
		}
	}
	out := result{}
	if last, ok := r.layers[row.Layer]; ok && row.Round > 0 {
		l = last // what earlier rounds kept still counts
		l.Below = false
	}
	if proposed := r.candidates[row.Layer.Name()+fmt.Sprint(row.Round)]; len(proposed) > 0 {
		if err := r.try(ctx, row, &l, proposed, &out); err != nil {
			return result{}, err
		}
	}
	l.Effective = l.State == "measured" && quality.Effective(l.PassRate, l.Iterations)
	out.Layer, out.Findings = &l, layerText(l)
	if out.Trial != nil {
		out.Findings += trialText(out.Trial)
	}
	return out, nil
}

// try puts proposed tests on trial.
func (r *run) try(ctx context.Context, row Row, l *qa.LayerResult, proposed []generator.Candidate, out *result) error {
	ws, err := r.copies.Open(ctx)
	if err != nil {
		return err
	}
	if err := r.lay(ws); err != nil {
		return err
	}
	if r.mutation == nil {
		if out.Mutation, err = r.mutate(ctx, ws); err != nil {
			return err
		}
		// For the next in turn; the scheduler sets the same again.
		r.mutation, r.mutants = out.Mutation, out.Mutation.Mutants
	}
	t, err := r.tryTests(ctx, ws, row, proposed)
	if err != nil {
		return err
	}
	out.Trial = &t
	r.mu.Lock()
	r.tried = append(r.tried, t)
	r.mu.Unlock()
	l.Iterations, l.Rounds = 1, row.Round
	for _, g := range t.Tests {
		l.Iterations = max(l.Iterations, g.Repairs+1)
	}
	if slices.ContainsFunc(t.Tests, func(g qa.GeneratedTest) bool { return g.Kept }) {
		return r.after(ctx, ws, l, row)
	}
	return nil
}

func trialText(t *trial) string {
	return fmt.Sprintf("; %d of %d proposed tests kept, %d proofs", t.kept(), len(t.Tests), len(t.Proofs))
}

func layerText(l qa.LayerResult) string {
	if l.State != "measured" {
		return l.Reason
	}
	text := fmt.Sprintf("%d of %d tests passed", l.Tally.Passed+l.Tally.Flaky, l.Tally.Executed())
	if l.Patch != nil && l.Patch.Total > 0 {
		text += "; patch coverage " + l.Patch.Text()
	}
	return text
}

// whole takes the baseline for a layer whose tests are all that ran.
func (r *run) whole(l *qa.LayerResult) {
	if !r.ownTests(l) {
		return
	}
	if r.own().Coverage.Head == nil {
		l.Reason = r.own().Coverage.Reason
		return
	}
	l.Lines = r.own().Coverage.Head.Lines
	if r.own().Coverage.Base != nil {
		l.BaseLines = r.own().Coverage.Base.Lines
	}
	if r.own().Coverage.Patch.Lines.Total > 0 {
		lines := r.own().Coverage.Patch.Lines
		l.Patch = &lines
	}
}
