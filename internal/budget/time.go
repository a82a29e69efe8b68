// Package budget says what a run can still afford: of its time, and of the tokens
// of its model.
package budget

import (
	"context"
	"time"

	"github.com/org/qa-action/internal/pipeline"
)

// Running a suite once more than it must be, on base or for the coverage of one
// layer, may take this part of the run's time.
const onceMoreShare = 5

// Time is the time of a run that began at Started; a Whole of zero is unlimited.
type Time struct {
	Whole   time.Duration
	Started time.Time
	Now     func() time.Time
}

// OnceMore is how long a suite may take that runs once more than it must.
func (t Time) OnceMore() time.Duration { return t.Whole / onceMoreShare }

// left is what is left of it.
func (t Time) left() time.Duration { return t.Whole - t.Now().Sub(t.Started) }

// ForBaseline keeps time back for the layers, the second scan and the report.
func (t Time) ForBaseline() time.Duration { return t.left() - t.OnceMore() }

// Affords reports whether a suite that took so long can run once more.
func (t Time) Affords(seconds float64) bool {
	took := time.Duration(seconds * float64(time.Second))
	return took <= t.OnceMore() && 2*took <= t.left()
}

// Context bounds what runs beside the tasks by the time that they have.
func (t Time) Context(ctx context.Context) (context.Context, context.CancelFunc) {
	if t.Whole <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, t.Whole, pipeline.ErrBudget)
}
