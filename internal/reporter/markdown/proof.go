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

// shown is a failing test with the finding that it shows.
type shown struct {
	f qa.Finding
	p qa.Proof
}

// proofSections show the code of the tests that show findings: those that prove a
// regression are to be added with its fix, the others are to be judged.
func proofSections(p page) []fit.Section {
	var add, judge []shown
	fix := extract.ToAdd(p.r.Findings)
	for _, f := range p.r.Findings {
		if f.Proof == nil {
			continue
		}
		if f.Proof.Code != "" && !extract.IsToAdd(*f.Proof, fix) {
			judge = append(judge, shown{f, *f.Proof})
		}
		for _, one := range append([]qa.Proof{*f.Proof}, f.Also...) {
			if one.Code != "" && extract.IsToAdd(one, fix) {
				add = append(add, shown{f, one})
			}
		}
	}
	with := fit.Section{Title: "tests to add with your fix", Noun: "tests to add with your fix", Rank: 4, Share: 0.2,
		Open: "Each passes on base and fails on this change. `git apply evidence.patch` adds them, from the files of this run; they pass when what they prove is mended. The next push runs them again and keeps what passes then.\n\n"}
	alone := fit.Section{Title: "failing tests", Noun: "failing tests", Rank: 4, Share: 0.2}
	return []fit.Section{
		listed(p, with, wording.Count(len(add), "test")+" to add with your fix", add, shown.text),
		listed(p, alone, "Code of "+wording.Count(len(judge), "failing test"), judge, shown.text),
	}
}

func (s shown) text() string {
	subject := escape.Code(s.f.ID, 40)
	if s.f.Symbol != "" {
		subject += " in " + escape.Code(s.f.Symbol, 80)
	}
	if s.p.Races {
		subject += ", which fails with `-race` alone"
	}
	return fmt.Sprintf("%s, to stand in %s\n\n%s\n", subject, escape.Code(s.p.Path, 100), escape.Fenced(s.p.Code, s.p.Path, proofLines))
}
