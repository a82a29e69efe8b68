package mode

import (
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/session"
)

// rounds decides about another round of the generator-critic loop after an
// executor task. Rounds must be left, and either the layer is below its target
// and the last round kept a test, or mutants of the change live on and the last
// round killed one: what gains nothing is not repeated.
func (r *run) rounds(o pipeline.Outcome[result], row Row) (pipeline.Addition[result], error) {
	var none pipeline.Addition[result]
	l := o.Value.Layer
	if r.Model == nil || row.Role != Executor || l == nil || o.State != pipeline.Completed || !r.answered(row) {
		return none, nil
	}
	// A model that proposes nothing is no better than one whose tests were dropped.
	tried := trial{}
	if o.Value.Trial != nil {
		tried = *o.Value.Trial
	}
	done := r.session.Rounds().Rounds[string(row.Layer)]
	if err := r.session.Round(session.Round{Layer: string(row.Layer), Round: row.Round, Coverage: percent(l.Patch), PassRate: l.PassRate}); err != nil {
		return none, err
	}
	below := l.Patch != nil && !l.Patch.Reaches(l.Target)
	gained := slices.ContainsFunc(tried.Tests, func(t qa.GeneratedTest) bool { return t.Kept })
	sharpened := gained && len(tried.Killed) > 0 && r.livingMutants() > 0
	again := (below && gained || sharpened) && row.Round < r.Config.MaxRounds && r.tokens.Round()
	if below && !again {
		l.Below, l.Rounds = true, max(done, row.Round)
		r.layers[row.Layer] = *l
	}
	if !again {
		return none, nil
	}
	n := row.Round + 1
	gen, run := Fix(row.Layer, n)
	rows := []Row{
		{ID: gen, Title: fmt.Sprintf("Extend %s tests, round %d", row.Layer.Name(), n), Role: Generator, Layer: row.Layer, After: []string{o.ID}, Round: n},
		{ID: run, Title: fmt.Sprintf("Run %s tests, round %d", row.Layer.Name(), n), Role: Executor, Layer: row.Layer, After: []string{gen}, Round: n},
	}
	var add pipeline.Addition[result]
	var table []session.Task
	for _, row := range rows {
		r.rows[row.ID] = row
		r.order = append(r.order, row.ID)
		table = append(table, r.sessionTask(row))
		add.Tasks = append(add.Tasks, r.task(row))
	}
	add.Before = []string{"QAANA-001"}
	if err := r.session.Add(table, add.Before...); err != nil {
		return none, err
	}
	r.notes.Note(r.session.Post(session.Message{From: "coordinator", Type: "gc_loop_trigger", Ref: gen,
		Summary: fmt.Sprintf("%s is at %s, target %g %%, %d mutants live: round %d of %d", row.Layer, patchText(l), l.Target, r.livingMutants(), n, r.Config.MaxRounds)}))
	return add, nil
}

// answered reports whether the model was asked for the tests of an executor
// task, and answered.
func (r *run) answered(row Row) bool {
	for id, asked := range r.rows {
		if asked.Role == Generator && asked.Layer == row.Layer && asked.Round == row.Round && r.outcomes[id].State == pipeline.Completed {
			return true
		}
	}
	return false
}

// livingMutants counts the mutants of functions in focus that no test notices.
func (r *run) livingMutants() int {
	n := 0
	if r.strategy != nil {
		for _, f := range r.strategy.Focus {
			n += len(r.living(f))
		}
	}
	return n
}

func patchText(l *qa.LayerResult) string {
	if l.Patch == nil {
		return "unknown coverage"
	}
	return l.Patch.Text()
}

func percent(c *qa.Count) *float64 {
	if c == nil {
		return nil
	}
	rate, ok := c.Rate()
	if !ok {
		return nil
	}
	rate *= 100
	return &rate
}

// take brings a trial into the run's state.
func (r *run) take(t trial) {
	r.generated = append(r.generated, t.Tests...)
	r.proofs = append(r.proofs, t.Proofs...)
	for path, content := range t.Files {
		r.written[path] = content
	}
	for path, lines := range t.Gained {
		r.gained[path] = append(r.gained[path], lines...)
	}
	for _, id := range t.Killed {
		r.killed[id] = true
	}
}
