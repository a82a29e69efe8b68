package reporter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
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
	title := plural(n, "test") + " failed, "
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
	return title + thousands(need) + " need your attention"
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
			start, end := p.fold(plural(folded, "more failing test"))
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
		b.WriteString(block("sh", line(t.Reproduce, 600), 1, 1200))
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

// excused lists failing tests that are not this change's fault, by name.
func (p page) excused() section {
	all := failGroups(p.r.Tests)
	old, flaky, held := groupsOf(all, qa.PreExisting), unsteadyGroups(all), heldGroups(all)
	if len(old)+len(flaky)+len(held) == 0 {
		return section{}
	}
	var titles []string
	if len(old) > 0 {
		titles = append(titles, fmt.Sprintf("🟠 %s on base", verb(testsIn(old), "also fails", "also fail")))
	}
	if len(flaky) > 0 {
		titles = append(titles, fmt.Sprintf("🟡 %s", verb(testsIn(flaky), "is flaky", "are flaky")))
	}
	if len(held) > 0 {
		titles = append(titles, fmt.Sprintf("⏸️ %s", verb(testsIn(held), "is in quarantine", "are in quarantine")))
	}
	s := section{title: "tests that fail for other reasons", noun: "tests", rank: 5, share: 0.2, must: true}
	s.open, s.close = p.fold(strings.Join(titles, " · "))
	for _, kind := range []struct {
		mark   string
		groups []failGroup
	}{{"🟠", old}, {"🟡", flaky}, {"⏸️", held}} {
		for _, g := range kind.groups {
			s.items = append(s.items, excusedItem(kind.mark, g))
		}
	}
	groups := slices.Concat(old, flaky, held)
	s.tight = func(limit int) string { return tightNames("**"+strings.Join(titles, " · ")+"**\n\n", groups, limit) }
	return s
}

func excusedItem(mark string, g failGroup) item {
	title := groupLine(mark, g)
	full := title + " · " + triageWords(g.First, codeName)
	if g.Count > 1 {
		var others []string
		for _, id := range g.Names()[1:] {
			others = append(others, code(id, nameLimit))
		}
		return item{full: full + "<br>" + strings.Join(append(others, nonEmpty([]string{g.Others()})...), ", ") + "\n", short: title + "\n"}
	}
	if message := prose(g.First.Case.Message, 200); message != "" {
		full += "<br>" + message
	}
	return item{full: full + "\n", short: title + "\n"}
}

func verb(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// tightNames is the last resort for test names: one paragraph, names cut ever
// shorter, and only when even that is too long the first k of n.
func tightNames(head string, groups []failGroup, limit int) string {
	var words []string
	for _, length := range []int{nameLimit, 100, 60} {
		words = words[:0]
		size := len(head) + 2
		for _, g := range groups {
			word := code(g.First.Case.ID(), length)
			if g.Count > 1 {
				word += " and " + thousands(g.Count-1) + " alike"
			}
			words = append(words, word)
			size += len(words[len(words)-1]) + 2
		}
		if size <= limit {
			return head + strings.Join(words, ", ") + "\n\n"
		}
	}
	return packed(head, words, ", ", "\n\n", limit)
}

// unnamed are the problems that do not stand among the failing tests as well,
// and the targets that nothing is known of.
func unnamed(r *qa.Report) []qa.Problem {
	t := r.Tests
	out := slices.DeleteFunc(slices.Clone(t.Problems), func(p qa.Problem) bool {
		return slices.ContainsFunc(t.Failing, func(f qa.FailingTest) bool { return f.Case.Suite == p.Where && f.Case.Name == "("+p.Kind+")" })
	})
	for _, row := range r.Manifest.Targets {
		said := slices.ContainsFunc(t.Failing, func(f qa.FailingTest) bool { return f.Case.Suite == row.Name && f.Case.Name == "(start)" })
		if row.State != "ran" && row.Tail != "" && !said {
			out = append(out, qa.Problem{Kind: "target", Where: row.Name, Message: row.Reason + "\n" + row.Tail})
		}
	}
	return out
}

// problems are failures outside any test: builds, collections, crashes.
func (p page) problems() section {
	problems := unnamed(p.r)
	if len(problems) == 0 {
		return section{}
	}
	s := section{title: "problems outside tests", noun: "problems", rank: 1, share: 0.25, close: "\n"}
	s.open = p.heading(verb(len(problems), "problem kept tests from running", "problems kept tests from running"))
	for i, problem := range problems {
		if i >= max(p.open, 3) && p.folds {
			s.items = append(s.items, item{full: "- " + prose(problem.Kind, 20) + " " + code(problem.Where, 120) + "\n"})
			continue
		}
		text := "**" + prose(problem.Kind, 20) + "** " + code(problem.Where, 120) + "\n\n"
		if strings.TrimSpace(problem.Message) != "" {
			text += block("text", problem.Message, 20, 2000) + "\n"
		}
		s.items = append(s.items, item{full: text})
	}
	return s
}

// moved lists tests that went away, stopped running or have another name.
func (p page) moved() section {
	t := p.r.Tests
	if len(t.Removed)+len(t.NewlySkipped)+len(t.Renamed) == 0 {
		return section{}
	}
	var titles []string
	if n := len(t.Removed); n > 0 {
		titles = append(titles, plural(n, "test")+" removed")
	}
	if n := len(t.NewlySkipped); n > 0 {
		titles = append(titles, plural(n, "test")+" newly skipped")
	}
	if n := len(t.Renamed); n > 0 {
		titles = append(titles, plural(n, "test")+" renamed")
	}
	s := section{title: "removed, skipped and renamed tests", noun: "tests", rank: 6, share: 0.1}
	s.open, s.close = p.fold(strings.Join(titles, " · "))
	for _, id := range t.Removed {
		s.items = append(s.items, item{full: "- removed " + code(id, nameLimit) + "\n"})
	}
	for _, id := range t.NewlySkipped {
		s.items = append(s.items, item{full: "- newly skipped " + code(id, nameLimit) + "\n"})
	}
	for _, n := range t.Renamed {
		s.items = append(s.items, item{full: "- renamed " + code(n.From, nameLimit) + " to " + code(n.To, nameLimit) + "\n"})
	}
	return s
}
