package task

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/trials"
)

// A whole run is applied outcome by outcome; what a task finds out later waves
// read in its own place.
func TestOutcomesBecomeTheState(t *testing.T) {
	t.Parallel()
	s := NewState(Kind{Mode: config.Full, Depth: config.Standard}.Table())
	first, second := finding.Result{Findings: []qa.Finding{{ID: "1"}}}, finding.Result{}
	trial := trials.New()
	trial.Killed, trial.Files["a_test.go"], trial.Gained["a.go"] = []string{"m"}, "text", []int{3}
	for _, o := range []Outcome{
		{ID: "SCOUT-001", State: pipeline.Completed, Value: Result{Scan: &first}},
		{ID: "QASTRAT-001", State: pipeline.Completed, Value: Result{Strategy: &qa.Strategy{Layers: []qa.LayerPlan{{Layer: qa.L1, Selected: true}, {Layer: qa.L2, Rationale: "few files"}}}}},
		{ID: "QAGEN-L1-001", State: pipeline.Completed, Value: Result{Candidates: []generator.Candidate{{Path: "a_test.go"}}}},
		{ID: "QAGEN-L2-001", State: pipeline.Skipped},
		{ID: "QARUN-L1-001", State: pipeline.Completed, Value: Result{Layer: &qa.LayerResult{Layer: qa.L1, State: "measured"}, Trial: &trial}},
		{ID: Score, State: pipeline.Completed, Value: Result{Advice: []string{"test more"}}},
		{ID: "SCOUT-002", State: pipeline.Completed, Value: Result{Scan: &second}},
	} {
		s.Apply(o)
	}
	assert.Assert(t, s.Scan == &first && s.Regression == &second)
	assert.Equal(t, s.Layers[qa.L1].State, "measured")
	assert.DeepEqual(t, s.Kept.Files, trial.Files)
	assert.DeepEqual(t, s.Kept.Killed, map[string]bool{"m": true})
	assert.DeepEqual(t, s.Advice, []string{"test more"})
	l1, l2 := s.Row("QARUN-L1-001"), s.Row("QARUN-L2-001")
	assert.Equal(t, len(s.Proposed(l1)), 1)
	assert.Assert(t, s.Answered(l1) && !s.Answered(l2), "a skipped generator answered nothing")
	_, err := s.Selected(qa.L1)
	assert.NilError(t, err)
	_, err = s.Selected(qa.L2)
	assert.Assert(t, pipeline.IsSkip(err))
	assert.ErrorContains(t, err, "few files")
}
