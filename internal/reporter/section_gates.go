package reporter

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// gates is the gate table. In the open are the rows that decided against the
// change or could not decide; on a page that folds, the others are one line
// that opens.
func (p page) gates() []section {
	rows := sortedGates(p.r.Gates)
	if len(rows) == 0 {
		return []section{{title: "gates", open: "No gate was evaluated.\n\n", must: true}}
	}
	if !p.folds {
		return []section{gateTable(rows, "", "\n")}
	}
	calm := len(rows)
	for calm > 0 && !decides(rows[calm-1].Verdict) {
		calm--
	}
	if calm == 0 {
		start, end := p.fold(gatesTitle(rows))
		return []section{gateTable(rows, start, end)}
	}
	out := []section{gateTable(rows[:calm], "", "\n")}
	if rest := rows[calm:]; len(rest) > 0 {
		start, end := p.fold(restTitle(rest))
		out = append(out, gateTable(rest, start, end))
	}
	return out
}

// decides reports whether a gate with this verdict asks for a person.
func decides(v qa.Verdict) bool {
	return v != qa.Pass && v != qa.Advisory && v != qa.NotApplicable
}

// restTitle counts gates that ask for nobody: "✅ 4 passed · ℹ️ 2 advisory".
func restTitle(rows []qa.Gate) string {
	var parts []string
	for _, kind := range []struct {
		verdict qa.Verdict
		word    string
	}{{qa.Pass, "passed"}, {qa.Advisory, "advisory"}, {qa.NotApplicable, "not applicable"}} {
		n := 0
		for _, g := range rows {
			if g.Verdict == kind.verdict {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d %s", icon(kind.verdict), n, kind.word))
		}
	}
	return "Other gates: " + strings.Join(parts, " · ")
}

// gateTable has three columns, because a phone shows no more: verdict with
// name, what was measured, and the rule with the input that changes it.
func gateTable(rows []qa.Gate, start, end string) section {
	s := section{title: "gates", noun: "gates", must: true, close: end}
	s.open = start + "| Gate | Measured | Rule · input that changes it |\n|---|---|---|\n"
	var names []string
	for _, g := range rows {
		title := icon(g.Verdict) + "&nbsp;" + verdict(g.Verdict) + "<br>**" + prose(g.Name, 60) + "**"
		measured := prose(list(g.Measured, 120), 120)
		if g.Reason != "" && g.Verdict != qa.Pass {
			measured += "<br>" + prose(list(g.Reason, 240), 240)
		}
		rule := strings.Join(append(nonEmpty([]string{prose(g.Rule, 160)}), inputs(g.Input)...), " · ")
		s.items = append(s.items, item{
			full:  fmt.Sprintf("| %s | %s | %s |\n", title, measured, rule),
			short: fmt.Sprintf("| %s | | |\n", title),
		})
		names = append(names, icon(g.Verdict)+" "+prose(g.Name, 60))
	}
	s.tight = func(limit int) string {
		const head, tail = "Gates: ", "\n\n"
		if all := head + strings.Join(names, ", ") + tail; len(all) <= limit {
			return all
		}
		return packed(head, names, ", ", tail, limit)
	}
	return s
}

// sortedGates puts the rows that decide first: failed, inconclusive,
// conditional, passed, the rest; else in the order given. A verdict that is no
// verdict counts as inconclusive.
func sortedGates(gates []qa.Gate) []qa.Gate {
	var out []qa.Gate
	for _, want := range []qa.Verdict{qa.Fail, qa.Inconclusive, qa.Conditional, qa.Pass, qa.Advisory, qa.NotApplicable} {
		for _, g := range gates {
			if g.Verdict = qa.Verdict(verdict(g.Verdict)); g.Verdict == want {
				out = append(out, g)
			}
		}
	}
	return out
}

// inputNames splits a gate's input; a dash is none.
func inputNames(s string) []string {
	var out []string
	for _, name := range strings.Split(wording.Line(s, 120), ", ") {
		if name = strings.TrimSpace(name); name != "" && name != "—" {
			out = append(out, name)
		}
	}
	return out
}

func inputs(s string) []string {
	names := inputNames(s)
	for i, name := range names {
		names[i] = code(name, 60)
	}
	return names
}

// gatesTitle counts the gates that decide; advisory ones are told apart.
func gatesTitle(rows []qa.Gate) string {
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
