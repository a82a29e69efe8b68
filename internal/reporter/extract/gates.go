package extract

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Verdict is the word for a gate or run that everyone reads; an unknown one is
// never shown as passed.
func Verdict(v qa.Verdict) string {
	switch v {
	case qa.Pass, qa.Conditional, qa.Fail, qa.Inconclusive, qa.NotApplicable, qa.Advisory:
		return string(v)
	}
	return string(qa.Inconclusive)
}

// SortedGates puts the rows that decide first: failed, inconclusive,
// conditional, passed, the rest; else in the order given. A verdict that is no
// verdict counts as inconclusive.
func SortedGates(gates []qa.Gate) []qa.Gate {
	var out []qa.Gate
	for _, want := range []qa.Verdict{qa.Fail, qa.Inconclusive, qa.Conditional, qa.Pass, qa.Advisory, qa.NotApplicable} {
		for _, g := range gates {
			if g.Verdict = qa.Verdict(Verdict(g.Verdict)); g.Verdict == want {
				out = append(out, g)
			}
		}
	}
	return out
}

// InputNames splits a gate's input; a dash is none.
func InputNames(s string) []string {
	var out []string
	for _, name := range strings.Split(wording.Line(s, 120), ", ") {
		if name = strings.TrimSpace(name); name != "" && name != "—" {
			out = append(out, name)
		}
	}
	return out
}

// GatesTitle counts the gates that decide; advisory ones are told apart.
func GatesTitle(rows []qa.Gate) string {
	passed, deciding, advisory := 0, 0, 0
	for _, g := range rows {
		switch g.Verdict {
		case qa.NotApplicable:
			continue
		case qa.Advisory:
			advisory++
			continue
		case qa.Pass:
			passed++
		}
		deciding++
	}
	title := "Gates: nothing to judge"
	if deciding > 0 {
		title = fmt.Sprintf("Gates: %d of %d passed", passed, deciding)
	}
	if advisory > 0 {
		title += fmt.Sprintf(", %d advisory", advisory)
	}
	return title
}
