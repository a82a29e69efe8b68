package markdown

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/number"
)

// generated lists the tests that were written, kept ones first, dropped ones
// with the gate that dropped them.
func generatedSection(p page) fit.Section {
	tests := p.r.Generated
	add := extract.ToAdd(p.r.Findings)
	s := fit.Section{Title: "generated tests", Noun: "generated tests", Rank: 5, Share: 0.15,
		Open: "| | Test | Layer | For | Base → head | Why |\n|---|---|---|---|---|---|\n"}
	return listed(p, s, extract.GeneratedTitle(tests, add), extract.KeptFirst(tests), func(t qa.GeneratedTest) string {
		mark := map[string]string{"kept": "✅ ", "dropped": "✖️ "}[extract.Fate(t, add)] + extract.Fate(t, add)
		return fmt.Sprintf("| %s | %s<br>%s | %s %s | %s | %s | %s |\n",
			mark, escape.Code(t.Name, extract.NameLimit), escape.Code(t.Path, 100), escape.Prose(string(t.Layer), 8), escape.Prose(t.Lane, 20), escape.Code(t.Target, 80),
			baseHead(t), generatedWhy(t))
	})
}

func baseHead(t qa.GeneratedTest) string {
	if t.Base == "" && t.Head == "" {
		return ""
	}
	return extract.OrUnknown(escape.Prose(string(t.Base), 20)) + " → " + extract.OrUnknown(escape.Prose(string(t.Head), 20))
}

func generatedWhy(t qa.GeneratedTest) string {
	var parts []string
	if t.Class != "" {
		parts = append(parts, escape.Prose(t.Class, 40))
	}
	if !t.Kept {
		parts = append(parts, strings.TrimSpace(escape.Prose(t.Gate, 10)+" "+escape.Prose(t.Reason, 200)))
		return strings.Join(extract.NonEmpty(parts), " · ")
	}
	return strings.Join(append(parts, extract.Earned(t)...), " · ")
}

// mutation is the share of injected faults in changed lines that tests notice.
func mutationSection(p page) fit.Section {
	m := p.r.Mutation
	if m == nil {
		return fit.Section{}
	}
	score := extract.MutationCount(m)
	text := "Mutants on changed lines: " + number.Fraction(score) + " killed"
	if score.Total == 0 {
		text = "Mutants on changed lines: none could be judged"
	}
	if m.Before != nil {
		text += " (before generated tests " + number.RatePercent(m.Before) + ")"
	}
	s := fit.Section{Title: "mutation score", Noun: "surviving mutants", Rank: 5, Share: 0.1}
	s.Open, s.Close = p.fold(text)
	s.Open += fmt.Sprintf("%d killed, %d survived, %d timed out, %d without coverage, %d invalid.\n\n",
		m.Killed, m.Survived, m.Timeout, m.NoCover, m.Invalid)
	for _, survivor := range m.Survivors {
		s.Items = append(s.Items, fit.Item{Full: "- survived: " + escape.Code(survivor, 200) + "\n"})
	}
	return s
}
