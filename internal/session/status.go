package session

import (
	"fmt"
	"slices"
	"time"

	"github.com/org/qa-action/internal/output"
)

// View is what a session looks like right now.
type View struct {
	Meta  Meta
	Alive bool // a process is writing it
	Tasks []TaskView
	Done  int // tasks that are over
	// Rounds of the generator-critic loop by layer, of at most MaxRounds.
	Rounds    map[string]int
	MaxRounds int
	Ready     []string  // pending with every dependency over
	Blocked   []Blocked // pending with a dependency that is not
	Stalls    []string  // why nothing moves, one sentence each
	Told      Told
}

// Percent is the share of tasks that are over, 0 to 100.
func (v View) Percent() int {
	if len(v.Tasks) == 0 {
		return 0
	}
	return v.Done * 100 / len(v.Tasks)
}

// TaskView is a task with its time.
type TaskView struct {
	Task
	Running bool
	Elapsed time.Duration // of a running task until now; zero when it never ran
}

// Blocked is a task and the dependencies it waits for.
type Blocked struct {
	ID string
	By []string
}

// Look looks at a session without touching it. A task that runs longer than
// limit counts as stalled; zero is no limit. Errors: [CorruptError], and
// [output.RefusedError] for one that somebody else may have written.
func Look(out *output.Dir, id string, now time.Time, limit time.Duration) (View, error) {
	if !isID(id) {
		return View{}, fmt.Errorf("%q is not the name of a session", id)
	}
	d, err := openDir(out, id)
	if err != nil {
		return View{}, err
	}
	defer func() { _ = d.close() }() // only read
	meta, tasks, err := glance(d)
	var rounds Rounds
	if err == nil {
		err = d.unjson(roundsFile, &rounds)
	}
	var said Told
	if err == nil {
		said, err = toldOf(d)
	}
	if err != nil {
		return View{}, &CorruptError{Dir: d.dir, Cause: err}
	}
	v := View{Told: said, Meta: meta, Alive: d.held(), Rounds: rounds.Rounds, MaxRounds: rounds.Max}
	v.fill(tasks, now, limit)
	return v, nil
}

func (v *View) fill(tasks []Task, now time.Time, limit time.Duration) {
	over := map[string]bool{}
	for _, t := range tasks {
		over[t.ID] = t.Status.over()
		// The table lags behind by up to a wave: what has ended in it is over.
		if clock := v.Meta.Clocks[t.ID]; v.Alive && clock.Ended != "" {
			over[t.ID] = true
		}
	}
	running := 0
	for _, t := range tasks {
		view := TaskView{Task: t}
		clock := v.Meta.Clocks[t.ID]
		if started, err := time.Parse(time.RFC3339, clock.Started); err == nil {
			end := now
			if ended, err := time.Parse(time.RFC3339, clock.Ended); err == nil {
				end = ended
			}
			view.Running = v.Alive && clock.Ended == "" && !t.Status.over()
			if view.Running || clock.Ended != "" {
				view.Elapsed = max(end.Sub(started), 0)
			}
		}
		v.Tasks = append(v.Tasks, view)
		switch {
		case over[t.ID]:
			v.Done++
		case view.Running:
			running++
			if limit > 0 && view.Elapsed > limit {
				v.Stalls = append(v.Stalls, fmt.Sprintf("%s has been running for %s without a result (limit %s)", t.ID, view.Elapsed, limit))
			}
		default:
			by := slices.DeleteFunc(slices.Clone(t.Deps), func(id string) bool { return over[id] })
			if len(by) == 0 {
				v.Ready = append(v.Ready, t.ID)
			} else {
				v.Blocked = append(v.Blocked, Blocked{t.ID, by})
			}
		}
	}
	v.explain(running)
}

// explain adds why a session that is not done does not move.
func (v *View) explain(running int) {
	open := len(v.Ready) + len(v.Blocked)
	switch {
	case open == 0 && running == 0 || v.Meta.State == Finished:
	case !v.Alive:
		v.Stalls = append(v.Stalls, fmt.Sprintf("no process is working on this session; go on with: qa resume %s", v.Meta.ID))
	case running == 0 && len(v.Ready) == 0:
		for _, b := range v.Blocked {
			v.Stalls = append(v.Stalls, fmt.Sprintf("%s waits for %s, which is neither running nor ready", b.ID, b.By[0]))
		}
	}
}
