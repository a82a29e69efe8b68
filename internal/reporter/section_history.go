package reporter

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// delta is one kind of change since the last push; names is nil for what is
// only counted.
type delta struct {
	mark, word string // "✅ ", "1 fixed"
	title      string // of the names
	names      []string
}

const nothingChanged = "nothing changed"

// deltas are the kinds that there are, good news first.
func deltas(d qa.Delta) []delta {
	var out []delta
	add := func(mark, one, many, title string, names []string) {
		if len(names) > 0 {
			out = append(out, delta{mark, verb(len(names), one, many), title, names})
		}
	}
	add("✅ ", "fixed", "fixed", "Fixed", d.Fixed)
	add("✅ ", "test passes again", "tests pass again", "Passing again", d.NowPassing)
	add("🆕 ", "new", "new", "New", d.New)
	add("↩️ ", "reopened", "reopened", "Reopened", d.Reopened)
	add("🔕 ", "dismissed", "dismissed", "Dismissed", d.Dismissed)
	add("🔴 ", "test fails now", "tests fail now", "Failing now", d.NowFailing)
	if d.StillOpen > 0 {
		out = append(out, delta{word: verb(d.StillOpen, "still open", "still open")})
	}
	if len(out) == 0 {
		out = []delta{{word: nothingChanged}}
	}
	return out
}

// since tells what happened since the last push.
func (p page) since() section {
	d := p.r.Since
	if d == nil {
		return section{}
	}
	s := section{title: "what changed since the last push", rank: 2, share: 0.05}
	var parts []string
	var rows strings.Builder
	for _, part := range deltas(*d) {
		parts = append(parts, part.mark+part.word)
		if len(part.names) > 0 {
			fmt.Fprintf(&rows, "- %s: %s\n", part.title, firstTen(part.names, ", ", func(n string) string { return code(n, 100) }))
		}
	}
	title := "Since " + attribute(short(d.Since), 12) + ": " + strings.Join(parts, " · ")
	if rows.Len() == 0 {
		s.open = "**" + title + "**\n\n"
		return s
	}
	start, end := p.fold(title)
	s.open = start + rows.String() + end
	return s
}

// firstTen joins names and says how many of them are shown.
func firstTen(all []string, sep string, escape func(string) string) string {
	var names []string
	for _, n := range all[:min(len(all), 10)] {
		names = append(names, escape(n))
	}
	text := strings.Join(names, sep)
	if len(all) > 10 {
		text += fmt.Sprintf(" … (10 of %d shown)", len(all))
	}
	return text
}

// since is one line, and one for each kind of change.
func (c *console) since() {
	d := c.r.Since
	if d == nil {
		return
	}
	var parts []string
	for _, part := range deltas(*d) {
		parts = append(parts, part.word)
	}
	c.part("Since "+terminal(short(d.Since), 12)+": "+strings.Join(parts, " · "), 1, func() {
		for _, part := range deltas(*d) {
			if len(part.names) > 0 {
				c.printf("  %s: %s\n", part.title, firstTen(part.names, "; ", func(n string) string { return terminal(n, 100) }))
			}
		}
	})
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
	for _, q := range endedFirst(p.r.Quarantine) { // no table: a phone would hide the reason
		until := "until "
		if q.Expired {
			until = "**expired** "
		}
		text := fmt.Sprintf("- %s · %s%s · %s", code(q.Test, nameLimit), until, code(q.Expires, 20), now(q.Status))
		if reason := prose(q.Reason, 200); reason != "" {
			text += "<br>" + reason
		}
		s.items = append(s.items, item{full: text + "\n"})
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
	return "now " + prose(string(s), 20)
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
		s.items = append(s.items, item{full: "- " + code(f.Test, nameLimit) + " · flaky in " + ratePercent(&f.Rate) + " of its last runs · " + now(f.Status) + "\n"})
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
