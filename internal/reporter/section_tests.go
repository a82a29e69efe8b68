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
	var out []qa.FailingTest
	for _, t := range tests {
		label := t.Triage
		switch label {
		case qa.NewFailure, qa.PreExisting, qa.FlakyFailure:
		default:
			label = qa.UnknownFailure
		}
		if label == want {
			out = append(out, t)
		}
	}
	return out
}

// heldBack are the failing tests in quarantine. They fail like others; only the
// verdict waits until their day.
func heldBack(tests []qa.FailingTest) []qa.FailingTest {
	return slices.DeleteFunc(triaged(tests, qa.FlakyFailure), func(t qa.FailingTest) bool { return t.Quarantine == "" })
}

// unsteady are those that come and go.
func unsteady(tests []qa.FailingTest) []qa.FailingTest {
	return slices.DeleteFunc(triaged(tests, qa.FlakyFailure), func(t qa.FailingTest) bool { return t.Quarantine != "" })
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
	case need == 0 && (len(heldBack(tests)) > 0 || slices.ContainsFunc(unsteady(tests), neverPassed)):
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

// failing lists the tests that need attention, with message and command.
func (p page) failing() section {
	all := p.r.Tests.Failing
	if len(all) == 0 {
		return section{}
	}
	s := section{title: "failing tests", noun: "failing tests", rank: 1, share: 0.4, must: true, close: "\n"}
	s.open = p.heading(failingTitle(all))
	tests := attention(all)
	rows := messageRows
	if len(tests) > 3 && p.folds {
		rows = fewRows // so that a phone shows the next one too
	}
	for i, t := range tests {
		it := item{short: "- 🔴 " + code(t.Case.ID(), nameLimit) + "\n"}
		it.full = p.failure(t, rows)
		if i >= p.open && p.folds {
			it.full = it.short
		}
		if folded := len(tests) - i; p.folds && i == p.open+openNames && folded > 1 {
			start, end := p.fold(plural(folded, "more failing test"))
			it.full, it.short = "\n"+start+it.full, "\n"+start+it.short
			s.close = end
		}
		s.items = append(s.items, it)
	}
	s.tight = func(limit int) string { return tightNames(s.open, tests, limit) }
	return s
}

const (
	// nameLimit is the longest test name shown, in characters; longer ones lose
	// their middle.
	nameLimit = 160
	// openNames is how many names follow the failures with details before the
	// others are folded.
	openNames = 20
	// A failure's message is shown with so many lines, where many tests failed
	// with fewer.
	messageRows, fewRows = 12, 5
)

// failure is one failing test in full.
func (p page) failure(t qa.FailingTest, rows int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**🔴 %s**", code(t.Case.ID(), nameLimit))
	if where := p.place(t.Case.File, qa.Range{Start: t.Case.Line, End: t.Case.Line}); where != "" {
		b.WriteString("<br>" + where)
	}
	b.WriteString(" · " + triageWords(t, codeName) + "\n\n")
	if message := whatFailed(t.Case); strings.TrimSpace(message) != "" {
		b.WriteString(block("text", message, rows, 1200))
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
	old, flaky, held := triaged(p.r.Tests.Failing, qa.PreExisting), unsteady(p.r.Tests.Failing), heldBack(p.r.Tests.Failing)
	if len(old)+len(flaky)+len(held) == 0 {
		return section{}
	}
	var titles []string
	if len(old) > 0 {
		titles = append(titles, fmt.Sprintf("🟠 %s on base", verb(len(old), "also fails", "also fail")))
	}
	if len(flaky) > 0 {
		titles = append(titles, fmt.Sprintf("🟡 %s", verb(len(flaky), "is flaky", "are flaky")))
	}
	if len(held) > 0 {
		titles = append(titles, fmt.Sprintf("⏸️ %s", verb(len(held), "is in quarantine", "are in quarantine")))
	}
	s := section{title: "tests that fail for other reasons", noun: "tests", rank: 5, share: 0.2, must: true}
	s.open, s.close = p.fold(strings.Join(titles, " · "))
	for _, group := range []struct {
		mark  string
		tests []qa.FailingTest
	}{{"🟠", old}, {"🟡", flaky}, {"⏸️", held}} {
		for _, t := range group.tests {
			title := "- " + group.mark + " " + code(t.Case.ID(), nameLimit)
			full := title + " · " + triageWords(t, codeName)
			if message := prose(t.Case.Message, 200); message != "" {
				full += "<br>" + message
			}
			s.items = append(s.items, item{full: full + "\n", short: title + "\n"})
		}
	}
	tests := slices.Concat(old, flaky, held)
	s.tight = func(limit int) string { return tightNames("**"+strings.Join(titles, " · ")+"**\n\n", tests, limit) }
	return s
}

func verb(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// tightNames is the last resort for test names: one paragraph, names cut ever
// shorter, and only when even that is too long the first k of n.
func tightNames(head string, tests []qa.FailingTest, limit int) string {
	var words []string
	for _, length := range []int{nameLimit, 100, 60} {
		words = words[:0]
		size := len(head) + 2
		for _, t := range tests {
			words = append(words, code(t.Case.ID(), length))
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
		if row.State != "ran" && row.Tail != "" {
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

// moved lists tests that went away or stopped running.
func (p page) moved() section {
	t := p.r.Tests
	if len(t.Removed)+len(t.NewlySkipped) == 0 {
		return section{}
	}
	var titles []string
	if n := len(t.Removed); n > 0 {
		titles = append(titles, plural(n, "test")+" removed")
	}
	if n := len(t.NewlySkipped); n > 0 {
		titles = append(titles, plural(n, "test")+" newly skipped")
	}
	s := section{title: "removed and skipped tests", noun: "tests", rank: 6, share: 0.1}
	s.open, s.close = p.fold(strings.Join(titles, " · "))
	for _, id := range t.Removed {
		s.items = append(s.items, item{full: "- removed " + code(id, nameLimit) + "\n"})
	}
	for _, id := range t.NewlySkipped {
		s.items = append(s.items, item{full: "- newly skipped " + code(id, nameLimit) + "\n"})
	}
	return s
}
