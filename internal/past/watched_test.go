package past

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/qa"
)

func TestQuarantineHoldsForFailuresOfTheChange(t *testing.T) {
	t.Parallel()
	p := Memory{Flaky: map[string]float64{"x": 0.1, "held": 0.5, "a": 0.1}, Quarantine: quarantined([]config.Quarantine{
		{Test: "held", Reason: "see 12", Expires: "2026-05-01"}, {Test: "over", Expires: "2026-04-30"}, {Test: "old", Expires: "2026-05-01"},
	}, time.Date(2026, 5, 1, 23, 0, 0, 0, time.UTC))}
	failing := []qa.FailingTest{
		{Case: qa.Case{Name: "held"}, Triage: qa.NewFailure}, {Case: qa.Case{Name: "over"}, Triage: qa.NewFailure}, {Case: qa.Case{Name: "old"}, Triage: qa.PreExisting},
	}
	p.SetAside(failing)
	want := []qa.FailingTest{
		{Case: qa.Case{Name: "held"}, Triage: qa.FlakyFailure, Quarantine: "until 2026-05-01: see 12"},
		{Case: qa.Case{Name: "over"}, Triage: qa.NewFailure}, {Case: qa.Case{Name: "old"}, Triage: qa.PreExisting},
	}
	if diff := cmp.Diff(want, failing); diff != "" {
		t.Error(diff)
	}
	flaky, list := p.watched([]qa.Case{{Name: "held", Status: qa.Failed}, {Name: "a", Status: qa.Passed}})
	if diff := cmp.Diff([]qa.KnownFlaky{{Test: "held", Rate: 0.5, Status: qa.Failed}, {Test: "a", Rate: 0.1, Status: qa.Passed}, {Test: "x", Rate: 0.1}}, flaky); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]qa.Quarantined{
		{Test: "held", Reason: "see 12", Expires: "2026-05-01", Status: qa.Failed}, {Test: "over", Expires: "2026-04-30", Expired: true}, {Test: "old", Expires: "2026-05-01"},
	}, list); diff != "" {
		t.Error(diff)
	}
}

func TestTheListOfFlakyTestsIsBounded(t *testing.T) {
	t.Parallel()
	p := Memory{Flaky: map[string]float64{}}
	for i := range shownFlaky + 5 {
		p.Flaky[fmt.Sprint(i)] = float64(i+1) / 100
	}
	flaky, _ := p.watched(nil)
	if len(flaky) != shownFlaky || flaky[0].Rate != 0.55 {
		t.Errorf("%d tests, first %+v", len(flaky), flaky[0])
	}
}
