package quality

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// The sentence above the recommendations never says more than the verdict.
func TestBandSaysNoMoreThanTheVerdict(t *testing.T) {
	t.Parallel()
	failing := func(triage qa.Triage) func(*qa.Report) {
		return func(r *qa.Report) {
			r.Tests.Failing = []qa.FailingTest{{Triage: triage, Case: qa.Case{Name: "TestA", Status: qa.Failed}}}
		}
	}
	found := func(severity qa.Severity, evidence qa.Evidence, n int) func(*qa.Report) {
		return func(r *qa.Report) {
			for range n {
				r.Findings = append(r.Findings, finding(qa.Security, severity, evidence))
			}
		}
	}
	for name, c := range map[string]struct {
		edit  func(*qa.Report)
		rules Rules
		want  string
	}{
		"spotless":                   {func(*qa.Report) {}, Rules{}, "good: nothing measured stands against this change"},
		"a claim without evidence":   {found(qa.Low, qa.Suspected, 1), Rules{}, "good: nothing measured stands against this change"},
		"a high finding":             {found(qa.High, qa.Corroborated, 1), Rules{}, "good, with points to look at in the gates and below"},
		"a small finding":            {found(qa.Low, qa.Corroborated, 1), Rules{}, "good, with points to look at in the gates and below"},
		"a flaky test":               {failing(qa.FlakyFailure), Rules{}, "good, with points to look at in the gates and below"},
		"a finding that gates":       {found(qa.High, qa.Corroborated, 1), Rules{FailOn: []string{qa.GateFindings}}, "blocked: do not merge before every gate passes"},
		"a new failing test":         {failing(qa.NewFailure), Rules{}, "blocked: do not merge before every gate passes"},
		"more than a few findings":   {found(qa.High, qa.Corroborated, 4), Rules{}, "needs improvement: close the gaps below before merging"},
		"many findings":              {found(qa.Critical, qa.Corroborated, 9), Rules{}, "concerning: do not merge before the points below are resolved"},
		"the model had to work":      {func(r *qa.Report) { r.Manifest.Model.Error = "no answer" }, Rules{MustModel: true}, "undecided: settle first what could not be told"},
		"ended early":                {func(r *qa.Report) { r.Partial = true }, Rules{}, "no score: the run ended before all its tasks were done"},
		"ended early, with findings": {func(r *qa.Report) { r.Partial = true; found(qa.High, qa.Corroborated, 1)(r) }, Rules{}, "no score: the run ended before all its tasks were done"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := green()
			c.edit(r)
			c.rules.Target = 80
			r.Score = Score(r)
			Judge(r, c.rules)
			if got := Band(r); got != c.want {
				t.Errorf("%s with score %v: %q, want %q", r.Result, r.Score.Value, got, c.want)
			}
		})
	}
}
