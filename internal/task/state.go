package task

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/trials"
)

// Result is what a task returns; it is kept for resume, so it is plain data.
type Result struct {
	Findings   string                `json:"findings"` // the table's cell
	Scan       *finding.Result       `json:"scan,omitempty"`
	Strategy   *qa.Strategy          `json:"strategy,omitempty"`
	Gaps       *finding.Result       `json:"gaps,omitempty"`
	Layer      *qa.LayerResult       `json:"layer,omitempty"`
	Candidates []generator.Candidate `json:"candidates,omitempty"`
	Alike      []string              `json:"alike,omitempty"` // mutants that a model holds for no wrong versions, by id
	Beyond     []generator.Beyond    `json:"beyond,omitempty"`
	Trial      *trials.Trial         `json:"trial,omitempty"`
	Mutation   *mutation.Set         `json:"mutation,omitempty"`
	Score      *int                  `json:"score,omitempty"`
	Read       scout.Readings        `json:"read,omitempty"`
	Advice     []string              `json:"advice,omitempty"` // a model's words: what it takes for risky, and recommendations
}

// Outcome is what became of a task.
type Outcome = pipeline.Outcome[Result]

// State is what the tasks of a run found out. One goroutine applies outcomes; a
// task is given the state that earlier waves left.
type State struct {
	Rows       []Row
	Outcomes   map[string]Outcome
	Scan       *finding.Result
	Gaps       *finding.Result // coverage gaps, found when the baseline is joined
	Regression *finding.Result
	Strategy   *qa.Strategy
	Layers     map[qa.Layer]qa.LayerResult
	Kept       trials.Kept
	Advice     []string // a model's recommendations
	Read       scout.Readings
	Alike      []string           // mutants that are not asked about again, by id
	Beyond     []generator.Beyond // findings that are not asked about again
	candidates map[string][]generator.Candidate
}

// NewState is that of a run before its first task.
func NewState(rows []Row) *State {
	return &State{
		Rows: rows, Outcomes: map[string]Outcome{}, Layers: map[qa.Layer]qa.LayerResult{}, Kept: trials.Nothing(),
		candidates: map[string][]generator.Candidate{},
	}
}

// Row is that of a task.
func (s *State) Row(id string) Row {
	row, _ := each.First(s.Rows, func(r Row) bool { return r.ID == id })
	return row
}

// Apply takes an outcome in.
func (s *State) Apply(o Outcome) {
	s.Outcomes[o.ID] = o
	row, v := s.Row(o.ID), o.Value
	switch {
	case v.Scan != nil && row.Regression:
		s.Regression = v.Scan
	case v.Scan != nil:
		s.Scan = v.Scan
	}
	if v.Gaps != nil {
		s.Gaps = v.Gaps
	}
	if v.Strategy != nil {
		s.Strategy = v.Strategy
	}
	if v.Layer != nil {
		s.Layers[v.Layer.Layer] = *v.Layer
	}
	switch row.Role {
	case Analyst:
		s.Advice, s.Read = v.Advice, v.Read
	case Generator:
		s.candidates[round(row)] = v.Candidates
		s.Alike, s.Beyond = append(s.Alike, v.Alike...), append(s.Beyond, v.Beyond...)
	}
	if v.Trial != nil {
		s.Kept.Take(*v.Trial)
	}
}

// Risks are a model's words about the risks of the change: hostile text.
func (s *State) Risks() string {
	scan, _ := each.First(s.Rows, func(r Row) bool { return r.Role == Scout && !r.Regression })
	return strings.Join(s.Outcomes[scan.ID].Value.Advice, "\n")
}

// Proposed are the tests that were proposed for an executor.
func (s *State) Proposed(row Row) []generator.Candidate { return s.candidates[round(row)] }

// Answered reports whether the model was asked for the tests of an executor task,
// and answered.
func (s *State) Answered(row Row) bool {
	return slices.ContainsFunc(s.Rows, func(asked Row) bool {
		return asked.Role == Generator && round(asked) == round(row) && s.Outcomes[asked.ID].State == pipeline.Completed
	})
}

// Tried are the trials of a layer in the rounds before one.
func (s *State) Tried(row Row) []trials.Trial {
	var out []trials.Trial
	for _, earlier := range s.Rows {
		t := s.Outcomes[earlier.ID].Value.Trial
		if t != nil && earlier.Role == row.Role && earlier.Layer == row.Layer && earlier.Round < row.Round {
			out = append(out, *t)
		}
	}
	return out
}

func round(r Row) string { return r.Layer.Name() + fmt.Sprint(r.Round) }

// Found are the findings of the first scan and of coverage gaps.
func (s *State) Found(least qa.Severity, gaps *finding.Result) []qa.Finding {
	if s.Scan == nil && gaps == nil {
		return nil
	}
	return scout.Join(least, s.Scan, gaps).Findings
}

// Reviewed tells which files a model was shown whole by the first scan.
func (s *State) Reviewed() func(file string) bool {
	if s.Scan == nil {
		return nil
	}
	model, _ := each.First(s.Scan.Engines, func(e qa.Engine) bool { return e.Name == "model" })
	return func(file string) bool { return slices.Contains(model.Reviewed, file) }
}

// Selected says whether the strategist wants a layer; the error is a skip.
func (s *State) Selected(layer qa.Layer) (qa.LayerPlan, error) {
	if s.Strategy == nil {
		return qa.LayerPlan{}, pipeline.Skip("there is no strategy")
	}
	p, ok := s.Strategy.Layer(layer)
	if !ok || !p.Selected {
		return p, pipeline.Skip("not selected: " + p.Rationale)
	}
	return p, nil
}
