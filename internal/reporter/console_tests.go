package reporter

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

func (c *console) failing() {
	all := c.r.Tests.Failing
	if len(all) == 0 {
		return
	}
	groups := failGroups(c.r.Tests)
	c.part(failingTitle(all), len(all), func() {
		need := attentionGroups(groups)
		noun := "failing tests"
		if testsIn(need) > len(need) {
			noun = "groups of " + noun
		}
		for i, g := range need[:min(len(need), consoleNames)] {
			c.failGroup(g, i < consoleItems)
		}
		c.more(consoleNames, len(need), noun)
		for _, kind := range []struct {
			word   string
			groups []failGroup
		}{{"BASE ", groupsOf(groups, qa.PreExisting)}, {"FLAKY", unsteadyGroups(groups)}, {"HELD ", heldGroups(groups)}} {
			for _, g := range kind.groups[:min(len(kind.groups), consoleNames)] {
				text := terminal(g.Title(), consoleTitle)
				if g.Triage == qa.FlakyFailure {
					text += "  " + triageWords(g.First, func(s string) string { return terminal(s, 40) })
				}
				c.printf("  %s %s\n", c.paint(kind.word, yellow, true), text)
			}
			c.more(consoleNames, len(kind.groups), "tests")
		}
		if n := len(need); n > consoleItems {
			c.printf("  … messages of %d of %d %s shown; all of them are in the report files\n", consoleItems, n, noun)
		}
	})
}

const (
	// consoleNames is how many failing tests, or groups of them, are named.
	consoleNames = 100
	consoleTitle = nameLimit + 60
	// consoleLines is how much of a failure's message is shown.
	consoleLines = 6
)

// failGroup prints a test that needs attention, or a group by its first tests.
func (c *console) failGroup(g failGroup, details bool) {
	t := g.First
	c.printf("  %s %s", c.paint("NEW  ", red, true), terminal(g.Title(), consoleTitle))
	if t.Case.File != "" && g.Count == 1 {
		c.printf("  %s", c.paint(terminal(place(t.Case.File, t.Case.Line), 120), grey, false))
	}
	c.printf("\n")
	if !details {
		return
	}
	if g.Count > 1 {
		for _, id := range g.Names() {
			c.printf("        %s\n", terminal(name(id, nameLimit), nameLimit))
		}
		if more := g.Others(); more != "" {
			c.printf("        %s\n", more)
		}
	}
	for _, l := range lines(lastWords(t.Case, whatFailed(t.Case), consoleLines), consoleLines) {
		c.printf("        %s\n", terminal(l, 200))
	}
	if t.Reproduce != "" {
		c.printf("        $ %s\n", terminal(t.Reproduce, 600))
	}
}

func place(file string, line int) string {
	if line <= 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// lines are the first n non-empty lines of s.
func lines(s string, n int) []string {
	var out []string
	for l := range strings.Lines(wording.Plain(wording.Bound(s, 4000))) {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if out = append(out, l); len(out) == n {
			break
		}
	}
	return out
}

func (c *console) problems() {
	all := unnamed(c.r)
	c.part(verb(len(all), "problem kept tests from running", "problems kept tests from running"), len(all), func() {
		for _, p := range all[:min(len(all), consoleItems)] {
			c.printf("  %s %s\n", terminal(p.Kind, 20), terminal(p.Where, 120))
			for _, l := range lines(p.Message, 12) {
				c.printf("        %s\n", terminal(l, 200))
			}
		}
		c.more(consoleItems, len(all), "problems")
	})
}

// moved names tests that went away, stopped running or have another name.
func (c *console) moved() {
	var renamed []string
	for _, n := range c.r.Tests.Renamed {
		renamed = append(renamed, name(n.From, nameLimit)+" → "+name(n.To, nameLimit))
	}
	for _, group := range []struct {
		word string
		ids  []string
	}{{"removed", c.r.Tests.Removed}, {"newly skipped", c.r.Tests.NewlySkipped}, {"renamed", renamed}} {
		c.part(wording.Count(len(group.ids), "test")+" "+group.word, len(group.ids), func() {
			for _, id := range group.ids[:min(len(group.ids), consoleItems)] {
				c.printf("  %s\n", terminal(id, 2*nameLimit+3))
			}
			c.more(consoleItems, len(group.ids), "tests")
		})
	}
}

// unasked reports that no test had to run: then nobody misses its coverage.
func unasked(r *qa.Report) bool {
	for _, g := range r.Gates {
		if g.Name == qa.GateTestsRan {
			return g.Verdict == qa.NotApplicable
		}
	}
	return false
}
