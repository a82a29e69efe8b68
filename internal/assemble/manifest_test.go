package assemble

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/task"
	"github.com/org/qa-action/internal/trials"
)

func TestWhatTheSecondScanFindsInOurTestsCounts(t *testing.T) {
	t.Parallel()
	found := func(path, print string) qa.Finding {
		return qa.Finding{Path: path, Fingerprint: print, Status: qa.StatusNew, Evidence: qa.Corroborated}
	}
	first := []qa.Finding{found("a.go", "111111"), found("a.go", "222222")}
	a := Assembly{State: &task.State{
		Regression: &finding.Result{Findings: []qa.Finding{first[0], found("a_test.go", "333333"), found("a.go", "444444")}},
		Kept:       trials.Kept{Files: map[string]string{"a_test.go": "package a\n"}},
	}}
	got := a.proven(slices.Clone(first))
	if len(got) != 3 || got[2].ID != "RESCAN-333333" || !got[2].Counts() {
		t.Errorf("got %+v", got)
	}
}

func TestWhatTheSecondScanDidNotSeeIsSaid(t *testing.T) {
	t.Parallel()
	first := []qa.Engine{{Name: "ruff", State: "ran", Findings: 2}, {Name: "gosec", State: "missing", Gap: "1 Go file"}, {Name: "secrets", State: "ran"}}
	a := Assembly{State: &task.State{}}
	if d := cmp.Diff(first, a.bothTimes(first)); d != "" {
		t.Error(d)
	}
	a.State.Regression = &finding.Result{Engines: []qa.Engine{
		{Name: "ruff", State: "timeout", Reason: "stopped after 3m0s", Gap: "2 Python files"}, {Name: "gosec", State: "missing", Gap: "2 Go files"}, {Name: "secrets", State: "ran"},
	}}
	want := slices.Clone(first)
	want[0] = qa.Engine{Name: "ruff", State: "timeout", Reason: "with the kept tests in place: stopped after 3m0s", Gap: "2 Python files", Findings: 2}
	if d := cmp.Diff(want, a.bothTimes(first)); d != "" {
		t.Error(d)
	}
}
