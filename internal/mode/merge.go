package mode

import (
	"context"
	"errors"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/scout"
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
	m := merge{run: r, whole: shard.Whole{Checkout: r.Checkout, Config: r.Config, Version: r.Version, Kind: r.kind}}
	shards, err := m.whole.Read(dirs, expect)
	if err != nil {
		return nil, err
	}
	if err := r.open(" joined from " + shards.Identity()); err != nil {
		return r.unopened(err)
	}
	r.writer().AtCeiling(ctx)
	r.recall(ctx)
	nowhere := copies.None(errors.New("a merge runs nothing"))
	r.base = baseline.Over(baseline.Join(r.measuring(nowhere), shards.Parts()))
	r.roles, r.use = r.bind(nowhere), shards.Model
	m.shards, m.roles.evidence.Tests = shards, nil // who measured has tried them
	err = m.replay(ctx)
	report, measured := r.assembly().Report(err != nil || shards.Partial())
	report.Manifest.Seconds = shards.Seconds()
	res, err := r.leave(ctx, report, measured, err)
	return r.end(res, err, nil)
}

// merge is a run whose tasks were done by shards.
type merge struct {
	*run
	whole  shard.Whole
	shards shard.Shards
}

// replay gives every task of the table its outcome: joined from the shards
// where it measured or wrote something, worked out anew where it decided.
func (m merge) replay(ctx context.Context) error {
	_, waves, err := m.kind.Waves()
	if err != nil {
		return err
	}
	for _, row := range m.state.Rows {
		o := task.Outcome{ID: row.ID, Wave: waves[row.ID], State: pipeline.Completed, Start: m.time.Started, End: m.time.Started}
		o.Value, err = m.result(ctx, row)
		switch {
		case pipeline.IsSkip(err):
			o.State, o.Err = pipeline.Skipped, err
		case err != nil:
			o.State, o.Err = pipeline.Failed, err
		}
		if err := m.take(o, row); err != nil {
			return err
		}
	}
	return nil
}

// result is what a task of a merge found out.
func (m merge) result(ctx context.Context, row task.Row) (task.Result, error) {
	switch {
	case row.Role == task.Scout && !row.Regression:
		return m.shards.Scan(row.ID, m.Config.MinSeverity), nil
	case row.Role == task.Strategist:
		out, err := m.roles.plan(ctx, *m.state)
		out.Trial, out.Mutation = m.shards.Again(row)
		return out, err
	case row.Role == task.Generator:
		return m.shards.Proposed(row)
	case row.Role == task.Executor:
		p, err := m.state.Selected(row.Layer)
		if err != nil {
			return task.Result{}, err
		}
		return m.whole.Layer(row, p, m.base.Join(), m.shards), nil
	case row.Role == task.Analyst:
		return m.analyse(ctx, func(context.Context, []qa.Finding, []qa.GeneratedTest) scout.Readings { return m.shards.Read(row.ID) })
	}
	return task.Result{}, m.shards.NotRun(row.ID)
}

// take takes an outcome over as the scheduler would; no further task
// follows from it.
func (m merge) take(o task.Outcome, row task.Row) error {
	m.state.Apply(o)
	v := o.Value
	m.results.Mutated(mutation.Join(m.results.Mutants(), v.Mutation))
	if v.Trial != nil {
		m.results.Add(*v.Trial)
	}
	if v.Layer != nil {
		if err := m.keepRound(row.Layer, v.Layer); err != nil {
			return err
		}
	}
	if err := m.session.BeginWave(o.Wave, []string{o.ID}); err != nil {
		return err
	}
	if err := m.recorder().Record(o, row, m.base.Known()); err != nil {
		return err
	}
	return m.session.EndWave(o.Wave)
}

// keepRound remembers how far the loop of a layer came in the shards.
func (m merge) keepRound(layer qa.Layer, l *qa.LayerResult) error {
	for _, row := range m.state.Rows {
		if row.Role == task.Generator && row.Layer == layer && m.state.Outcomes[row.ID].State == pipeline.Completed {
			return m.session.Loop.Record(session.Round{Layer: string(layer), Round: l.Rounds, Coverage: l.Patch.Percentage(), PassRate: l.PassRate})
		}
	}
	return nil
}
