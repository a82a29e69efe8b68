package layers

import (
	"io/fs"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/budget"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/notes"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/session"
)

// What the baseline tells of a layer is not run again, and a suite that took
// too long is not run once more for the coverage of one layer.
func TestLayerOfSlowTargets(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Unix(1700000000, 0) }
	s, err := session.Create(output.At(t.TempDir()), session.Spec{Key: session.Key{Repository: "r", Head: "h", Config: "c"}, Mode: "full", Depth: "standard", MaxRounds: 1, Now: now})
	assert.NilError(t, err)
	t.Cleanup(func() { assert.NilError(t, s.Close()) })
	covers := func(path string) *qa.Coverage {
		lines := []qa.LineHit{{Line: 1, Hits: 1}, {Line: 2}}
		return &qa.Coverage{Lines: &qa.Count{Covered: 1, Total: 2}, Files: []qa.FileCoverage{{Path: path, LineCount: &qa.Count{Covered: 1, Total: 2}, Lines: lines}}}
	}
	ran := func(name string, seconds float64, cases ...qa.Case) executor.Baseline {
		return executor.Baseline{Target: executor.Target{Name: name}, Head: executor.Run{Command: []string{"npx", "vitest"}, Tail: "last words", Ending: executor.Ending{Seconds: seconds, ExitCode: 1}, Coverage: covers(name + "/a.ts")},
			Tests: qa.Tests{Cases: cases, Head: qa.Suite{Cases: cases}.Tally()}}
	}
	unit, end := qa.Case{File: "a.test.ts", Status: qa.Passed}, qa.Case{File: "e2e/a.ts", Status: qa.Passed}
	failed := qa.Case{File: "b.test.ts", Status: qa.Failed}
	slow := ran("slow", 301, unit, failed, end)
	slow.Tests.Failing = []qa.FailingTest{{Case: failed, Triage: qa.NewFailure}, {Case: end, Triage: qa.NewFailure}}
	m := Meter{Config: &config.Config{}, Checkout: checkout.Checkout{Change: qa.Change{Files: []qa.FileChange{
		{Path: "quick/a.ts", Kind: qa.KindSource, Added: []qa.Range{{Start: 1, End: 2}}},
		{Path: "slow/a.ts", Kind: qa.KindSource, Added: []qa.Range{{Start: 1, End: 2}}},
	}}}, Session: s, Time: budget.Time{Whole: 25 * time.Minute, Now: now, Started: now()}, Notes: &notes.Log{}}
	b := &baseline.Baseline{Runs: []executor.Baseline{ran("quick", 600, unit, unit), slow, ran("ends", 1, end)}}

	l := qa.LayerResult{Layer: qa.L1, State: "unknown"}
	assert.NilError(t, m.part(t.Context(), &l, b)) // without a place to run anything in
	assert.DeepEqual(t, *l.Tally, qa.Tally{Tests: 4, Passed: 3, Failed: 1})
	assert.Equal(t, *l.PassRate, 0.75, "the failure of another layer is not this one's")
	assert.DeepEqual(t, *l.Patch, qa.Count{Covered: 2, Total: 4})
	assert.Equal(t, l.Reason, "slow: coverage counts tests of other layers, too: to run these apart takes up to 301 s; raise timeout")

	kept, err := s.ReadFile("results/output-L1.txt")
	assert.NilError(t, err)
	assert.Assert(t, strings.Contains(string(kept), "quick: npx vitest\nexit code 1\nlast words"), string(kept))
}

// TestOutputIsKept: what a layer's tests said is kept up to a bound, and nothing of a
// layer without tests.
func TestOutputIsKept(t *testing.T) {
	t.Parallel()
	s, err := session.Create(output.At(t.TempDir()), session.Spec{Key: session.Key{Repository: "r", Head: "h", Config: "c"}, Mode: "full", Depth: "standard", MaxRounds: 1, Now: time.Now})
	assert.NilError(t, err)
	t.Cleanup(func() { assert.NilError(t, s.Close()) })
	m := Meter{Session: s, Notes: &notes.Log{}}
	m.keep(qa.L1, strings.Repeat("é", maxOutput))
	m.keep(qa.L2, "")
	kept, err := s.ReadFile("results/output-L1.txt")
	assert.NilError(t, err)
	assert.Equal(t, len(kept), maxOutput)
	_, err = s.ReadFile("results/output-L2.txt")
	assert.ErrorIs(t, err, fs.ErrNotExist)
}
