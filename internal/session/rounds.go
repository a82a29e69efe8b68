package session

import (
	"maps"
	"slices"
)

const roundsFile = "gc-state.json"

// Rounds is the content of gc-state.json: how often each layer went through
// the generator-critic loop, and what every round brought.
type Rounds struct {
	Rounds  map[string]int `json:"rounds"` // by layer
	History []Round        `json:"coverage_history"`
	Max     int            `json:"max_rounds_per_layer"`
}

// Round is one round; round 0 is the run before the loop. Unknown is nil.
type Round struct {
	Layer    string   `json:"layer"`
	Round    int      `json:"round"`
	Coverage *float64 `json:"coverage"`  // percent
	PassRate *float64 `json:"pass_rate"` // 0..1
}

// Loop is gc-state.json, kept while the run goes on.
type Loop struct {
	disk  *disk
	state Rounds
}

// Record records a round. Recording the same round again replaces it, so that
// a resumed run counts nothing twice.
func (l *Loop) Record(r Round) error {
	updated := Rounds{Rounds: maps.Clone(l.state.Rounds), Max: l.state.Max, History: slices.Clone(l.state.History)}
	if updated.Rounds == nil {
		updated.Rounds = map[string]int{}
	}
	updated.Rounds[r.Layer] = max(updated.Rounds[r.Layer], r.Round)
	i := slices.IndexFunc(updated.History, func(o Round) bool { return o.Layer == r.Layer && o.Round == r.Round })
	if i >= 0 {
		updated.History[i] = r
	} else {
		updated.History = append(updated.History, r)
	}
	if err := l.disk.json(roundsFile, updated); err != nil {
		return err
	}
	l.state = updated
	return nil
}

// Rounds is the state of the loop.
func (l *Loop) Rounds() Rounds { return l.state }
