package markdown

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/number"
)

// since tells what happened since the last push.
func sinceSection(p page) fit.Section {
	d := p.r.Since
	if d == nil {
		return fit.Section{}
	}
	s := fit.Section{Title: "what changed since the last push", Rank: 2, Share: 0.05}
	var parts []string
	var rows strings.Builder
	for _, part := range extract.Deltas(*d) {
		parts = append(parts, part.Mark+part.Word)
		if len(part.Names) > 0 {
			fmt.Fprintf(&rows, "- %s: %s\n", part.Title, extract.FirstTen(part.Names, ", ", func(n string) string { return escape.Code(n, 100) }))
		}
	}
	title := "Since " + escape.Attribute(escape.Short(d.Since), 12) + ": " + strings.Join(parts, " · ")
	if rows.Len() == 0 {
		s.Open = "**" + title + "**\n\n"
		return s
	}
	start, end := p.fold(title)
	s.Open = start + rows.String() + end
	return s
}

// quarantine shows what is set aside, and what should not be any more: that is
// open, because nobody ends a quarantine that nobody sees.
func quarantineSection(p page) fit.Section {
	holding, expired := extract.Quarantined(p.r.Quarantine)
	if len(holding)+len(expired) == 0 {
		return fit.Section{}
	}
	s := fit.Section{Title: "quarantine", Noun: "tests in quarantine", Rank: 5, Share: 0.1}
	title := extract.QuarantineTitle(p.r.Quarantine)
	if len(expired) > 0 {
		s.Open = p.heading("⏰ " + title)
		s.Close = "\n"
	} else {
		s.Open, s.Close = p.fold(title)
	}
	for _, q := range extract.EndedFirst(p.r.Quarantine) { // no table: a phone would hide the reason
		until := "until "
		if q.Expired {
			until = "**expired** "
		}
		text := fmt.Sprintf("- %s · %s%s · %s", escape.Code(q.Test, extract.NameLimit), until, escape.Code(q.Expires, 20), extract.Now(q.Status))
		if reason := escape.Prose(q.Reason, 200); reason != "" {
			text += "<br>" + reason
		}
		s.Items = append(s.Items, fit.Item{Full: text + "\n"})
	}
	return s
}

// flaky lists the tests that earlier runs know as flaky.
func flakySection(p page) fit.Section {
	all := p.r.KnownFlaky
	s := fit.Section{Title: "tests known as flaky", Noun: "tests known as flaky", Rank: 6, Share: 0.1}
	return listed(p, s, extract.Verb(len(all), "test is known as flaky", "tests are known as flaky"), all, func(f qa.KnownFlaky) string {
		return "- " + escape.Code(f.Test, extract.NameLimit) + " · flaky in " + number.RatePercent(&f.Rate) + " of its last runs · " + extract.Now(f.Status) + "\n"
	})
}
