package trials

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestLearnt: a round has taught something when a test of a function was dropped at a
// gate that stopped none of it before; evidence is not dropped.
func TestLearnt(t *testing.T) {
	t.Parallel()
	dropped := func(target, gate string) qa.GeneratedTest {
		return qa.GeneratedTest{Name: "T", Path: "p", Source: "a.go", Target: target, Gate: gate}
	}
	now := Trial{Tests: []qa.GeneratedTest{dropped("F", "G0")}}
	assert.Assert(t, now.Learnt(nil))
	assert.Assert(t, !now.Learnt([]Trial{{Tests: []qa.GeneratedTest{dropped("F", "G0")}}}), "told before")
	assert.Assert(t, now.Learnt([]Trial{{Tests: []qa.GeneratedTest{dropped("F", "G5"), dropped("G", "G0")}}}))
	evidence := Trial{Tests: []qa.GeneratedTest{dropped("F", "G4")}, Proofs: []Proof{{Proof: qa.Proof{Path: "p", Test: "T"}}}}
	assert.Assert(t, !evidence.Learnt(nil))
	assert.Assert(t, !(&Trial{Tests: []qa.GeneratedTest{{Kept: true}}}).Learnt(nil))
}
