package history

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

func proof(n int) Evidence {
	return Evidence{
		Name: fmt.Sprint("TestA", n), Path: "a_test.go", Code: fmt.Sprintf("func TestA%d(t *testing.T) {}", n), Layer: qa.L1, Suite: ".", Framework: "gotest",
		Source: "a.go", Symbol: "A", Commit: strings.Repeat("a", 40), Finding: "f",
	}
}

// TestEvidenceThatNoRunLeft: what somebody else wrote into a ledger is left out and
// counted.
func TestEvidenceThatNoRunLeft(t *testing.T) {
	t.Parallel()
	for name, poison := range map[string]func(*Evidence){
		"a path out of the checkout":   func(e *Evidence) { e.Path = "../a_test.go" },
		"an absolute path":             func(e *Evidence) { e.Path = "/etc/passwd" },
		"a source out of the checkout": func(e *Evidence) { e.Source = "../../etc/passwd" },
		"no source":                    func(e *Evidence) { e.Source = "" },
		"an option for a commit":       func(e *Evidence) { e.Commit = "--output=/tmp/x" },
		"a branch for a commit":        func(e *Evidence) { e.Commit = "main" },
		"a layer without tests":        func(e *Evidence) { e.Layer = qa.L3 },
		"no code":                      func(e *Evidence) { e.Code = "" },
		"too much code":                func(e *Evidence) { e.Code = strings.Repeat("x", maxCode+1) },
		"a long name":                  func(e *Evidence) { e.Name = strings.Repeat("x", maxName+1) },
		"many imports":                 func(e *Evidence) { e.Imports = make([]string, maxEvidence+1) },
		"a long import":                func(e *Evidence) { e.Imports = []string{strings.Repeat("x", maxName+1)} },
	} {
		bad := proof(1)
		poison(&bad)
		usable, left := Ledger{Evidence: []Evidence{bad, proof(2)}}.Usable()
		assert.Equal(t, left, 1, name)
		assert.DeepEqual(t, usable, []Evidence{proof(2)})
	}
}

// TestEvidenceIsBounded in number and bytes, also when it is recorded.
func TestEvidenceIsBounded(t *testing.T) {
	t.Parallel()
	var many, large Ledger
	for n := range 2 * maxEvidence {
		many.Evidence = append(many.Evidence, proof(n))
		big := proof(n)
		big.Code = strings.Repeat("x", maxCode)
		large.Evidence = append(large.Evidence, big)
	}
	usable, left := many.Usable()
	assert.Equal(t, len(usable), maxEvidence)
	assert.Equal(t, left, maxEvidence)
	usable, _ = large.Usable()
	assert.Equal(t, len(usable), maxText/maxCode)

	b := New()
	many.Head = "h"
	b.Record(Run{ID: "1", SHA: "c1", Ref: "pr/1", Date: noon, Ledger: many})
	assert.Equal(t, len(b.Ledgers["pr/1"].Evidence), maxEvidence)
}

// TestEvidenceGoesBeforeItsLedger where a check run has no room for both; the ledger of
// the caller keeps it.
func TestEvidenceGoesBeforeItsLedger(t *testing.T) {
	t.Parallel()
	d := full(0, 0, 20)
	d.Baseline = nil
	d.Ledger.Evidence = []Evidence{proof(1)}
	text, err := d.Pack(1 << 20)
	check(t, err)
	back, err := Unpack(text)
	check(t, err)
	assert.DeepEqual(t, back.Ledger.Evidence, d.Ledger.Evidence)
	text, err = d.Pack(len(text) - 1)
	check(t, err)
	back, err = Unpack(text)
	check(t, err)
	assert.Equal(t, len(back.Ledger.Entries), 20)
	assert.Equal(t, len(back.Ledger.Evidence), 0)
	assert.Equal(t, len(d.Ledger.Evidence), 1)
}

// TestMendedFindingsAreFixed although the engine that claimed them did not look again.
func TestMendedFindingsAreFixed(t *testing.T) {
	t.Parallel()
	l := Ledger{Head: "h", Entries: []Entry{{Fingerprint: "f", Status: qa.StatusNew}, {Fingerprint: "g", Status: qa.StatusNew}}}
	next, _, delta := l.Advance(Push{Head: "i", Date: noon, Mended: map[string]bool{"f": true}})
	assert.Equal(t, next.Entries[0].Status, qa.StatusFixed)
	assert.Equal(t, next.Entries[1].Status, qa.StatusNew)
	assert.Equal(t, len(delta.Fixed), 1)
}
