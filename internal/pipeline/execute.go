package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// answer is what a task's function returned.
type answer[R any] struct {
	value R
	err   error
}

// execute runs one task to its end, or until it is given up.
func (p *progress[R]) execute(t Task[R], o Outcome[R]) Outcome[R] {
	parent, limit, grace := p.budget, p.Limits.Task, p.Limits.Grace
	if t.Timeout > 0 {
		limit = t.Timeout
	}
	if p.budget.Err() != nil { // only Always tasks come here now
		parent = context.WithoutCancel(parent)
		if grace > 0 {
			limit = grace
		}
		if p.parent.Err() != nil {
			limit, grace = p.Limits.closing(), p.Limits.closing()
		}
	}
	running, cancel := context.WithCancel(parent)
	if limit > 0 {
		running, cancel = context.WithTimeoutCause(parent, limit, ErrTaskTimeout)
	}
	defer cancel()
	answers := make(chan answer[R], 1)
	go func() {
		value, err := guarded(running, t.Run)
		answers <- answer[R]{value, err}
	}()
	select {
	case a := <-answers:
		o.settle(a, nil)
	case <-running.Done():
		cause := context.Cause(running)
		cancelled := !errors.Is(cause, ErrTaskTimeout) && !errors.Is(cause, ErrBudget)
		if cancelled {
			grace = p.Limits.closing()
		}
		a, ok := wait(answers, grace)
		if !ok {
			a.err = fmt.Errorf("%w, and it did not end within %s after that", cause, grace)
		}
		o.settle(a, cause)
		if cancelled {
			o.State, o.Err = Interrupted, cause
		}
	}
	o.End = time.Now()
	return o
}

// settle fills in the end of a task whose context ended by cause, nil when it
// ended by itself.
func (o *Outcome[R]) settle(a answer[R], cause error) {
	o.Value, o.Err = a.value, a.err
	switch {
	case a.err == nil:
		o.State = Completed
		if cause != nil {
			o.Err = cause // it finished in its grace period, with what it had
		}
	case IsSkip(a.err):
		o.State = Skipped
	default:
		o.State = Failed
		if cause != nil && !errors.Is(a.err, cause) {
			o.Err = fmt.Errorf("%w: %w", cause, a.err)
		}
	}
}

func wait[R any](answers <-chan answer[R], grace time.Duration) (answer[R], bool) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case a := <-answers:
		return a, true
	case <-timer.C:
		return answer[R]{}, false
	}
}

// guarded turns a panic of a task into its failure: the other tasks' results
// must not be lost.
func guarded[R any](ctx context.Context, run func(context.Context) (R, error)) (value R, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("crashed: %v\n%s", p, debug.Stack())
		}
	}()
	return run(ctx)
}
