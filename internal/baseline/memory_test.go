package baseline

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

func count(covered, total int) *qa.Count { return &qa.Count{Covered: covered, Total: total} }

// A measurement that is read back is the one that was written, with the
// counters that reports leave out, and unknown stays unknown.
func TestMeasurementsComeBackWhole(t *testing.T) {
	t.Parallel()
	head := &qa.Coverage{Lines: count(0, 0), Files: []qa.FileCoverage{{
		Path: "a.go", LineCount: count(1, 2), Lines: []qa.LineHit{{Line: 3, Hits: 1, Branches: 2, BranchesTaken: 1}, {Line: 4}},
		Funcs: []qa.FuncHit{{Name: "f", Line: 3, Hits: 1}}, Arms: []qa.UnitHit{{ID: 7, Line: 3, Hits: 0, Weight: 1}}, Units: []qa.UnitHit{{ID: 9, Weight: 2}},
	}}}
	rate := 0.0
	want := executor.Baseline{
		Target: executor.Target{Name: "a", Dir: "a"},
		Head:   executor.Run{Coverage: head, Suite: qa.Suite{Cases: []qa.Case{{Name: "x", Status: qa.Failed}}}},
		Base:   &executor.Run{CoverageReason: "no tool"},
		Tests:  qa.Tests{Failing: []qa.FailingTest{{Head: []bool{false}, FlakyRate: &rate}}},
	}
	raw, err := json.Marshal(measurementOf("digest", want))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, m.restore(), cmpopts.IgnoreUnexported(adapter.Detection{})); diff != "" || m.Inputs != "digest" {
		t.Errorf("inputs %q, (-written +read):\n%s", m.Inputs, diff)
	}
}
