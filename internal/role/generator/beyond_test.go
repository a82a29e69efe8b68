package generator

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestBeyond: only a finding that was told, with a reason and without any test, is left
// without one; what nothing proves says why, and stays what it is.
func TestBeyond(t *testing.T) {
	t.Parallel()
	k := Known{Findings: []qa.Finding{{ID: "SCOUT-ISSUE-1", Fingerprint: "a"}, {ID: "SCOUT-ISSUE-2", Fingerprint: "b"}}}
	of := func(finding, code, why string) Candidate {
		return Candidate{Test: Test{Finding: finding, Code: code, Why: why}}
	}
	tests, beyond := k.Beyond([]Candidate{
		of("SCOUT-ISSUE-1", " ", " a race "), of("SCOUT-ISSUE-2", "", "a race"), of("SCOUT-ISSUE-2", "test()", ""), of("SCOUT-ISSUE-3", "", "a race"), of("", "", ""),
	})
	assert.Equal(t, len(tests), 3, "what has no code and no reason is refused by the gates")
	assert.DeepEqual(t, beyond, []Beyond{{Finding: "a", Why: "a race"}})
	k.Left = beyond
	assert.DeepEqual(t, k.asked(), k.Findings[1:])

	f := qa.Finding{Fingerprint: "a", Message: "Two write.", Severity: qa.High, Evidence: qa.Suspected}
	beyond[0].Tell(&f)
	assert.DeepEqual(t, f, qa.Finding{Fingerprint: "a", Message: "Two write. No test can show it, says who was asked for one: a race", Severity: qa.High, Evidence: qa.Suspected})
	f = qa.Finding{Fingerprint: "a", Evidence: qa.Proven}
	beyond[0].Tell(&f)
	assert.Equal(t, f.Message, "")
}
