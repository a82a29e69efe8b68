package record

import (
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/notes"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/task"
)

// What is remembered is right at the end: the second scan takes nothing away, and a
// test that an earlier round kept stays kept.
func TestMemoryAtTheEnd(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Unix(1700000000, 0) }
	kind := task.Kind{Mode: config.Full, Depth: config.Targeted}
	c := &config.Config{}
	var rows []session.Task
	for _, row := range kind.Table() {
		rows = append(rows, Row(row, c))
	}
	s, err := session.Create(output.At(t.TempDir()), session.Spec{Key: session.Key{Repository: "r", Head: "h", Config: "c"}, Mode: "full", Depth: "targeted", Tasks: rows, MaxRounds: 1, Now: now})
	assert.NilError(t, err)
	t.Cleanup(func() { assert.NilError(t, s.Close()) })
	r := Recorder{Session: s, Notes: &notes.Log{}, Config: c, Now: now, Inputs: func(string) string { return "" }}
	issue := func(print string) qa.Finding {
		return qa.Finding{ID: print, Fingerprint: print, Severity: qa.High, Status: qa.StatusNew, Evidence: qa.Corroborated, Perspectives: []qa.Perspective{qa.Bug}}
	}
	first := task.Outcome{ID: "SCOUT-001", State: pipeline.Completed, Value: task.Result{Scan: &finding.Result{Findings: []qa.Finding{issue("a")}}}}
	assert.NilError(t, r.Record(first, task.Row{ID: "SCOUT-001", Role: task.Scout}, nil))
	second := task.Outcome{ID: "SCOUT-002", State: pipeline.Completed, Value: task.Result{Scan: &finding.Result{Findings: []qa.Finding{issue("b")}}}}
	assert.NilError(t, r.Record(second, task.Row{ID: "SCOUT-002", Role: task.Scout, Regression: true}, nil))
	var issues []qa.Finding
	_, err = s.Memory.Recall("discovered_issues", &issues)
	assert.NilError(t, err)
	assert.Equal(t, len(issues), 2)

	row := task.Row{ID: "QARUN-L1-001", Role: task.Executor, Layer: qa.L1}
	r.remember(row, []qa.GeneratedTest{{Name: "one", Path: "a_test.go", Kept: true, Lane: "hardening", Target: "a.go:A", Kills: 2}, {Name: "two", Path: "a_test.go"}})
	r.remember(row, []qa.GeneratedTest{{Name: "one", Path: "a_test.go"}, {Name: "three", Path: "a_test.go"}})
	var tests map[qa.Layer][]qa.GeneratedTest
	_, err = s.Memory.Recall("generated_tests", &tests)
	assert.NilError(t, err)
	assert.Equal(t, len(tests[qa.L1]), 3)
	assert.Assert(t, tests[qa.L1][0].Kept)
	var patterns []string
	_, err = s.Memory.Recall("effective_patterns", &patterns)
	assert.NilError(t, err)
	assert.DeepEqual(t, patterns, []string{"hardening test of a.go:A: 2 mutants killed, 0 repairs"})
}
