package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/wording"
)

// excused lists failing tests that are not this change's fault, by name.
func excusedSection(p page) fit.Section {
	all := extract.Groups(p.r.Tests)
	old, flaky, held := extract.GroupsOf(all, qa.PreExisting), extract.UnsteadyGroups(all), extract.HeldGroups(all)
	if len(old)+len(flaky)+len(held) == 0 {
		return fit.Section{}
	}
	var titles []string
	if len(old) > 0 {
		titles = append(titles, fmt.Sprintf("🟠 %s on base", extract.Verb(extract.TestsIn(old), "also fails", "also fail")))
	}
	if len(flaky) > 0 {
		titles = append(titles, fmt.Sprintf("🟡 %s", extract.Verb(extract.TestsIn(flaky), "is flaky", "are flaky")))
	}
	if len(held) > 0 {
		titles = append(titles, fmt.Sprintf("⏸️ %s", extract.Verb(extract.TestsIn(held), "is in quarantine", "are in quarantine")))
	}
	s := fit.Section{Title: "tests that fail for other reasons", Noun: "tests", Rank: 5, Share: 0.2, Must: true}
	s.Open, s.Close = p.fold(strings.Join(titles, " · "))
	for _, kind := range []struct {
		mark   string
		groups []extract.Group
	}{{"🟠", old}, {"🟡", flaky}, {"⏸️", held}} {
		for _, g := range kind.groups {
			s.Items = append(s.Items, excusedItem(kind.mark, g))
		}
	}
	groups := slices.Concat(old, flaky, held)
	s.Tight = func(limit int) string { return tightNames("**"+strings.Join(titles, " · ")+"**\n\n", groups, limit) }
	return s
}

func excusedItem(mark string, g extract.Group) fit.Item {
	title := groupLine(mark, g)
	full := title + " · " + extract.TriageWords(g.First, codeName)
	if g.Count > 1 {
		others := each.Of(g.Names()[1:], func(id string) string { return escape.Code(id, extract.NameLimit) })
		return fit.Item{Full: full + "<br>" + strings.Join(append(others, extract.NonEmpty([]string{g.Others()})...), ", ") + "\n", Short: title + "\n"}
	}
	if message := escape.Prose(g.First.Case.Message, 200); message != "" {
		full += "<br>" + message
	}
	return fit.Item{Full: full + "\n", Short: title + "\n"}
}

// tightNames is the last resort for test names: one paragraph, names cut ever
// shorter, and only when even that is too long the first k of n.
func tightNames(head string, groups []extract.Group, limit int) string {
	var words []string
	for _, length := range []int{extract.NameLimit, 100, 60} {
		words = words[:0]
		size := len(head) + 2
		for _, g := range groups {
			word := escape.Code(g.First.Case.ID(), length)
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
	return fit.Packed(head, words, ", ", "\n\n", limit)
}

// problems are failures outside any test: builds, collections, crashes.
func problemsSection(p page) fit.Section {
	problems := extract.Unnamed(p.r)
	if len(problems) == 0 {
		return fit.Section{}
	}
	s := fit.Section{Title: "problems outside tests", Noun: "problems", Rank: 1, Share: 0.25, Close: "\n"}
	s.Open = p.heading(extract.Verb(len(problems), "problem kept tests from running", "problems kept tests from running"))
	for i, problem := range problems {
		if i >= max(p.open, 3) && p.folds {
			s.Items = append(s.Items, fit.Item{Full: "- " + escape.Prose(problem.Kind, 20) + " " + escape.Code(problem.Where, 120) + "\n"})
			continue
		}
		text := "**" + escape.Prose(problem.Kind, 20) + "** " + escape.Code(problem.Where, 120) + "\n\n"
		if strings.TrimSpace(problem.Message) != "" {
			text += escape.Block("text", problem.Message, 20, 2000) + "\n"
		}
		s.Items = append(s.Items, fit.Item{Full: text})
	}
	return s
}

// moved lists tests that went away, stopped running or have another name.
func movedSection(p page) fit.Section {
	t := p.r.Tests
	if len(t.Removed)+len(t.NewlySkipped)+len(t.Renamed) == 0 {
		return fit.Section{}
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
	s := fit.Section{Title: "removed, skipped and renamed tests", Noun: "tests", Rank: 6, Share: 0.1}
	s.Open, s.Close = p.fold(strings.Join(titles, " · "))
	for _, id := range t.Removed {
		s.Items = append(s.Items, fit.Item{Full: "- removed " + escape.Code(id, extract.NameLimit) + "\n"})
	}
	for _, id := range t.NewlySkipped {
		s.Items = append(s.Items, fit.Item{Full: "- newly skipped " + escape.Code(id, extract.NameLimit) + "\n"})
	}
	for _, n := range t.Renamed {
		s.Items = append(s.Items, fit.Item{Full: "- renamed " + escape.Code(n.From, extract.NameLimit) + " to " + escape.Code(n.To, extract.NameLimit) + "\n"})
	}
	return s
}
