package mode

import (
	"context"
	"strings"
	"time"

	"github.com/org/qa-action/internal/pipeline"
)

// Running a suite once more than it must be, on base or for the coverage of one
// layer, may take this part of the run's time.
const onceMoreShare = 5

func (r *run) onceMore() time.Duration { return r.Config.Timeout / onceMoreShare }

// left is what is left of the run's time.
func (r *run) left() time.Duration { return r.Config.Timeout - r.Now().Sub(r.started) }

// leftForBaseline keeps time back for the layers, the second scan and the
// report.
func (r *run) leftForBaseline() time.Duration { return r.left() - r.onceMore() }

// affordsSuite reports whether a suite that took so long can run once more.
func (r *run) affordsSuite(seconds float64) bool {
	took := time.Duration(seconds * float64(time.Second))
	return took <= r.onceMore() && 2*took <= r.left()
}

// withinBudget bounds what runs beside the tasks by the time that they have.
func (r *run) withinBudget(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.Config.Timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, r.Config.Timeout, pipeline.ErrBudget)
}

// A scan gets this part of the model budget that is left: tests cost as much
// again.
const scanShare = 2

// Tokens that one request of notes, and one function's tests in a further
// round, are taken to cost.
const (
	noteTokens  = 3000
	roundTokens = 6000
)

// shorten notes what a short model budget left out. The order is fixed: notes,
// ux, code-quality, extra rounds, verification of low findings, low-risk files;
// what comes earlier goes before anything later does.
func (r *run) shorten(cuts []string) {
	r.cut("model budget: risk notes and recommendations of the model")
	for _, what := range cuts {
		later := !strings.HasPrefix(what, "perspective ")
		r.mu.Lock()
		r.oneRound = r.oneRound || later
		r.mu.Unlock()
		if later {
			r.cut("model budget: extra rounds of tests")
		}
		r.cut("model budget: %s", what)
	}
	r.mu.Lock()
	r.noNotes = true
	r.mu.Unlock()
}

// affordsNotes reports whether the budget has room for words that decide
// nothing.
func (r *run) affordsNotes() bool {
	r.mu.Lock()
	cut := r.noNotes
	r.mu.Unlock()
	if left, ok := r.Model.Left(); ok && left < noteTokens && !cut {
		r.cut("model budget: risk notes and recommendations of the model")
		return false
	}
	return !cut
}

// affordsRound reports whether the budget has room for another round of tests.
func (r *run) affordsRound() bool {
	r.mu.Lock()
	cut := r.oneRound
	r.mu.Unlock()
	if left, ok := r.Model.Left(); ok && left < roundTokens && !cut {
		r.cut("model budget: extra rounds of tests")
		return false
	}
	return !cut
}
