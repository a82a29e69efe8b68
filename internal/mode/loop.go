package mode

import (
	"cmp"
	"fmt"

	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/task"
	"github.com/org/qa-action/internal/trials"
)

// rounds decides about another round of the generator-critic loop after an
// executor task. Rounds must be left, the layer below its target or mutants of the
// change alive, and the last round must have been good for something: it kept a
// test, killed a mutant, or dropped tests for a reason that the next round can be
// told. What gains nothing and teaches nothing is not repeated.
func (r *run) rounds(o task.Outcome, row task.Row) (pipeline.Addition[task.Result], error) {
	var none pipeline.Addition[task.Result]
	l := o.Value.Layer
	if r.Model == nil || row.Role != task.Executor || l == nil || o.State != pipeline.Completed || !r.state.Answered(row) {
		return none, nil
	}
	// A model that proposes nothing is no better than one whose tests were dropped.
	tried := cmp.Or(o.Value.Trial, &trials.Trial{})
	done := r.session.Loop.Rounds().Rounds[string(row.Layer)]
	if err := r.session.Loop.Record(session.Round{Layer: string(row.Layer), Round: row.Round, Coverage: l.Patch.Percentage(), PassRate: l.PassRate}); err != nil {
		return none, err
	}
	living := r.roles.known(*r.state, r.base.Join()).Open()
	below := l.Patch != nil && !l.Reached()
	gained := tried.Kept() > 0
	sharpened := gained && len(tried.Killed) > 0 && living > 0
	learnt := !gained && (below || living > 0) && tried.Learnt(r.state.Tried(row))
	again := (below && gained || sharpened || learnt) && row.Round < r.Config.MaxRounds && r.roles.tokens.Round()
	if below && !again {
		l.Below, l.Rounds = true, max(done, row.Round)
		r.state.Layers[row.Layer] = *l
	}
	if !again {
		return none, nil
	}
	return r.another(o.ID, row, fmt.Sprintf("%s is at %s, target %g %%, %d mutants live", row.Layer, patchText(l), l.Target, living))
}

// another adds the tasks of one more round after a task.
func (r *run) another(after string, row task.Row, why string) (pipeline.Addition[task.Result], error) {
	n := row.Round + 1
	gen, run := task.Fix(row.Layer, n)
	rows := []task.Row{
		{ID: gen, Title: fmt.Sprintf("Extend %s tests, round %d", row.Layer.Name(), n), Role: task.Generator, Layer: row.Layer, After: []string{after}, Round: n},
		{ID: run, Title: fmt.Sprintf("Run %s tests, round %d", row.Layer.Name(), n), Role: task.Executor, Layer: row.Layer, After: []string{gen}, Round: n},
	}
	r.state.Rows = append(r.state.Rows, rows...)
	add := pipeline.Addition[task.Result]{Tasks: r.tasks(rows), Before: []string{task.Score}}
	if err := r.session.Add(r.table(rows), add.Before...); err != nil {
		return pipeline.Addition[task.Result]{}, err
	}
	r.notes.Note(r.session.Messages.Post(session.Message{From: "coordinator", Type: "gc_loop_trigger", Ref: gen,
		Summary: fmt.Sprintf("%s: round %d of %d", why, n, r.Config.MaxRounds)}))
	return add, nil
}

func patchText(l *qa.LayerResult) string {
	if l.Patch == nil {
		return "unknown coverage"
	}
	return l.Patch.Text()
}
