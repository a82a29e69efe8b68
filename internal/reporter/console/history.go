package console

import (
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/number"
)

// account prints the line and names what the run did not see.
func (c *console) account() {
	classes := extract.AccountOf(c.r)
	if len(classes) == 0 {
		return
	}
	c.printf("\n%s\n", extract.AccountTitle(c.r, classes))
	for _, d := range extract.Dark(classes) {
		names := each.Of(d.Files, func(f qa.FileAccount) string { return escape.Terminal(f.Path, 100) })
		c.printf("  %s: %s\n", d.Words(), strings.Join(extract.Firsts(names, extract.OpenFiles), ", "))
	}
	for _, class := range classes {
		var weak []string
		why := ""
		for _, f := range class.Files {
			if f.Weak && class.Class != qa.Unseen {
				weak, why = append(weak, escape.Terminal(f.Path, 100)), f.Evidence
			}
		}
		if len(weak) > 0 {
			c.printf("  %s, on weak evidence: %s", class.Words(), strings.Join(extract.Firsts(weak, extract.OpenFiles), ", "))
			if len(weak) == 1 && why != "" {
				c.printf(" (%s)", escape.Terminal(why, 200))
			}
			c.printf("\n")
		}
	}
}

// since is one line, and one for each kind of change.
func (c *console) since() {
	d := c.r.Since
	if d == nil {
		return
	}
	var parts []string
	for _, part := range extract.Deltas(*d) {
		parts = append(parts, part.Word)
	}
	c.part("Since "+escape.Terminal(escape.Short(d.Since), 12)+": "+strings.Join(parts, " · "), 1, func() {
		for _, part := range extract.Deltas(*d) {
			if len(part.Names) > 0 {
				c.printf("  %s: %s\n", part.Title, extract.FirstTen(part.Names, "; ", func(n string) string { return escape.Terminal(n, 100) }))
			}
		}
	})
}

// quarantine is never folded: what has expired needs a person.
func (c *console) quarantine() {
	all := c.r.Quarantine
	c.part(extract.QuarantineTitle(all), len(all), func() {
		for _, q := range extract.EndedFirst(all)[:min(len(all), consoleItems)] {
			word := c.paint("UNTIL  ", grey, true)
			if q.Expired {
				word = c.paint("EXPIRED", red, true)
			}
			c.printf("  %s %s  %s  %s", word, escape.Terminal(q.Expires, 20), escape.Terminal(q.Test, extract.NameLimit), extract.Now(q.Status))
			if q.Reason != "" {
				c.printf("  (%s)", escape.Terminal(q.Reason, 200))
			}
			c.printf("\n")
		}
		c.more(consoleItems, len(all), "tests in quarantine")
	})
	flaky := c.r.KnownFlaky
	c.group(extract.Verb(len(flaky), "test is known as flaky", "tests are known as flaky"), len(flaky), func() {
		for _, f := range flaky[:min(len(flaky), consoleItems)] {
			c.printf("  %s of runs  %s  %s\n", number.RatePercent(&f.Rate), escape.Terminal(f.Test, extract.NameLimit), extract.Now(f.Status))
		}
		c.more(consoleItems, len(flaky), "tests known as flaky")
	})
}
