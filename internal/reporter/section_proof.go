package reporter

import (
	"fmt"

	"github.com/org/qa-action/internal/qa"
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
	s.open, s.close = p.fold("Code of " + plural(len(shown), "failing test"))
	for _, f := range shown {
		s.items = append(s.items, item{full: fmt.Sprintf("%s: %s, for %s\n\n%s\n",
			code(f.ID, 40), code(f.Proof.Path, 100), code(f.Symbol, 80), fenced(f.Proof.Code, f.Proof.Path, proofLines))})
	}
	return s
}
