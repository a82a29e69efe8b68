package reporter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// attention are the failing tests that this change has to answer for: new ones,
// and those of unknown origin, which count as new.
func attention(tests []qa.FailingTest) []qa.FailingTest {
	var out []qa.FailingTest
	for _, want := range []qa.Triage{qa.NewFailure, qa.UnknownFailure} {
		out = append(out, triaged(tests, want)...)
	}
	return out
}

// triaged selects by label; what carries no known label is unknown.
func triaged(tests []qa.FailingTest, want qa.Triage) []qa.FailingTest {
	return slices.DeleteFunc(slices.Clone(tests), func(t qa.FailingTest) bool { return triageOf(t.Triage) != want })
}

// neverPassed reports whether a test failed each time it ran on head: of one
// that is known as flaky nobody can tell then whether it is the change.
func neverPassed(t qa.FailingTest) bool { return len(t.Head) > 0 && !slices.Contains(t.Head, true) }

// excuse is the word for a failing test that does not count.
func excuse(t qa.FailingTest) string {
	if t.Quarantine != "" {
		return "quarantine"
	}
	return string(t.Triage)
}

// failingTitle is the triage in one sentence.
func failingTitle(tests []qa.FailingTest) string {
	n, need := len(tests), len(attention(tests))
	title := wording.Count(n, "test") + " failed, "
	switch {
	case need == 0 && slices.ContainsFunc(triaged(tests, qa.FlakyFailure), func(t qa.FailingTest) bool { return t.Quarantine != "" || neverPassed(t) }):
		return title + "none counts against this change"
	case need == 0:
		return title + "none because of this change"
	case need == n && n == 1:
		return title + "and it needs your attention"
	case need == n:
		return title + "all need your attention"
	case need == 1:
		return title + "1 needs your attention"
	}
	return title + wording.Number(need) + " need your attention"
}

// failing lists the tests that need attention, with message and command; those
// that fail alike are one entry.
func (p page) failing() section {
	all := p.r.Tests.Failing
	if len(all) == 0 {
		return section{}
	}
	s := section{title: "failing tests", noun: "failing tests", rank: 1, share: 0.4, must: true, close: "\n"}
	s.open = p.heading(failingTitle(all))
	groups := attentionGroups(failGroups(p.r.Tests))
	if testsIn(groups) > len(groups) {
		s.noun = "groups of failing tests"
	}
	rows := messageRows
	if len(groups) > 3 && p.folds {
		rows = fewRows // so that a phone shows the next one too
	}
	open := p.open
	if !p.folds {
		open = fileDetails
	}
	for i, g := range groups {
		it := item{short: groupLine("🔴", g) + "\n"}
		it.full = it.short
		if i < open {
			it.full = p.failure(g, rows)
		}
		if folded := testsIn(groups[i:]); p.folds && i == p.open+openNames && folded > 1 {
			start, end := p.fold(wording.Count(folded, "more failing test"))
			it.full, it.short = "\n"+start+it.full, "\n"+start+it.short
			s.close = end
		}
		s.items = append(s.items, it)
	}
	s.tight = func(limit int) string { return tightNames(s.open, groups, limit) }
	return s
}

const (
	// nameLimit is the longest test name shown, in characters; longer ones lose
	// their middle.
	nameLimit = 160
	// openNames is how many names follow the failures with details before the
	// others are folded.
	openNames = 20
	// fileDetails is how many failures a file shows with details; a file has no
	// limit, its reader has.
	fileDetails = 200
	// A failure's message is shown with so many lines, where many tests failed
	// with fewer.
	messageRows, fewRows = 12, 5
)

// failure is one failing test in full, or a group by its first test.
func (p page) failure(g failGroup, rows int) string {
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
	b.WriteString(" · " + triageWords(t, codeName) + "\n\n")
	if message := lastWords(t.Case, whatFailed(t.Case), rows); strings.TrimSpace(message) != "" {
		b.WriteString(block("text", message, rows, 1200))
	}
	if g.Count > 1 {
		b.WriteString(p.groupNames(g) + "\n")
	}
	if t.Reproduce != "" {
		b.WriteString(block("sh", wording.Line(t.Reproduce, 600), 1, 1200))
	}
	b.WriteString("\n")
	return b.String()
}

// whatFailed is the text of a failure without stack frames of dependencies and of
// the runtime, which hide the frame of the project. JUnit and JSON keep them.
func whatFailed(c qa.Case) string {
	text := firstText(c.Message, c.Output)
	var kept strings.Builder
	for l := range strings.Lines(text) {
		frame := strings.HasPrefix(strings.TrimSpace(l), "at ")
		if !frame || !strings.Contains(l, "node_modules/") && !strings.Contains(l, "node:") {
			kept.WriteString(l)
		}
	}
	if strings.TrimSpace(kept.String()) == "" {
		return text
	}
	return kept.String()
}

// lastWords shortens what a program said before it ended to its first line and
// its last: how it ended stands there. What a compiler or a test says begins
// with what matters, and stays.
func lastWords(c qa.Case, text string, rows int) string {
	if c.File != "" || !slices.Contains([]string{"(exit)", "(start)", "(crash)"}, c.Name) {
		return text
	}
	var said []string
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) != "" {
			said = append(said, strings.TrimRight(l, "\n"))
		}
	}
	if len(said) <= rows || rows < 3 {
		return text
	}
	return strings.Join(slices.Concat(said[:1], []string{"…"}, said[len(said)-rows+2:]), "\n")
}

// triageWords say how the label came about; escape fits names to the sink.
func triageWords(t qa.FailingTest, escape func(string) string) string {
	var parts []string
	switch t.Triage {
	case qa.NewFailure:
		switch t.Base {
		case qa.Passed:
			parts = append(parts, "passes on base")
		case qa.NotRun, "":
			parts = append(parts, "not on base")
		case qa.BuildFailed:
			parts = append(parts, "does not build on base")
		default:
			parts = append(parts, "new")
		}
	case qa.PreExisting:
		parts = append(parts, "also fails on base")
	case qa.FlakyFailure:
		if t.Quarantine != "" {
			parts = append(parts, "in quarantine "+escape(t.Quarantine))
			break
		}
		parts = append(parts, "flaky")
	default:
		parts = append(parts, "base could not be run, counted as new")
	}
	if n := len(t.Head); n > 0 {
		failed := 0
		for _, passed := range t.Head {
			if !passed {
				failed++
			}
		}
		parts = append(parts, fmt.Sprintf("failed %d of %d runs on head", failed, n))
	}
	if t.FlakyRate != nil {
		parts = append(parts, "known to fail in "+ratePercent(t.FlakyRate)+" of runs")
	}
	if t.Target != "" && t.Target != "." {
		parts = append(parts, "target "+escape(t.Target))
	}
	return strings.Join(parts, ", ")
}

func codeName(s string) string { return code(s, 40) }
