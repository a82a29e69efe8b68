package mode

import (
	"context"
	"errors"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/shard"
	"github.com/org/qa-action/internal/task"
)

// Merge joins finished sessions of one commit into a new one, as if one run had
// measured all of their targets: counters are added up, never percentages, and
// everything that follows from them is worked out again. d describes the whole
// run, in a checkout of that commit; dirs are sessions, or directories that
// hold some. expect is how many there must be, 0 for no expectation.
//
// The error lists everything that keeps the shards apart or is missing; then
// nothing was written.
func Merge(ctx context.Context, d Deps, dirs []string, expect int) (*Result, error) {
	// One that was killed is gone on with, so that its commit is not entered into
	// the history twice.
	d.Model, d.Resume = nil, &Unfinished{}
	r := newRun(d)
	whole := shard.Whole{Checkout: r.Checkout, Config: r.Config, Version: r.Version, Kind: r.kind}
	shards, err := whole.Read(dirs, expect)
	if err != nil {
		return nil, err
	}
	if err := r.open(" joined from " + shards.Identity()); err != nil {
		return r.unopened(err)
	}
	r.writer().Bequeath(ctx)
	r.recall(ctx)
	nowhere := copies.None(errors.New("a merge runs nothing"))
	r.base = baseline.Over(baseline.Join(r.measuring(nowhere), shards.Parts()))
	r.roles, r.use = r.bind(nowhere), shards.Model
	err = r.replay(ctx, whole, shards)
	report, measured := r.assembly().Report(err != nil || shards.Partial())
	report.Manifest.Seconds = shards.Seconds()
	res, err := r.leave(ctx, report, measured, err)
	return r.end(res, err, nil)
}

// replay gives every task of the table its outcome: joined from the shards
// where it measured or wrote something, worked out anew where it decided.
func (r *run) replay(ctx context.Context, whole shard.Whole, shards shard.Shards) error {
	_, waves, err := r.kind.Waves()
	if err != nil {
		return err
	}
	for _, row := range r.state.Rows {
		o := task.Outcome{ID: row.ID, Wave: waves[row.ID], State: pipeline.Completed, Start: r.time.Started, End: r.time.Started}
		o.Value, err = r.joined(ctx, row, whole, shards)
		switch {
		case pipeline.IsSkip(err):
			o.State, o.Err = pipeline.Skipped, err
		case err != nil:
			o.State, o.Err = pipeline.Failed, err
		}
		if err := r.enterOutcome(o, row); err != nil {
			return err
		}
	}
	return nil
}

// joined is what a task of a merge found out.
func (r *run) joined(ctx context.Context, row task.Row, whole shard.Whole, shards shard.Shards) (task.Result, error) {
	switch {
	case row.Role == task.Scout && !row.Regression:
		return shards.Scan(row.ID, r.Config.MinSeverity), nil
	case row.Role == task.Strategist:
		return r.roles.plan(ctx, *r.state)
	case row.Role == task.Generator:
		return shards.Proposed(row)
	case row.Role == task.Executor:
		p, err := r.state.Selected(row.Layer)
		if err != nil {
			return task.Result{}, err
		}
		return whole.Layer(row, p, r.base.Join(), shards), nil
	case row.Role == task.Analyst:
		return r.analyse(ctx)
	}
	return task.Result{}, shards.NotRun(row.ID)
}

// enterOutcome takes an outcome over as the scheduler would; no further task
// follows from it.
func (r *run) enterOutcome(o task.Outcome, row task.Row) error {
	r.state.Apply(o)
	v := o.Value
	if v.Mutation != nil {
		parts := []*mutation.Set{v.Mutation}
		if before := r.ledger.Mutants(); before != nil {
			parts = []*mutation.Set{before, v.Mutation}
		}
		r.ledger.Mutated(mutation.Join(parts...))
	}
	if v.Trial != nil {
		r.ledger.Add(*v.Trial)
	}
	if v.Layer != nil {
		if err := r.keepRound(row.Layer, v.Layer); err != nil {
			return err
		}
	}
	if err := r.session.BeginWave(o.Wave, []string{o.ID}); err != nil {
		return err
	}
	if err := r.recorder().Record(o, row, r.base.Known()); err != nil {
		return err
	}
	return r.session.EndWave(o.Wave)
}

// keepRound remembers how far the loop of a layer came in the shards.
func (r *run) keepRound(layer qa.Layer, l *qa.LayerResult) error {
	for _, row := range r.state.Rows {
		if row.Role == task.Generator && row.Layer == layer && r.state.Outcomes[row.ID].State == pipeline.Completed {
			return r.session.Round(session.Round{Layer: string(layer), Round: l.Rounds, Coverage: l.Patch.Percentage(), PassRate: l.PassRate})
		}
	}
	return nil
}
