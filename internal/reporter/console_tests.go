package reporter

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

func (c *console) failing() {
	all := c.r.Tests.Failing
	if len(all) == 0 {
		return
	}
	c.part(failingTitle(all), len(all), func() {
		for i, t := range attention(all) {
			c.printf("  %s %s", c.paint("NEW  ", red, true), terminal(t.Case.ID(), nameLimit))
			if t.Case.File != "" {
				c.printf("  %s", c.paint(terminal(place(t.Case.File, t.Case.Line), 120), grey, false))
			}
			c.printf("\n")
			if i >= consoleItems {
				continue
			}
			for _, l := range lines(whatFailed(t.Case), 6) {
				c.printf("        %s\n", terminal(l, 200))
			}
			if t.Reproduce != "" {
				c.printf("        $ %s\n", terminal(t.Reproduce, 600))
			}
		}
		for _, t := range triaged(all, qa.PreExisting) {
			c.printf("  %s %s\n", c.paint("BASE ", yellow, true), terminal(t.Case.ID(), nameLimit))
		}
		for _, group := range []struct {
			word  string
			tests []qa.FailingTest
		}{{"FLAKY", unsteady(all)}, {"HELD ", heldBack(all)}} {
			for _, t := range group.tests {
				c.printf("  %s %s  %s\n", c.paint(group.word, yellow, true), terminal(t.Case.ID(), nameLimit), triageWords(t, func(s string) string { return terminal(s, 40) }))
			}
		}
		if n := len(attention(all)); n > consoleItems {
			c.printf("  … messages of %d of %d failing tests shown; all of them are in the report files\n", consoleItems, n)
		}
	})
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
	for l := range strings.Lines(plain(bound(s, 4000))) {
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

// moved names tests that went away or stopped running.
func (c *console) moved() {
	for _, group := range []struct {
		word string
		ids  []string
	}{{"removed", c.r.Tests.Removed}, {"newly skipped", c.r.Tests.NewlySkipped}} {
		c.part(plural(len(group.ids), "test")+" "+group.word, len(group.ids), func() {
			for _, id := range group.ids[:min(len(group.ids), consoleItems)] {
				c.printf("  %s\n", terminal(id, nameLimit))
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
