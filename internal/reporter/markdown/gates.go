package markdown

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
)

// gates is the gate table. In the open are the rows that decided against the
// change or could not decide; on a page that folds, the others are one line
// that opens.
func gateSections(p page) []fit.Section {
	rows := extract.SortedGates(p.r)
	if len(rows) == 0 {
		return []fit.Section{{Title: "gates", Open: "No gate was evaluated.\n\n", Must: true}}
	}
	if !p.folds {
		return []fit.Section{gateTable(rows, "", "\n")}
	}
	calm := len(rows)
	for calm > 0 && !decides(rows[calm-1].Verdict) {
		calm--
	}
	if calm == 0 {
		start, end := p.fold(extract.GatesTitle(rows))
		return []fit.Section{gateTable(rows, start, end)}
	}
	out := []fit.Section{gateTable(rows[:calm], "", "\n")}
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
func gateTable(rows []qa.Gate, start, end string) fit.Section {
	s := fit.Section{Title: "gates", Noun: "gates", Must: true, Close: end}
	s.Open = start + "| Gate | Measured | Rule · input that changes it |\n|---|---|---|\n"
	var names []string
	for _, g := range rows {
		title := icon(g.Verdict) + "&nbsp;" + extract.Verdict(g.Verdict) + "<br>**" + escape.Prose(g.Name, 60) + "**"
		measured := escape.Prose(escape.List(g.Measured, 120), 120)
		if g.Reason != "" && g.Verdict != qa.Pass {
			measured += "<br>" + escape.Prose(escape.List(g.Reason, 240), 240)
		}
		rule := strings.Join(append(extract.NonEmpty([]string{escape.Prose(g.Rule, 160)}), inputs(g.Input)...), " · ")
		s.Items = append(s.Items, fit.Item{
			Full:  fmt.Sprintf("| %s | %s | %s |\n", title, measured, rule),
			Short: fmt.Sprintf("| %s | | |\n", title),
		})
		names = append(names, icon(g.Verdict)+" "+escape.Prose(g.Name, 60))
	}
	s.Tight = func(limit int) string {
		const head, tail = "Gates: ", "\n\n"
		if all := head + strings.Join(names, ", ") + tail; len(all) <= limit {
			return all
		}
		return fit.Packed(head, names, ", ", tail, limit)
	}
	return s
}

func inputs(s string) []string {
	names := extract.InputNames(s)
	for i, name := range names {
		names[i] = escape.Code(name, 60)
	}
	return names
}
