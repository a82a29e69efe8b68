package console

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/wording"
)

func (c *console) failing() {
	all := c.r.Tests.Failing
	if len(all) == 0 {
		return
	}
	groups := extract.Groups(c.r.Tests)
	c.part(extract.FailingTitle(all), len(all), func() {
		need := extract.AttentionGroups(groups)
		noun := "failing tests"
		if extract.TestsIn(need) > len(need) {
			noun = "groups of " + noun
		}
		for i, g := range need[:min(len(need), consoleNames)] {
			c.failGroup(g, i < consoleItems)
		}
		c.more(consoleNames, len(need), noun)
		for _, kind := range []struct {
			word   string
			groups []extract.Group
		}{{"BASE ", extract.GroupsOf(groups, qa.PreExisting)}, {"FLAKY", extract.UnsteadyGroups(groups)}, {"HELD ", extract.HeldGroups(groups)}} {
			for _, g := range kind.groups[:min(len(kind.groups), consoleNames)] {
				text := escape.Terminal(g.Title(), consoleTitle)
				if g.Triage == qa.FlakyFailure {
					text += "  " + extract.TriageWords(g.First, func(s string) string { return escape.Terminal(s, 40) })
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
	consoleTitle = extract.NameLimit + 60
	// consoleLines is how much of a failure's message is shown.
	consoleLines = 6
)

// failGroup prints a test that needs attention, or a group by its first tests.
func (c *console) failGroup(g extract.Group, details bool) {
	t := g.First
	c.printf("  %s %s", c.paint("NEW  ", red, true), escape.Terminal(g.Title(), consoleTitle))
	if t.Case.File != "" && g.Count == 1 {
		c.printf("  %s", c.paint(escape.Terminal(place(t.Case.File, t.Case.Line), 120), grey, false))
	}
	c.printf("\n")
	if !details {
		return
	}
	if g.Count > 1 {
		for _, id := range g.Names() {
			c.printf("        %s\n", escape.Terminal(escape.Name(id, extract.NameLimit), extract.NameLimit))
		}
		if more := g.Others(); more != "" {
			c.printf("        %s\n", more)
		}
	}
	for _, l := range lines(extract.LastWords(t.Case, extract.WhatFailed(t.Case), consoleLines), consoleLines) {
		c.printf("        %s\n", escape.Terminal(l, 200))
	}
	if t.Reproduce != "" {
		c.printf("        $ %s\n", escape.Terminal(t.Reproduce, 600))
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
	all := extract.Unnamed(c.r)
	c.part(extract.Verb(len(all), "problem kept tests from running", "problems kept tests from running"), len(all), func() {
		for _, p := range all[:min(len(all), consoleItems)] {
			c.printf("  %s %s\n", escape.Terminal(p.Kind, 20), escape.Terminal(p.Where, 120))
			for _, l := range lines(p.Message, 12) {
				c.printf("        %s\n", escape.Terminal(l, 200))
			}
		}
		c.more(consoleItems, len(all), "problems")
	})
}

// moved names tests that went away, stopped running or have another name.
func (c *console) moved() {
	renamed := each.Of(c.r.Tests.Renamed, func(n qa.Rename) string {
		return escape.Name(n.From, extract.NameLimit) + " → " + escape.Name(n.To, extract.NameLimit)
	})
	for _, group := range []struct {
		word string
		ids  []string
	}{{"removed", c.r.Tests.Removed}, {"newly skipped", c.r.Tests.NewlySkipped}, {"renamed", renamed}} {
		c.part(wording.Count(len(group.ids), "test")+" "+group.word, len(group.ids), func() {
			for _, id := range group.ids[:min(len(group.ids), consoleItems)] {
				c.printf("  %s\n", escape.Terminal(id, 2*extract.NameLimit+3))
			}
			c.more(consoleItems, len(group.ids), "tests")
		})
	}
}
