package extract

import (
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/wording"
)

// Group is failing tests that fail alike. Its first test stands for all of
// them where there is room for one only.
type Group struct {
	qa.FailureGroup
	First qa.FailingTest
	Named []qa.FailingTest // those that the group names, the first one included
}

// Groups are the report's groups of failing tests; those of a report that
// has none, or whose groups do not account for every test, are worked out.
func Groups(t qa.Tests) []Group {
	if groups, ok := withFirst(t.Groups, t.Failing); ok {
		return groups
	}
	groups, _ := withFirst(qa.GroupFailures(t.Failing), t.Failing)
	return groups
}

// withFirst finds the first test of each group; ok is false when one is missing
// or the groups are not about these tests.
func withFirst(groups []qa.FailureGroup, failing []qa.FailingTest) (out []Group, ok bool) {
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
		out = append(out, Group{g, named[0], named})
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

// AttentionGroups are the groups that this change has to answer for.
func AttentionGroups(groups []Group) []Group {
	return slices.Concat(GroupsOf(groups, qa.NewFailure), GroupsOf(groups, qa.UnknownFailure))
}

func GroupsOf(groups []Group, want qa.Triage) []Group {
	return slices.DeleteFunc(slices.Clone(groups), func(g Group) bool { return triageOf(g.Triage) != want })
}

// HeldGroups are those in quarantine. They fail like others; only the verdict
// waits until their day.
func HeldGroups(groups []Group) []Group {
	return slices.DeleteFunc(GroupsOf(groups, qa.FlakyFailure), func(g Group) bool { return g.First.Quarantine == "" })
}

// UnsteadyGroups are those that come and go.
func UnsteadyGroups(groups []Group) []Group {
	return slices.DeleteFunc(GroupsOf(groups, qa.FlakyFailure), func(g Group) bool { return g.First.Quarantine != "" })
}

// TestsIn counts the tests of groups.
func TestsIn(groups []Group) int {
	n := 0
	for _, g := range groups {
		n += g.Count
	}
	return n
}

// Others says how many tests of the group are not named; empty when all are.
func (g Group) Others() string {
	if n := g.Count - len(g.Names()); n > 0 {
		return "and " + wording.Number(n) + " more"
	}
	return ""
}

// Names are the tests that are named, never more than a group is to name.
func (g Group) Names() []string { return g.Tests[:min(len(g.Tests), qa.GroupNames)] }

// Title names a test, or counts a group by what it says.
func (g Group) Title() string {
	if g.Count == 1 {
		return escape.Name(g.First.Case.ID(), NameLimit)
	}
	return fmt.Sprintf("%s tests fail alike: %s", wording.Number(g.Count), wording.Line(g.Message, 160))
}
