package reporter

import (
	"fmt"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// proofLines is how much of a failing test is shown; all of it is in the
// session.
const proofLines = 60

// proofs shows the code of the tests that show findings: to be read, and to be
// run by who wants to see them fail.
func (p page) proofs() section {
	shown := selected(p.r.Findings, func(f qa.Finding) bool { return f.Proof != nil && f.Proof.Code != "" })
	if len(shown) == 0 {
		return section{}
	}
	s := section{title: "failing tests", noun: "failing tests", rank: 4, share: 0.2}
	s.open, s.close = p.fold("Code of " + wording.Count(len(shown), "failing test"))
	for _, f := range shown {
		subject := code(f.ID, 40)
		if f.Symbol != "" {
			subject += " in " + code(f.Symbol, 80)
		}
		s.items = append(s.items, item{full: fmt.Sprintf("%s, to stand in %s\n\n%s\n",
			subject, code(f.Proof.Path, 100), fenced(f.Proof.Code, f.Proof.Path, proofLines))})
	}
	return s
}
