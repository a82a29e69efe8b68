// Package pipeline runs tasks wave by wave. It knows nothing of what the tasks
// do: a [Task] declares what it depends on and a function; a [Runner] validates
// the whole, runs it and hands every [Outcome] to one goroutine, so that
// whoever applies the results needs no locks. Start at [Runner.Run].
//
// A wave holds the tasks whose dependencies are over. Wave n+1 starts when all
// of wave n are over and applied. Applying a result may add tasks
// ([Addition]); they are put in front of tasks that have not started.
//
// Time comes from package time alone; tests run in a testing/synctest bubble.
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/each"
)

// Task is one step of a pipeline.
type Task[R any] struct {
	ID string
	// Needs must be completed before the task starts; when one of them failed
	// or was skipped, the task is skipped.
	Needs []string
	// After must be over before the task starts, however they ended.
	After []string
	// Always marks a task that runs even when the run was cancelled or its
	// budget is used up: whatever tells people how far it came.
	Always bool
	// Timeout overrides [Limits.Task]; zero keeps it.
	Timeout time.Duration
	// Run does the work. When ctx ends it should return what it has: a value
	// returned together with an error is kept as a partial result. For closing
	// work that itself needs a live context there is [Grace]. [Skip] as error
	// says that there was nothing to do.
	Run func(ctx context.Context) (R, error)
}

func (t Task[R]) id() string { return t.ID }

func (t Task[R]) deps() []string { return slices.Concat(t.Needs, t.After) }

// PlanError lists everything wrong with a set of tasks, in their order.
type PlanError struct{ Problems []string }

func (e *PlanError) Error() string { return "invalid plan: " + strings.Join(e.Problems, "; ") }

// Waves gives the ids of each wave, tasks of one wave in the order given: a
// task's wave is one more than the highest of its dependencies (Kahn's
// algorithm). Empty and duplicate ids, unknown and own ids as dependencies, and
// circles are a [PlanError].
func Waves[R any](tasks []Task[R]) ([][]string, error) {
	if problems := check(tasks); len(problems) > 0 {
		return nil, &PlanError{problems}
	}
	over := make(map[string]bool, len(tasks))
	var waves [][]string
	for rest := tasks; len(rest) > 0; {
		var wave []string
		var later []Task[R]
		for _, t := range rest {
			if blockedBy(t, over) == "" {
				wave = append(wave, t.ID)
			} else {
				later = append(later, t)
			}
		}
		if len(wave) == 0 {
			return nil, &PlanError{[]string{"circle: " + strings.Join(circle(rest), " → ")}}
		}
		for _, id := range wave {
			over[id] = true
		}
		waves, rest = append(waves, wave), later
	}
	return waves, nil
}

// blockedBy is the first dependency that is not over, "" when the task is
// ready.
func blockedBy[R any](t Task[R], over map[string]bool) string {
	id, _ := each.First(t.deps(), func(id string) bool { return !over[id] })
	return id
}

func check[R any](tasks []Task[R]) []string {
	var problems []string
	known := make(map[string]bool, len(tasks))
	for i, t := range tasks {
		switch {
		case t.ID == "":
			problems = append(problems, fmt.Sprintf("task %d has no id", i+1))
		case known[t.ID]:
			problems = append(problems, "duplicate id "+t.ID)
		}
		if t.Run == nil {
			problems = append(problems, t.ID+" has nothing to run")
		}
		known[t.ID] = true
	}
	for _, t := range tasks {
		for _, id := range t.deps() {
			switch {
			case id == t.ID:
				problems = append(problems, t.ID+" depends on itself")
			case !known[id]:
				problems = append(problems, fmt.Sprintf("%s depends on unknown task %q", t.ID, id))
			}
		}
	}
	return problems
}

// circle finds a circle among tasks that block each other: it follows the
// first unmet dependency of the first task until one comes again.
func circle[R any](rest []Task[R]) []string {
	byID := each.By(rest, Task[R].id)
	var path []string
	id := rest[0].ID
	for !slices.Contains(path, id) {
		path = append(path, id)
		for _, dep := range byID[id].deps() {
			if _, blocked := byID[dep]; blocked {
				id = dep
				break
			}
		}
	}
	return append(path[slices.Index(path, id):], id)
}

// skipError is a task's own wish to be skipped.
type skipError struct{ reason string }

func (e *skipError) Error() string { return e.reason }

// Skip makes an error by which a task says that it does not apply; its outcome
// is [Skipped] with the reason.
func Skip(reason string) error { return &skipError{reason} }

// IsSkip reports whether err was made by [Skip].
func IsSkip(err error) bool {
	var s *skipError
	return errors.As(err, &s)
}
