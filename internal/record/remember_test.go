package record

import (
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/notes"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/task"
	"github.com/org/qa-action/internal/trials"
)

// TestTold: what tasks found out stands on the board, in messages with their numbers,
// and among the learnings; copies of tests keep their names.
func TestTold(t *testing.T) {
	t.Parallel()
	r, s := recorder(t)
	rate := 1.0
	layer := &qa.LayerResult{Layer: qa.L1, State: "measured", PassRate: &rate, Patch: &qa.Count{Covered: 7, Total: 8}, Target: 80, Iterations: 2}
	trial := trials.New()
	trial.Tests = []qa.GeneratedTest{{Name: "one", Path: "src/a.test.ts", Kept: true, Repairs: 1, Lane: "hardening", Source: "src/a.ts", Target: "A"}, {Name: "two", Path: "src/a.test.ts", Repairs: 3}}
	trial.Files["src/a.test.ts"] = "one"
	trial.Proofs = []trials.Proof{{Proof: qa.Proof{Test: "t", Message: "expected 1", Regression: true}, Source: "src/a.ts"}, {Proof: qa.Proof{Test: "old"}, Source: "src/b.ts"}}
	row := task.Row{ID: "QARUN-L1-001", Role: task.Executor, Layer: qa.L1}
	assert.NilError(t, r.Session.Update(row.ID, func(t *session.Task) { t.Status = session.Completed }))
	r.tell(task.Outcome{ID: row.ID, State: pipeline.Completed, Value: task.Result{Findings: "7 of 8", Layer: layer, Trial: &trial}}, row, &baseline.Baseline{})
	score := 91
	r.tell(task.Outcome{ID: "QAANA-001", State: pipeline.Completed, Value: task.Result{Findings: "good", Score: &score}}, task.Row{ID: "QAANA-001", Role: task.Analyst}, nil)

	raw, err := s.ReadFile("discoveries.ndjson")
	assert.NilError(t, err)
	board := string(raw)
	for _, want := range []string{`"source_file":"src/a.ts","test_count":1`, `"type":"fix_applied"`, `"type":"defect_found"`, `"dimension":"quality_score"`, `"dimension":"coverage L1","score":87.5`} {
		assert.Assert(t, strings.Contains(board, want), "%s is missing in\n%s", want, board)
	}
	assert.Equal(t, strings.Count(board, `"type":"fix_applied"`), 1, "only what was kept is mended")
	assert.Equal(t, strings.Count(board, `"type":"defect_found"`), 1, "only a regression is a defect of this change")
	raw, err = s.ReadFile("messages.ndjson")
	assert.NilError(t, err)
	for _, want := range []string{`"type":"tests_passed"`, `"data":{"pass_rate":1,"coverage":87.5,"iterations":2}`, `"type":"quality_report"`, `"type":"coverage_report"`} {
		assert.Assert(t, strings.Contains(string(raw), want), "%s is missing in\n%s", want, raw)
	}
	raw, err = s.ReadFile("tests/L1-unit/src/a.test.ts")
	assert.NilError(t, err)
	assert.Equal(t, string(raw), "one")
	raw, err = s.ReadFile("wisdom/learnings.md")
	assert.NilError(t, err)
	assert.Assert(t, strings.Contains(string(raw), "hardening test of A in src/a.ts"), string(raw))
}

// TestPassed: nearly all, the target where it is known, and nothing that newly fails.
func TestPassed(t *testing.T) {
	t.Parallel()
	rate := func(f float64) *float64 { return &f }
	for i, c := range []struct {
		l    qa.LayerResult
		want bool
	}{
		{qa.LayerResult{}, false},
		{qa.LayerResult{PassRate: rate(0.95)}, true},
		{qa.LayerResult{PassRate: rate(0.94)}, false},
		{qa.LayerResult{PassRate: rate(1), Patch: &qa.Count{Covered: 7, Total: 10}, Target: 80}, false},
		{qa.LayerResult{PassRate: rate(1), Patch: &qa.Count{}, Target: 80}, true},
		{qa.LayerResult{PassRate: rate(0.99), NewFailures: 1}, false},
	} {
		assert.Equal(t, passed(c.l), c.want, "case %d", i)
	}
}

// What is remembered is right at the end: the second scan takes nothing away, and a
// test that an earlier round kept stays kept.
func TestMemoryAtTheEnd(t *testing.T) {
	t.Parallel()
	r, s := recorder(t)
	issue := func(print string) qa.Finding {
		return qa.Finding{ID: print, Fingerprint: print, Severity: qa.High, Status: qa.StatusNew, Evidence: qa.Corroborated, Perspectives: []qa.Perspective{qa.Bug}}
	}
	first := task.Outcome{ID: "SCOUT-001", State: pipeline.Completed, Value: task.Result{Scan: &finding.Result{Findings: []qa.Finding{issue("a")}}}}
	assert.NilError(t, r.Record(first, task.Row{ID: "SCOUT-001", Role: task.Scout}, nil))
	second := task.Outcome{ID: "SCOUT-002", State: pipeline.Completed, Value: task.Result{Scan: &finding.Result{Findings: []qa.Finding{issue("b")}}}}
	assert.NilError(t, r.Record(second, task.Row{ID: "SCOUT-002", Role: task.Scout, Regression: true}, nil))
	var issues []qa.Finding
	_, err := s.Memory.Recall("discovered_issues", &issues)
	assert.NilError(t, err)
	assert.Equal(t, len(issues), 2)

	row := task.Row{ID: "QARUN-L1-001", Role: task.Executor, Layer: qa.L1}
	r.remember(row, []qa.GeneratedTest{{Name: "one", Path: "a_test.go", Kept: true, Lane: "hardening", Source: "a.go", Target: "A", Kills: 2}, {Name: "two", Path: "a_test.go"}})
	r.remember(row, []qa.GeneratedTest{{Name: "one", Path: "a_test.go"}, {Name: "three", Path: "a_test.go"}})
	var tests map[qa.Layer][]qa.GeneratedTest
	_, err = s.Memory.Recall("generated_tests", &tests)
	assert.NilError(t, err)
	assert.Equal(t, len(tests[qa.L1]), 3)
	assert.Assert(t, tests[qa.L1][0].Kept)
	var patterns []string
	_, err = s.Memory.Recall("effective_patterns", &patterns)
	assert.NilError(t, err)
	assert.DeepEqual(t, patterns, []string{"hardening test of A in a.go was kept: 2 mutants killed, 0 repairs"})
}

func recorder(t *testing.T) (Recorder, *session.Session) {
	t.Helper()
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
	return Recorder{Session: s, Notes: &notes.Log{}, Config: c, Now: now, Inputs: func(string) string { return "" }}, s
}
