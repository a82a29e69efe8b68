package markdown

import (
	"fmt"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/wording"
)

// proofLines is how much of a failing test is shown; all of it is in the
// session.
const proofLines = 60

// proofs shows the code of the tests that show findings: to be read, and to be
// run by who wants to see them fail.
func proofsSection(p page) fit.Section {
	shown := extract.Selected(p.r.Findings, func(f qa.Finding) bool { return f.Proof != nil && f.Proof.Code != "" })
	s := fit.Section{Title: "failing tests", Noun: "failing tests", Rank: 4, Share: 0.2}
	return listed(p, s, "Code of "+wording.Count(len(shown), "failing test"), shown, func(f qa.Finding) string {
		subject := escape.Code(f.ID, 40)
		if f.Symbol != "" {
			subject += " in " + escape.Code(f.Symbol, 80)
		}
		return fmt.Sprintf("%s, to stand in %s\n\n%s\n", subject, escape.Code(f.Proof.Path, 100), escape.Fenced(f.Proof.Code, f.Proof.Path, proofLines))
	})
}
