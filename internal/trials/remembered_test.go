package trials

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

// TestWhatIsRememberedIsNoMilder: a proof of an earlier run is told as the finding that it
// proved, never as one that fails no gate, and is taken for no finding of low severity.
func TestWhatIsRememberedIsNoMilder(t *testing.T) {
	t.Parallel()
	e := history.Evidence{Name: "TestA", Path: "a_test.go", Code: "code", Source: "a.go", Symbol: "A", Finding: "f"}
	p := Proof{Proof: qa.Proof{Test: "TestA", Path: "a_test.go", Code: "code", Base: qa.Passed, Head: qa.Failed, Regression: true}, Source: "a.go", Target: "A"}
	show := func(severity qa.Severity, found ...qa.Finding) []qa.Finding {
		m := Remembered{Tests: []history.Evidence{e}, Findings: found, Ledger: history.Ledger{Entries: []history.Entry{
			{Fingerprint: "f", Rule: "model/x", Message: "A forgets", Severity: severity}}}}
		p := p
		p.Written = m.candidate(e)
		p.Was, p.Finding = m.was(p), m.candidate(e).Finding
		return Proofs{All: []Proof{p}, Code: related.New(checkout.Checkout{})}.Show(found)
	}
	alone := show(qa.High)
	assert.Equal(t, len(alone), 1)
	assert.Equal(t, alone[0].Fingerprint, "f")
	assert.Equal(t, alone[0].Message, "A forgets")
	assert.Equal(t, alone[0].Evidence, qa.Proven)
	assert.Equal(t, show(qa.Critical)[0].Severity, qa.Critical)
	assert.Equal(t, show(qa.Low)[0].Severity, qa.Medium)
	assert.Equal(t, show("none of ours")[0].Severity, qa.Medium)

	same := show(qa.High, qa.Finding{ID: "SCOUT-1", Fingerprint: "f", Severity: qa.High, Status: qa.StatusNew})
	assert.Equal(t, len(same), 1, "claimed again it is that finding")
	assert.Equal(t, same[0].Proof.Test, "TestA")
	mild := show(qa.High, qa.Finding{ID: "SCOUT-1", Fingerprint: "f", Severity: qa.Low, Status: qa.StatusNew})
	assert.Equal(t, len(mild), 2)
	assert.Equal(t, mild[1].Severity, qa.High)
}

// TestARememberedTestHasANameOfItsOwn: what the change gave its name to does not take its
// place.
func TestARememberedTestHasANameOfItsOwn(t *testing.T) {
	t.Parallel()
	r := Runner{Checkout: checkout.Checkout{Change: qa.Change{Head: "0123456789abcdef"}}}
	m := Remembered{}
	c, ok := r.renamed(m.candidate(history.Evidence{Name: "TestA", Code: "func TestA(t *testing.T) {}"}))
	assert.Assert(t, ok)
	assert.Equal(t, c.Name+" "+c.Code, "TestA_0123456 func TestA_0123456(t *testing.T) {}")
	c, ok = r.renamed(m.candidate(history.Evidence{Name: "a > keeps > x", Code: "it('x', f)"}))
	assert.Assert(t, ok)
	assert.Equal(t, c.Name+" "+c.Code, "a > keeps > x_0123456 it('x_0123456', f)")
	_, ok = r.renamed(m.candidate(history.Evidence{Name: "TestA", Code: "func TestB(t *testing.T) {}"}))
	assert.Assert(t, !ok)
}
