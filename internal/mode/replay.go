package mode

import (
	"context"

	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/scan"
)

// replay gives every task of the table its outcome: joined from the shards
// where it measured or wrote something, worked out anew where it decided.
func (r *run) replay(ctx context.Context, shards []*shard) error {
	r.sumModel(shards)
	_, waves, err := Plan(r.mode, r.depth, r.Config.E2eCommand != "")
	if err != nil {
		return err
	}
	for _, id := range r.order {
		row := r.rows[id]
		o := pipeline.Outcome[result]{ID: id, Wave: waves[id], State: pipeline.Completed, Start: r.started, End: r.started}
		switch {
		case row.Role == Scout && !row.Regression:
			o.Value = r.sameScan(id, shards)
		case row.Role == Strategist:
			o.Value, err = r.plan(ctx)
		case row.Role == Generator:
			o.Value, err = proposed(row, shards)
		case row.Role == Executor:
			o.Value, err = r.sumLayer(row, shards)
		case row.Role == Analyst:
			o.Value, err = r.analyse(ctx)
		default:
			err = notRun(id, shards)
		}
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

// enterOutcome takes an outcome over as the scheduler would; no further task
// follows from it.
func (r *run) enterOutcome(o pipeline.Outcome[result], row Row) error {
	r.outcomes[o.ID] = o
	v := o.Value
	if v.Scan != nil {
		r.scan = v.Scan
	}
	if v.Strategy != nil {
		r.strategy, r.gaps = v.Strategy, v.Gaps
	}
	if v.Layer != nil {
		r.layers[v.Layer.Layer] = *v.Layer
	}
	if v.Mutation != nil {
		parts := []*mutation.Set{v.Mutation}
		if r.mutation != nil {
			parts = []*mutation.Set{r.mutation, v.Mutation}
		}
		r.mutation = mutation.Join(parts...)
		r.mutants = r.mutation.Mutants
	}
	if v.Trial != nil {
		r.take(*v.Trial)
		r.tried = append(r.tried, *v.Trial)
	}
	if v.Layer != nil {
		if err := r.keepRound(row.Layer, v.Layer); err != nil {
			return err
		}
	}
	if err := r.session.BeginWave(o.Wave, []string{o.ID}); err != nil {
		return err
	}
	if err := r.record(o, row); err != nil {
		return err
	}
	return r.session.EndWave(o.Wave)
}

// notRun says why a task is not part of a merge, in the words of the shards.
func notRun(id string, shards []*shard) error {
	for _, s := range shards {
		for _, t := range s.report.Manifest.Tasks {
			if t.ID == id && t.Status == string(pipeline.Skipped) {
				return pipeline.Skip(t.Detail)
			}
		}
	}
	return pipeline.Skip("done by the shards")
}

func (r *run) sameScan(id string, shards []*shard) result {
	var parts []scan.Result
	for _, s := range shards {
		if v := s.results[id].Scan; v != nil {
			parts = append(parts, *v)
		}
	}
	joined := joinScans(r, parts)
	return result{Scan: &joined, Findings: scanText(joined)}
}
