package past

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
)

// TestEvidenceIsCarriedOn until a run has an answer for it, and by no default branch.
func TestEvidenceIsCarriedOn(t *testing.T) {
	t.Parallel()
	e := history.Evidence{Name: "TestA", Path: "a_test.go", Code: "code", Layer: qa.L1, Suite: ".", Framework: "gotest", Source: "a.go",
		Commit: strings.Repeat("a", 40), Finding: "f"}
	m := Memory{Ledger: history.Ledger{Evidence: []history.Evidence{e}}}
	again := func(g qa.GeneratedTest) *qa.Report {
		g.Path, g.Code, g.Origin = e.Path, e.Code, &qa.Origin{Finding: e.Finding}
		return &qa.Report{Generated: []qa.GeneratedTest{g}}
	}
	for name, c := range map[string]struct {
		report  *qa.Report
		carried int
		mended  bool
	}{
		"not tried":                    {&qa.Report{}, 1, false},
		"another test of that text":    {&qa.Report{Generated: []qa.GeneratedTest{{Path: e.Path, Code: e.Code, Kept: true}}}, 1, false},
		"base did not run":             {again(qa.GeneratedTest{Gate: "G4", Head: qa.Passed, Base: qa.NotRun}), 1, false},
		"kept":                         {again(qa.GeneratedTest{Kept: true, Head: qa.Passed, Base: qa.Passed}), 0, true},
		"passes and is of no use":      {again(qa.GeneratedTest{Gate: "G8", Head: qa.Passed, Base: qa.Passed}), 0, true},
		"passes now and then":          {again(qa.GeneratedTest{Gate: "G5", Head: qa.Passed, Base: qa.Passed}), 0, false},
		"does not build":               {again(qa.GeneratedTest{Gate: "G2"}), 0, false},
		"still fails, as a new record": {again(qa.GeneratedTest{Gate: "G4", Head: qa.Failed, Base: qa.Passed}), 0, false},
		"the project has it":           {again(qa.GeneratedTest{Gate: "G1"}), 0, false},
	} {
		r := Reader{}
		assert.Equal(t, len(r.Ledger(m, c.report, nil).Evidence), c.carried, name)
		assert.Equal(t, mended(c.report)["f"], c.mended, name)
	}
	onMain := Reader{Source: Source{Default: true}}
	assert.Equal(t, len(onMain.Ledger(m, &qa.Report{}, m.Ledger.Evidence).Evidence), 0)
	usable, _ := onMain.Evidence(m)
	assert.Equal(t, len(usable), 0)
}
