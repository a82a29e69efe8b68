package mode

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
)

func TestProve(t *testing.T) {
	t.Parallel()
	change := qa.Change{Files: []qa.FileChange{{Path: "a.go", Kind: qa.KindSource, Added: []qa.Range{{Start: 10, End: 12}}}}}
	claim := func(line int, status qa.FindingStatus, evidence qa.Evidence) qa.Finding {
		return qa.Finding{ID: "F1", Path: "a.go", Lines: qa.Range{Start: line, End: line}, Status: status, Evidence: evidence, Severity: qa.High}
	}
	shown := func(finding string, base qa.Status, regression bool) proof {
		return proof{Proof: qa.Proof{Test: "TestA", Path: "a_test.go", Base: base, Head: qa.Failed, Regression: regression}, Finding: finding, Source: "a.go", Target: "A"}
	}
	for name, c := range map[string]struct {
		finding  qa.Finding
		proofs   []proof
		evidence qa.Evidence
		status   qa.FindingStatus
		more     string // rule of a further finding
	}{
		"nothing ran":                        {claim(10, qa.StatusNew, qa.Corroborated), nil, qa.Corroborated, qa.StatusNew, ""},
		"a regression":                       {claim(10, qa.StatusNew, qa.Corroborated), []proof{shown("F1", qa.Passed, true)}, qa.Proven, qa.StatusNew, ""},
		"a regression of a folded claim":     {claim(10, qa.StatusNew, qa.Suspected), []proof{shown("F1", qa.Passed, true)}, qa.Proven, qa.StatusNew, ""},
		"a regression on lines left alone":   {claim(40, qa.StatusKnown, qa.Corroborated), []proof{shown("F1", qa.Passed, true)}, qa.Proven, qa.StatusNew, ""},
		"stood before":                       {claim(40, qa.StatusNew, qa.Corroborated), []proof{shown("F1", qa.Failed, false)}, qa.Proven, qa.StatusKnown, ""},
		"fails on both, on lines it wrote":   {claim(10, qa.StatusNew, qa.Corroborated), []proof{shown("F1", qa.Failed, false)}, qa.Corroborated, qa.StatusNew, ""},
		"a folded claim and a test of it":    {claim(10, qa.StatusNew, qa.Suspected), []proof{shown("F1", qa.Failed, false)}, qa.Suspected, qa.StatusNew, ""},
		"base has nothing like it":           {claim(10, qa.StatusNew, qa.Corroborated), []proof{shown("F1", qa.BuildFailed, false)}, qa.Corroborated, qa.StatusNew, ""},
		"nobody claimed it":                  {claim(10, qa.StatusNew, qa.Corroborated), []proof{shown("", qa.Passed, true)}, qa.Corroborated, qa.StatusNew, "qa/regression"},
		"the model alone holds it right":     {claim(10, qa.StatusNew, qa.Corroborated), []proof{shown("", qa.Failed, false)}, qa.Corroborated, qa.StatusNew, "qa/suspicion"},
		"a weaker proof after a better one":  {claim(10, qa.StatusNew, qa.Corroborated), []proof{shown("F1", qa.Passed, true), shown("F1", qa.Failed, false)}, qa.Proven, qa.StatusNew, ""},
		"a better proof after a weaker one":  {claim(10, qa.StatusNew, qa.Corroborated), []proof{shown("F1", qa.Failed, false), shown("F1", qa.Passed, true)}, qa.Proven, qa.StatusNew, ""},
		"dismissed stays dismissed when new": {claim(10, qa.StatusDismissed, qa.Corroborated), []proof{shown("F1", qa.Passed, true)}, qa.Proven, qa.StatusDismissed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &run{Deps: Deps{Change: change}, proofs: c.proofs}
			got := r.prove([]qa.Finding{c.finding})
			if got[0].Evidence != c.evidence || got[0].Status != c.status {
				t.Errorf("%s, %s", got[0].Evidence, got[0].Status)
			}
			switch {
			case c.more == "" && len(got) != 1:
				t.Errorf("a further finding: %+v", got[1:])
			case c.more != "" && (len(got) != 2 || got[1].Rule.ID != c.more || got[1].Proof == nil):
				t.Errorf("got %+v", got[1:])
			case c.more == "qa/suspicion" && got[1].Counts():
				t.Error("a model's word counts")
			}
		})
	}
}
