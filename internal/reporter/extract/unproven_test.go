package extract

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// A model's finding that no test shows says how far the tests for it came.
func TestUnproven(t *testing.T) {
	t.Parallel()
	claimed := qa.Finding{ID: "SCOUT-ISSUE-1", Severity: qa.High, Engines: []string{"model"}, Evidence: qa.Corroborated, Status: qa.StatusNew}
	shown, others := claimed, claimed
	shown.Proof, others.Engines = &qa.Proof{Test: "TestA"}, []string{"gosec"}
	low, fresh, certain := claimed, claimed, claimed
	low.Severity, fresh.Evidence = qa.Low, qa.Suspected
	fresh.Fresh, certain.Fresh = true, true
	wrote := func(finding, gate, reason string) qa.GeneratedTest {
		return qa.GeneratedTest{Finding: finding, Gate: gate, Reason: reason}
	}
	tests := []qa.GeneratedTest{wrote("SCOUT-ISSUE-1", "G2", "does not build"), wrote("SCOUT-ISSUE-1", "G10", "passes on both"), wrote("SCOUT-ISSUE-2", "G12", "is slow"), wrote("", "G1", "has no name")}
	for name, c := range map[string]struct {
		f     qa.Finding
		tests []qa.GeneratedTest
		want  string
	}{
		"the furthest is told":   {claimed, tests, "2 tests written for it, none of them shows it; at best: G10 passes on both"},
		"one":                    {claimed, tests[:1], "1 test written for it, none of them shows it; at best: G2 does not build"},
		"kept, and shows it not": {claimed, append([]qa.GeneratedTest{{Finding: "SCOUT-ISSUE-1", Kept: true, Reason: "covers a line"}}, tests[:1]...), "2 tests written for it, none of them shows it; at best: G2 does not build"},
		"none":                   {claimed, tests[2:], "no test was written for it"},
		"nobody wrote tests":     {claimed, nil, ""},
		"low, and not tested":    {low, tests[2:], "not tested, as it is low"},
		"low, without any test":  {low, nil, "not tested, as it is low"},
		"low, and tested":        {low, tests[:1], "1 test written for it, none of them shows it; at best: G2 does not build"},
		"a remark":               {fresh, tests[2:], "no test was written for it; nothing that stood before the change leads to it, so that it is a remark"},
		"new code that counts":   {certain, nil, ""},
		"proven":                 {shown, tests, ""},
		"an engine's":            {others, tests, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, Unproven(&qa.Report{Generated: c.tests}, c.f), c.want)
		})
	}
}
