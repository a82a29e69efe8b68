package reporter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

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
	return wording.Number(n) + " " + many
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
				word += " and " + wording.Number(g.Count-1) + " alike"
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
		titles = append(titles, wording.Count(n, "test")+" removed")
	}
	if n := len(t.NewlySkipped); n > 0 {
		titles = append(titles, wording.Count(n, "test")+" newly skipped")
	}
	if n := len(t.Renamed); n > 0 {
		titles = append(titles, wording.Count(n, "test")+" renamed")
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
