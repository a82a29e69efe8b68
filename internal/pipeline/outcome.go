package pipeline

import (
	"errors"
	"time"
)

// State is where a task stands.
type State string

// The states. Interrupted is a task that was running when the run was
// cancelled; a resumed run starts it anew. Pending, at the end of a run, is a
// task that a cancelled run never came to.
const (
	Pending     State = "pending"
	Completed   State = "completed"
	Failed      State = "failed"
	Skipped     State = "skipped"
	Interrupted State = "interrupted"
)

// Outcome is what became of a task.
type Outcome[R any] struct {
	ID    string
	Wave  int // 1-based; 0 when it never came to its wave
	State State
	// Value is the result: of a task whose time ran out what it had by then, and what
	// came along with an error.
	Value R
	// Reused says that Value comes from an earlier run (Runner.Reuse).
	Reused bool
	// Err says why the task failed, was skipped or interrupted.
	Err        error
	Start, End time.Time
}

// Addition adds tasks while the pipeline runs. Each task of Before (which must
// not have started) additionally runs after all of them.
type Addition[R any] struct {
	Tasks  []Task[R]
	Before []string
}

// Limits bound a run.
type Limits struct {
	Concurrency int           // tasks at once inside a wave; below 1 is 1
	Task        time.Duration // per task; zero is no limit
	Grace       time.Duration // to finish with partial results once time is up
	Budget      time.Duration // for everything but Always tasks; zero is no limit
	// Closing is what running tasks, and after them Always tasks, get each
	// once the run is cancelled; zero is two seconds.
	Closing time.Duration
}

func (l Limits) closing() time.Duration {
	if l.Closing > 0 {
		return l.Closing
	}
	return 2 * time.Second
}

// The causes of an ended task context; see [context.Cause].
var (
	ErrTaskTimeout = errors.New("time limit of the task reached")
	ErrBudget      = errors.New("time budget of the run used up")
)
