package reporter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// failGroup is failing tests that fail alike. Its first test stands for all of
// them where there is room for one only.
type failGroup struct {
	qa.FailureGroup
	First qa.FailingTest
	named []qa.FailingTest // those that the group names, the first one included
}

// failGroups are the report's groups of failing tests; those of a report that
// has none, or whose groups do not account for every test, are worked out.
func failGroups(t qa.Tests) []failGroup {
	if groups, ok := withFirst(t.Groups, t.Failing); ok {
		return groups
	}
	groups, _ := withFirst(qa.GroupFailures(t.Failing), t.Failing)
	return groups
}

// withFirst finds the first test of each group; ok is false when one is missing
// or the groups are not about these tests.
func withFirst(groups []qa.FailureGroup, failing []qa.FailingTest) (out []failGroup, ok bool) {
	type key struct {
		id     string
		triage qa.Triage
	}
	at := map[key]int{}
	for i, f := range failing {
		k := key{f.Case.ID(), triageOf(f.Triage)}
		if _, seen := at[k]; !seen {
			at[k] = i
		}
	}
	total := 0
	for _, g := range groups {
		if len(g.Tests) == 0 || g.Count < len(g.Tests) || g.Count > len(failing) {
			return nil, false
		}
		var named []qa.FailingTest
		for _, id := range g.Tests[:min(len(g.Tests), qa.GroupNames)] {
			i, found := at[key{id, triageOf(g.Triage)}]
			if !found {
				return nil, false
			}
			named = append(named, failing[i])
		}
		total += g.Count
		out = append(out, failGroup{g, named[0], named})
	}
	return out, total == len(failing)
}

// triageOf is the label; what is no known label is unknown.
func triageOf(t qa.Triage) qa.Triage {
	switch t {
	case qa.NewFailure, qa.PreExisting, qa.FlakyFailure:
		return t
	}
	return qa.UnknownFailure
}

// attentionGroups are the groups that this change has to answer for.
func attentionGroups(groups []failGroup) []failGroup {
	return slices.Concat(groupsOf(groups, qa.NewFailure), groupsOf(groups, qa.UnknownFailure))
}

func groupsOf(groups []failGroup, want qa.Triage) []failGroup {
	return slices.DeleteFunc(slices.Clone(groups), func(g failGroup) bool { return triageOf(g.Triage) != want })
}

// heldGroups are those in quarantine. They fail like others; only the verdict
// waits until their day.
func heldGroups(groups []failGroup) []failGroup {
	return slices.DeleteFunc(groupsOf(groups, qa.FlakyFailure), func(g failGroup) bool { return g.First.Quarantine == "" })
}

// unsteadyGroups are those that come and go.
func unsteadyGroups(groups []failGroup) []failGroup {
	return slices.DeleteFunc(groupsOf(groups, qa.FlakyFailure), func(g failGroup) bool { return g.First.Quarantine != "" })
}

// testsIn counts the tests of groups.
func testsIn(groups []failGroup) int {
	n := 0
	for _, g := range groups {
		n += g.Count
	}
	return n
}

// Others says how many tests of the group are not named; empty when all are.
func (g failGroup) Others() string {
	if n := g.Count - len(g.Names()); n > 0 {
		return "and " + wording.Number(n) + " more"
	}
	return ""
}

// Names are the tests that are named, never more than a group is to name.
func (g failGroup) Names() []string { return g.Tests[:min(len(g.Tests), qa.GroupNames)] }

// Title names a test, or counts a group by what it says.
func (g failGroup) Title() string {
	if g.Count == 1 {
		return name(g.First.Case.ID(), nameLimit)
	}
	return fmt.Sprintf("%s tests fail alike: %s", wording.Number(g.Count), wording.Line(g.Message, 160))
}

// groupTitle is the Markdown title of a group; for one test it is its name.
func groupTitle(g failGroup) string {
	if g.Count == 1 {
		return code(g.First.Case.ID(), nameLimit)
	}
	return wording.Number(g.Count) + " tests fail alike: " + code(g.Message, nameLimit)
}

// groupLine is a group in one line of Markdown: title and the first name.
func groupLine(mark string, g failGroup) string {
	text := "- " + mark + " " + groupTitle(g)
	if g.Count > 1 {
		text += ", first " + code(g.First.Case.ID(), nameLimit)
	}
	return text
}

// groupNames is the list of the tests that are named, and how many are not.
func (p page) groupNames(g failGroup) string {
	var b strings.Builder
	for _, id := range g.Names() {
		b.WriteString("- " + code(id, nameLimit) + "\n")
	}
	if more := g.Others(); more != "" {
		b.WriteString("- " + more + ", all of them in junit.xml and report.json\n")
	}
	return b.String()
}
