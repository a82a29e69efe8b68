package session

import "slices"

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

// Round records a round. Recording the same round again replaces it, so that a
// resumed run counts nothing twice.
func (s *Session) Round(r Round) error {
	previous := s.rounds
	updated := Rounds{Rounds: map[string]int{}, Max: previous.Max, History: slices.Clone(previous.History)}
	for layer, n := range previous.Rounds {
		updated.Rounds[layer] = n
	}
	updated.Rounds[r.Layer] = max(updated.Rounds[r.Layer], r.Round)
	i := slices.IndexFunc(updated.History, func(o Round) bool { return o.Layer == r.Layer && o.Round == r.Round })
	if i >= 0 {
		updated.History[i] = r
	} else {
		updated.History = append(updated.History, r)
	}
	s.rounds = updated
	if err := s.saveRounds(); err != nil {
		s.rounds = previous
		return err
	}
	return nil
}

// Rounds is the state of the loop.
func (s *Session) Rounds() Rounds { return s.rounds }
