package reporter

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// generated lists the tests that were written, kept ones first, dropped ones
// with the gate that dropped them.
func (p page) generated() section {
	tests := p.r.Generated
	if len(tests) == 0 {
		return section{}
	}
	kept := keptTests(tests)
	s := section{title: "generated tests", noun: "generated tests", rank: 5, share: 0.15}
	s.open, s.close = p.fold(fmt.Sprintf("Generated tests: %d kept, %d dropped", kept, len(tests)-kept))
	s.open += "| | Test | Layer | For | Base → head | Why |\n|---|---|---|---|---|---|\n"
	for _, t := range keptFirst(tests) {
		s.items = append(s.items, item{full: fmt.Sprintf("| %s | %s<br>%s | %s %s | %s | %s | %s |\n",
			keptMark(t), code(t.Name, nameLimit), code(t.Path, 100), prose(string(t.Layer), 8), prose(t.Lane, 20), code(t.Target, 80),
			baseHead(t), generatedWhy(t))})
	}
	return s
}

func keptFirst(tests []qa.GeneratedTest) []qa.GeneratedTest {
	out := append([]qa.GeneratedTest(nil), tests...)
	sortBy(out, func(t qa.GeneratedTest) (int, string) {
		if t.Kept {
			return 0, ""
		}
		return 1, ""
	})
	return out
}

func keptMark(t qa.GeneratedTest) string {
	if t.Kept {
		return "✅ kept"
	}
	return "✖️ dropped"
}

func baseHead(t qa.GeneratedTest) string {
	if t.Base == "" && t.Head == "" {
		return ""
	}
	return orUnknown(prose(string(t.Base), 20)) + " → " + orUnknown(prose(string(t.Head), 20))
}

func generatedWhy(t qa.GeneratedTest) string {
	var parts []string
	if t.Class != "" {
		parts = append(parts, prose(t.Class, 40))
	}
	if !t.Kept {
		parts = append(parts, strings.TrimSpace(prose(t.Gate, 10)+" "+prose(t.Reason, 200)))
		return strings.Join(nonEmpty(parts), " · ")
	}
	if n := lineCount(t.Covers); n > 0 {
		parts = append(parts, "covers "+wording.Count(n, "more changed line"))
	}
	if t.Kills > 0 {
		parts = append(parts, "kills "+wording.Count(t.Kills, "mutant"))
	}
	if t.Repairs > 0 {
		parts = append(parts, wording.Count(t.Repairs, "repair"))
	}
	return strings.Join(parts, " · ")
}

// mutation is the share of injected faults in changed lines that tests notice.
func (p page) mutation() section {
	m := p.r.Mutation
	if m == nil {
		return section{}
	}
	score := mutationCount(m)
	text := "Mutants on changed lines: " + fraction(score) + " killed"
	if score.Total == 0 {
		text = "Mutants on changed lines: none could be judged"
	}
	if m.Before != nil {
		text += " (before generated tests " + ratePercent(m.Before) + ")"
	}
	s := section{title: "mutation score", noun: "surviving mutants", rank: 5, share: 0.1}
	s.open, s.close = p.fold(text)
	s.open += fmt.Sprintf("%d killed, %d survived, %d timed out, %d without coverage, %d invalid.\n\n",
		m.Killed, m.Survived, m.Timeout, m.NoCover, m.Invalid)
	for _, survivor := range m.Survivors {
		s.items = append(s.items, item{full: "- survived: " + code(survivor, 200) + "\n"})
	}
	return s
}

// mutationCount counts a time-out as killed and leaves invalid mutants out, as
// the mutation-testing report schema's metrics do.
func mutationCount(m *qa.Mutation) qa.Count {
	killed := m.Killed + m.Timeout
	return qa.Count{Covered: killed, Total: killed + m.Survived + m.NoCover}
}
