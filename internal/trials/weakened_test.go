package trials

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

// TestWeak: a mutant proves that a test was weakened, the more so in lines that the change
// wrote. A test that
// fails as it was is low, and proven where base passes it; what is set aside stays aside.
func TestWeak(t *testing.T) {
	t.Parallel()
	change := qa.Change{Files: []qa.FileChange{{Path: "a.go", Kind: qa.KindSource, Added: []qa.Range{{Start: 10, End: 12}}}}}
	mutant := func(line int) *qa.Proof {
		return &qa.Proof{Test: "TestA", Path: "a_test.go", Base: qa.Passed, Head: qa.Passed, Mutant: &qa.Mutant{Path: "a.go", Line: line, Original: "<", Replacement: "<="}}
	}
	for name, c := range map[string]struct {
		status   qa.FindingStatus
		weak     []Weak
		severity qa.Severity
		evidence qa.Evidence
		says     string
	}{
		"nothing ran":             {qa.StatusNew, nil, qa.Low, qa.Corroborated, ""},
		"a mutant elsewhere":      {qa.StatusNew, []Weak{{Finding: "f", Proof: mutant(40)}}, qa.Medium, qa.Proven, ""},
		"a mutant in the change":  {qa.StatusNew, []Weak{{Finding: "f", Proof: mutant(11)}}, qa.High, qa.Proven, ""},
		"fails as it was":         {qa.StatusNew, []Weak{{Finding: "f", Outdated: true}}, qa.Low, qa.Corroborated, "fails on head"},
		"passes on base":          {qa.StatusNew, []Weak{{Finding: "f", Outdated: true, Proof: &qa.Proof{Test: "TestA", Base: qa.Passed, Head: qa.Failed, Regression: true}}}, qa.Low, qa.Proven, "fails on head"},
		"of another finding":      {qa.StatusNew, []Weak{{Finding: "g", Proof: mutant(11)}}, qa.Low, qa.Corroborated, ""},
		"dismissed with a reason": {qa.StatusDismissed, []Weak{{Finding: "f", Proof: mutant(11)}}, qa.Low, qa.Corroborated, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := qa.Finding{ID: "F1", Fingerprint: "f", Rule: qa.Rule{ID: "weakened-test/skipped"}, Path: "a_test.go", Status: c.status, Evidence: qa.Corroborated, Severity: qa.Low}
			got := Proofs{Change: change, Weak: c.weak, Code: related.New(checkout.Checkout{Root: t.TempDir()})}.Show([]qa.Finding{f})
			assert.Equal(t, len(got), 1)
			assert.Equal(t, got[0].Severity, c.severity)
			assert.Equal(t, got[0].Evidence, c.evidence)
			assert.Equal(t, got[0].Proof != nil, c.evidence == qa.Proven)
			assert.Assert(t, strings.Contains(got[0].Message, c.says))
		})
	}
}
