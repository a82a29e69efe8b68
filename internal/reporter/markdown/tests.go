package markdown

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/wording"
)

// failing lists the tests that need attention, with message and command; those
// that fail alike are one entry.
func failingSection(p page) fit.Section {
	all := p.r.Tests.Failing
	if len(all) == 0 {
		return fit.Section{}
	}
	s := fit.Section{Title: "failing tests", Noun: "failing tests", Rank: 1, Share: 0.4, Must: true, Close: "\n"}
	s.Open = p.heading(extract.FailingTitle(all))
	groups := extract.AttentionGroups(extract.Groups(p.r.Tests))
	if extract.TestsIn(groups) > len(groups) {
		s.Noun = "groups of failing tests"
	}
	rows := messageRows
	if len(groups) > 3 && p.folds {
		rows = fewRows // so that a phone shows the next one too
	}
	open := p.open
	if !p.folds {
		open = extract.FileDetails
	}
	for i, g := range groups {
		it := fit.Item{Short: groupLine("🔴", g) + "\n"}
		it.Full = it.Short
		if i < open {
			it.Full = p.failure(g, rows)
		}
		if folded := extract.TestsIn(groups[i:]); p.folds && i == p.open+extract.OpenNames && folded > 1 {
			start, end := p.fold(wording.Count(folded, "more failing test"))
			it.Full, it.Short = "\n"+start+it.Full, "\n"+start+it.Short
			s.Close = end
		}
		s.Items = append(s.Items, it)
	}
	s.Tight = func(limit int) string { return tightNames(s.Open, groups, limit) }
	return s
}

const (
	// A failure's message is shown with so many lines, where many tests failed
	// with fewer.
	messageRows, fewRows = 12, 5
)

// failure is one failing test in full, or a group by its first test.
func (p page) failure(g extract.Group, rows int) string {
	var b strings.Builder
	t := g.First
	fmt.Fprintf(&b, "**🔴 %s**", groupTitle(g))
	if where := p.place(t.Case.File, qa.Range{Start: t.Case.Line, End: t.Case.Line}); where != "" {
		b.WriteString("<br>")
		if g.Count > 1 {
			b.WriteString("first ")
		}
		b.WriteString(where)
	}
	b.WriteString(" · " + extract.TriageWords(t, codeName) + "\n\n")
	if message := extract.LastWords(t.Case, extract.WhatFailed(t.Case), rows); strings.TrimSpace(message) != "" {
		b.WriteString(escape.Block("text", message, rows, 1200))
	}
	if g.Count > 1 {
		b.WriteString(groupNames(p, g) + "\n")
	}
	if t.Reproduce != "" {
		b.WriteString(escape.Block("sh", wording.Line(t.Reproduce, 600), 1, 1200))
	}
	b.WriteString("\n")
	return b.String()
}

func codeName(s string) string { return escape.Code(s, 40) }

// groupTitle is the Markdown title of a group; for one test it is its name.
func groupTitle(g extract.Group) string {
	if g.Count == 1 {
		return escape.Code(g.First.Case.ID(), extract.NameLimit)
	}
	return wording.Number(g.Count) + " tests fail alike: " + escape.Code(g.Message, extract.NameLimit)
}

// groupLine is a group in one line of Markdown: title and the first name.
func groupLine(mark string, g extract.Group) string {
	text := "- " + mark + " " + groupTitle(g)
	if g.Count > 1 {
		text += ", first " + escape.Code(g.First.Case.ID(), extract.NameLimit)
	}
	return text
}

// groupNames is the list of the tests that are named, and how many are not.
func groupNames(p page, g extract.Group) string {
	var b strings.Builder
	for _, id := range g.Names() {
		b.WriteString("- " + escape.Code(id, extract.NameLimit) + "\n")
	}
	if more := g.Others(); more != "" {
		b.WriteString("- " + more + ", all of them in junit.xml and report.json\n")
	}
	return b.String()
}
