package reporter

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// since tells what happened since the last push.
func (p page) since() section {
	d := p.r.Since
	if d == nil {
		return section{}
	}
	var parts []string
	add := func(mark string, n int, one, many string) {
		if n > 0 {
			parts = append(parts, mark+verb(n, one, many))
		}
	}
	add("✅ ", len(d.Fixed), "fixed", "fixed")
	add("✅ ", len(d.NowPassing), "test passes again", "tests pass again")
	add("🆕 ", len(d.New), "new", "new")
	add("↩️ ", len(d.Reopened), "reopened", "reopened")
	add("🔕 ", len(d.Dismissed), "dismissed", "dismissed")
	add("🔴 ", len(d.NowFailing), "test fails now", "tests fail now")
	add("", d.StillOpen, "still open", "still open")
	if len(parts) == 0 {
		parts = []string{"nothing changed"}
	}
	s := section{title: "what changed since the last push", rank: 2, share: 0.05}
	title := "Since " + attribute(short(d.Since), 12) + ": " + strings.Join(parts, " · ")
	details := []struct {
		title string
		names []string
	}{{"Fixed", d.Fixed}, {"Passing again", d.NowPassing}, {"New", d.New}, {"Reopened", d.Reopened}, {"Dismissed", d.Dismissed}, {"Failing now", d.NowFailing}}
	var rows strings.Builder
	for _, part := range details {
		if len(part.names) == 0 {
			continue
		}
		var names []string
		for _, n := range part.names[:min(len(part.names), 10)] {
			names = append(names, code(n, 100))
		}
		fmt.Fprintf(&rows, "- %s: %s", part.title, strings.Join(names, ", "))
		if more := len(part.names); more > 10 {
			fmt.Fprintf(&rows, " … (10 of %d shown)", more)
		}
		rows.WriteString("\n")
	}
	if rows.Len() == 0 {
		s.open = "**" + title + "**\n\n"
		return s
	}
	start, end := p.fold(title)
	s.open = start + rows.String() + end
	return s
}

// quarantine shows what is set aside, and what should not be any more: that is
// open, because nobody ends a quarantine that nobody sees.
func (p page) quarantine() section {
	holding, expired := quarantined(p.r.Quarantine)
	if len(holding)+len(expired) == 0 {
		return section{}
	}
	s := section{title: "quarantine", noun: "tests in quarantine", rank: 5, share: 0.1}
	title := quarantineTitle(p.r.Quarantine)
	if len(expired) > 0 {
		s.open = p.heading("⏰ " + title)
		s.close = "\n"
	} else {
		s.open, s.close = p.fold(title)
	}
	s.open += "| Test | Until | Now | Reason |\n|---|---|---|---|\n"
	for _, q := range endedFirst(p.r.Quarantine) {
		until := code(q.Expires, 20)
		if q.Expired {
			until = "**expired** " + until
		}
		s.items = append(s.items, item{full: fmt.Sprintf("| %s | %s | %s | %s |\n", code(q.Test, nameLimit), until, now(q.Status), prose(q.Reason, 200))})
	}
	return s
}

// quarantined divides the list by whether an entry still holds.
func quarantined(list []qa.Quarantined) (holding, expired []qa.Quarantined) {
	for _, q := range list {
		if q.Expired {
			expired = append(expired, q)
			continue
		}
		holding = append(holding, q)
	}
	return holding, expired
}

// endedFirst puts what needs a person on top.
func endedFirst(list []qa.Quarantined) []qa.Quarantined {
	holding, expired := quarantined(list)
	return append(expired, holding...)
}

func quarantineTitle(list []qa.Quarantined) string {
	holding, expired := quarantined(list)
	var parts []string
	if n := len(expired); n > 0 {
		parts = append(parts, verb(n, "quarantine has expired: mend the test or set a new day", "quarantines have expired: mend the tests or set new days"))
	}
	if n := len(holding); n > 0 {
		parts = append(parts, verb(n, "test is in quarantine", "tests are in quarantine"))
	}
	return strings.Join(parts, " · ")
}

// now is a test's outcome in this run.
func now(s qa.Status) string {
	if s == "" {
		return "did not run"
	}
	return prose(string(s), 20)
}

// flaky lists the tests that earlier runs know as flaky.
func (p page) flaky() section {
	all := p.r.KnownFlaky
	if len(all) == 0 {
		return section{}
	}
	s := section{title: "tests known as flaky", noun: "tests known as flaky", rank: 6, share: 0.1}
	s.open, s.close = p.fold(verb(len(all), "test is known as flaky", "tests are known as flaky"))
	for _, f := range all {
		s.items = append(s.items, item{full: "- " + code(f.Test, nameLimit) + " · flaky in " + ratePercent(&f.Rate) + " of its last runs · now " + now(f.Status) + "\n"})
	}
	return s
}

// quarantine is never folded: what has expired needs a person.
func (c *console) quarantine() {
	all := c.r.Quarantine
	c.part(quarantineTitle(all), len(all), func() {
		for _, q := range endedFirst(all)[:min(len(all), consoleItems)] {
			word := c.paint("UNTIL  ", grey, true)
			if q.Expired {
				word = c.paint("EXPIRED", red, true)
			}
			c.printf("  %s %s  %s  %s", word, terminal(q.Expires, 20), terminal(q.Test, nameLimit), now(q.Status))
			if q.Reason != "" {
				c.printf("  (%s)", terminal(q.Reason, 200))
			}
			c.printf("\n")
		}
		c.more(consoleItems, len(all), "tests in quarantine")
	})
	flaky := c.r.KnownFlaky
	c.group(verb(len(flaky), "test is known as flaky", "tests are known as flaky"), len(flaky), func() {
		for _, f := range flaky[:min(len(flaky), consoleItems)] {
			c.printf("  %s of runs  %s  %s\n", ratePercent(&f.Rate), terminal(f.Test, nameLimit), now(f.Status))
		}
		c.more(consoleItems, len(flaky), "tests known as flaky")
	})
}
