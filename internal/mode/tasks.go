package mode

import (
	"context"
	"fmt"

	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/task"
)

// tasks binds rows of the table to their work. A task is given what earlier waves
// found out; nothing of it changes while the wave is under way.
func (r *run) tasks(rows []task.Row) []pipeline.Task[task.Result] {
	var out []pipeline.Task[task.Result]
	for _, row := range rows {
		t := pipeline.Task[task.Result]{ID: row.ID, Needs: row.Needs, After: row.After, Run: func(ctx context.Context) (task.Result, error) {
			return r.work(ctx, row, *r.state)
		}}
		switch row.Role {
		case task.Strategist:
			t.Timeout = r.Config.Timeout // it waits for the baseline, whose commands have limits of their own
		case task.Analyst:
			t.Always = true
		}
		out = append(out, t)
	}
	return out
}

// work does one task.
func (r *run) work(ctx context.Context, row task.Row, s task.State) (task.Result, error) {
	switch row.Role {
	case task.Scout:
		if row.Regression {
			return r.roles.rescan(ctx, s)
		}
		return r.roles.scan(ctx)
	case task.Strategist:
		return r.roles.plan(ctx, s)
	case task.Generator:
		return r.roles.generate(ctx, row, s)
	case task.Executor:
		return r.roles.execute(ctx, row, s)
	}
	return r.analyse(ctx, r.roles.read)
}

// runner connects the pipeline with the session: the scheduler's goroutine is
// the only one that writes.
func (r *run) runner() pipeline.Runner[task.Result] {
	return pipeline.Runner[task.Result]{
		Limits: pipeline.Limits{
			Concurrency: r.Config.Concurrency, Task: r.Config.TaskTimeout, Grace: grace,
			Budget: r.Config.Timeout, Closing: closing,
		},
		Reuse:       r.reuse,
		WaveStarted: r.session.BeginWave,
		Started: func(id string, wave int) {
			row := r.state.Row(id)
			fmt.Fprintf(r.Progress, "wave %d: %s %s\n", wave, id, row.Title)
			if row.Role == task.Executor {
				r.turns.Enter(id)
			}
			r.notes.Note(r.session.TaskStarted(id))
		},
		Finished: func(o task.Outcome) {
			r.turns.Leave(o.ID)
			r.notes.Note(r.session.TaskEnded(o.ID))
		},
		Apply:    r.apply,
		WaveDone: r.session.EndWave,
	}
}

// reuse offers what an interrupted run of the session kept of a task.
func (r *run) reuse(id string) (v task.Result, ok bool) {
	if !r.resumed { // nothing is kept, and inputs would wait for the baseline
		return v, false
	}
	ok = r.session.Kept(id, r.inputs(id), &v)
	if ok && v.Trial != nil {
		r.results.Add(*v.Trial)
	}
	return v, ok
}

// apply takes an outcome into the run's state and the session; it is called by
// the scheduler's goroutine, in the order of tasks.
func (r *run) apply(o task.Outcome) (pipeline.Addition[task.Result], error) {
	r.state.Apply(o)
	if o.Value.Mutation != nil {
		r.results.Mutated(o.Value.Mutation)
	}
	row := r.state.Row(o.ID)
	if err := r.recorder().Record(o, row, r.base.Known()); err != nil {
		return pipeline.Addition[task.Result]{}, err
	}
	return r.rounds(o, row)
}

// analyse closes the chain: what no test settled is read once more, and then there is
// the score of what is there.
func (r *run) analyse(ctx context.Context, read func(context.Context, []qa.Finding, []qa.GeneratedTest) scout.Readings) (task.Result, error) {
	r.recorder().Mutants(r.results.Mutants(), r.results.Killers(r.state.Kept.Killed))
	r.recorder().Evidence(r.results.Evidence())
	report, measured := r.assembly().Report(false)
	said := read(ctx, measured, report.Generated) // who reads looks at what was measured, not at head
	if len(said) > 0 {
		whole, known := r.assembly(), *r.state // which nobody but the scheduler changes
		known.Read = said
		whole.State = &known
		report, _ = whole.Report(false)
	}
	text := fmt.Sprintf("%s, score unknown", report.Result)
	if v := report.Score.Value; v != nil {
		text = fmt.Sprintf("%s, score %d: %s", report.Result, *v, quality.Band(report))
	}
	return task.Result{Score: report.Score.Value, Findings: text, Read: said, Advice: r.roles.advise(ctx, report, r.state.Kept.Gained)}, nil
}
