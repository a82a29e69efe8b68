package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/org/qa-action/internal/each"
)

// Runner runs tasks. All functions but Limits may be nil; they are called by
// the goroutine that called Run, one at a time. An error of one of them means
// that the run cannot be recorded any more: no further task is started.
type Runner[R any] struct {
	Limits Limits
	// Reuse offers the result of an earlier run for a task whose dependencies
	// are over; false makes the task run.
	Reuse func(id string) (R, bool)
	// WaveStarted is called before the first task of a wave starts.
	WaveStarted func(wave int, ids []string) error
	// Started and Finished are called as it happens, in the order of time.
	Started  func(id string, wave int)
	Finished func(Outcome[R])
	// Apply is called for every outcome once its wave is over, in the order of
	// tasks, never in the order of time.
	Apply func(Outcome[R]) (Addition[R], error)
	// WaveDone is called after the last outcome of a wave was applied.
	WaveDone func(wave int) error
}

// Run validates and runs the tasks. It returns one outcome per task, added
// ones included, in the order of tasks; the error is a [PlanError], an error of
// the runner's functions, or the cause of ctx's end. Outcomes are returned
// along with any error but the first.
func (r Runner[R]) Run(ctx context.Context, tasks []Task[R]) ([]Outcome[R], error) {
	if _, err := Waves(tasks); err != nil {
		return nil, err
	}
	p := progress[R]{Runner: r, parent: ctx, tasks: slices.Clone(tasks), outcomes: map[string]Outcome[R]{}}
	budget := ctx
	if r.Limits.Budget > 0 {
		var cancel context.CancelFunc
		budget, cancel = context.WithTimeoutCause(ctx, r.Limits.Budget, ErrBudget)
		defer cancel()
	}
	p.budget = budget
	var err error
	for wave := 1; err == nil; wave++ {
		ready := p.ready()
		if len(ready) == 0 {
			break
		}
		err = p.wave(wave, ready)
	}
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return p.all(), err
}

// progress is a run under way.
type progress[R any] struct {
	Runner[R]
	parent, budget context.Context
	tasks          []Task[R]
	outcomes       map[string]Outcome[R]
}

// ready lists the tasks of the next wave. Of a cancelled run only Always tasks
// are left, and they wait for each other alone.
func (p *progress[R]) ready() []Task[R] {
	cancelled := p.parent.Err() != nil
	over := make(map[string]bool, len(p.tasks))
	for _, t := range p.tasks {
		_, done := p.outcomes[t.ID]
		over[t.ID] = done || cancelled && !t.Always
	}
	return each.Where(p.tasks, func(t Task[R]) bool { return !over[t.ID] && blockedBy(t, over) == "" })
}

// wave runs tasks, at most Concurrency at once, and applies their outcomes.
func (p *progress[R]) wave(wave int, tasks []Task[R]) error {
	ids := each.Of(tasks, Task[R].id)
	if p.WaveStarted != nil {
		if err := p.WaveStarted(wave, ids); err != nil {
			return fmt.Errorf("begin wave %d: %w", wave, err)
		}
	}
	slots := make([]*Outcome[R], len(tasks))
	type finished struct {
		slot    int
		outcome Outcome[R]
	}
	results := make(chan finished, len(tasks))
	limit, running, next := max(p.Limits.Concurrency, 1), 0, 0
	for next < len(tasks) || running > 0 {
		for next < len(tasks) && running < limit {
			slot, task := next, tasks[next]
			next++
			outcome := Outcome[R]{ID: task.ID, Wave: wave, Start: time.Now()}
			if p.settled(task, &outcome) {
				if outcome.State != Pending {
					slots[slot] = &outcome
				}
				continue
			}
			if p.Started != nil {
				p.Started(task.ID, wave)
			}
			running++
			go func() { results <- finished{slot, p.execute(task, outcome)} }()
		}
		if running == 0 {
			continue
		}
		f := <-results
		running--
		slots[f.slot] = &f.outcome
		if p.Finished != nil {
			p.Finished(f.outcome)
		}
	}
	return p.apply(wave, slots)
}

// settled decides about tasks that are not to be started.
func (p *progress[R]) settled(t Task[R], o *Outcome[R]) bool {
	o.End = o.Start
	if err := p.unmet(t); err != nil && p.parent.Err() == nil {
		o.State, o.Err = Skipped, err
		return true
	}
	if p.Reuse != nil {
		if value, ok := p.Reuse(t.ID); ok {
			o.State, o.Value, o.Reused = Completed, value, true
			return true
		}
	}
	if t.Always {
		return false
	}
	if p.parent.Err() != nil {
		o.State = Pending
		return true
	}
	if p.budget.Err() != nil {
		o.State, o.Err = Skipped, context.Cause(p.budget)
		return true
	}
	return false
}

// unmet names the first needed task that is not completed.
func (p *progress[R]) unmet(t Task[R]) error {
	for _, id := range t.Needs {
		if dep := p.outcomes[id]; dep.State != Completed {
			return fmt.Errorf("needs %s, which %s", id, stateWords[dep.State])
		}
	}
	return nil
}

var stateWords = map[State]string{
	Failed: "failed", Skipped: "was skipped", Interrupted: "was interrupted", Pending: "did not run", "": "did not run",
}

// apply hands the outcomes over in the order of tasks, then adds tasks.
func (p *progress[R]) apply(wave int, slots []*Outcome[R]) error {
	var additions []Addition[R]
	var failures []error
	for _, o := range slots {
		if o == nil {
			continue
		}
		p.outcomes[o.ID] = *o
		if p.Apply == nil {
			continue
		}
		addition, err := p.Apply(*o)
		if err != nil {
			// The others of the wave are over, too: their results are kept.
			failures = append(failures, fmt.Errorf("apply result of %s: %w", o.ID, err))
		}
		additions = append(additions, addition)
	}
	for _, a := range additions {
		if err := p.add(a); err != nil {
			failures = append(failures, err)
		}
	}
	if p.WaveDone != nil {
		if err := p.WaveDone(wave); err != nil {
			failures = append(failures, fmt.Errorf("end wave %d: %w", wave, err))
		}
	}
	return errors.Join(failures...)
}

// add puts tasks in front of the first of those that shall wait for them.
func (p *progress[R]) add(a Addition[R]) error {
	if len(a.Tasks) == 0 {
		return nil
	}
	ids := each.Of(a.Tasks, Task[R].id)
	tasks, at := slices.Clone(p.tasks), len(p.tasks)
	for _, before := range a.Before {
		i := slices.IndexFunc(tasks, func(t Task[R]) bool { return t.ID == before })
		if i < 0 {
			return fmt.Errorf("add tasks %v before %s: no such task", ids, before)
		}
		if _, over := p.outcomes[before]; over {
			return fmt.Errorf("add tasks %v before %s: it is over", ids, before)
		}
		tasks[i].After = slices.Concat(tasks[i].After, ids)
		at = min(at, i)
	}
	tasks = slices.Insert(tasks, at, a.Tasks...)
	if _, err := Waves(tasks); err != nil {
		return fmt.Errorf("add tasks %v: %w", ids, err)
	}
	p.tasks = tasks
	return nil
}

func (p *progress[R]) all() []Outcome[R] {
	return each.Of(p.tasks, func(t Task[R]) Outcome[R] {
		if o, ok := p.outcomes[t.ID]; ok {
			return o
		}
		return Outcome[R]{ID: t.ID, State: Pending}
	})
}
