package markdown

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/wording"
)

// findings shows the worst new findings in the open and the others folded, and
// of those beyond max-findings only the number.
func findingSections(p page) []fit.Section {
	all := extract.Counting(p.r.Findings)
	limit := qa.InFull(all, p.r.MaxShown)
	var out []fit.Section
	if len(all) > 0 {
		shown := limit
		if p.folds {
			shown = min(shown, p.open)
		}
		s := fit.Section{Title: "findings", Noun: "findings", Rank: 2, Share: 0.3, Close: "\n"}
		s.Open = p.heading(extract.FindingsTitle(all))
		for _, f := range all[:shown] {
			s.Items = append(s.Items, fit.Item{Full: p.finding(f)})
		}
		out = append(out, s)
		if rest := all[shown:limit]; len(rest) > 0 {
			more := fit.Section{Title: "further findings", Noun: "further findings", Rank: 6, Share: 0.2}
			more.Open, more.Close = p.fold(extract.Verb(len(rest), "further finding", "further findings"))
			more.Total = len(rest)
			if p.o.Budget > 0 { // an entry takes 100 bytes and more
				rest = rest[:min(len(rest), p.o.Budget/100+1)]
			}
			for _, f := range rest {
				more.Items = append(more.Items, fit.Item{Full: p.finding(f)})
			}
			out = append(out, more)
		}
		if text := extract.Beyond(all[limit:]); text != "" {
			out = append(out, fit.Section{Title: "number of further findings", Rank: 2, Open: text + "\n\n"})
		}
	}
	return append(append(out, proofSections(p)...), suspectedSection(p), setAsideSection(p))
}

// finding is one list entry.
func (p page) finding(f qa.Finding) string {
	return "- " + p.entry(f, p.place(f.Path, f.Lines)) + "\n\n" // a loose list: entries keep their distance
}

// entry says of a finding how bad and how sure it is, where, what, what to do.
func (p page) entry(f qa.Finding, where string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s **%s** %s · %s", severityIcon(f.Severity), extract.OrUnknown(escape.Prose(string(f.Severity), 10)), escape.Prose(extract.Perspectives(f), 60), extract.OrUnknown(escape.Prose(string(f.Evidence), 20)))
	if f.Status == qa.StatusReopened {
		b.WriteString(" · reopened")
	}
	if where != "" {
		b.WriteString(" · " + where)
	}
	b.WriteString("<br>" + escape.Prose(f.Message, 400))
	if fix := escape.Prose(f.Suggestion, 300); fix != "" {
		b.WriteString("<br>**Fix:** " + fix)
	}
	if f.Proof != nil {
		b.WriteString("<br>**Proof:** " + proofWords(f.Proof) + alsoWords(f.Also))
	} else if why := escape.Prose(extract.Unproven(p.r, f), 300); why != "" {
		b.WriteString("<br>**Not proven:** " + why)
	}
	source := []string{escape.Code(extract.Mark(f), 20), escape.Code(f.Rule.ID, 60)}
	for _, e := range extract.Firsts(f.Engines, 4) {
		source = append(source, escape.Prose(e, 30))
	}
	for _, c := range extract.Firsts(f.CWE, 4) {
		source = append(source, escape.Prose(c, 30))
	}
	for _, o := range extract.Firsts(f.Owners, 4) {
		source = append(source, "owner "+escape.Prose(o, 60))
	}
	if f.KnownPattern != "" {
		source = append(source, "known pattern "+escape.Prose(f.KnownPattern, 60))
	}
	if text := strings.Join(extract.NonEmpty(source), " · "); text != "" {
		if p.folds {
			text = "<sub>" + text + "</sub>"
		}
		b.WriteString("<br>" + text)
	}
	return b.String()
}

func proofWords(p *qa.Proof) string {
	text := escape.Code(p.Test, extract.NameLimit)
	switch {
	case p.Mutant != nil:
		text += " as it was on base fails where " + mutantWords(p.Mutant) + "; the file as it is now does not notice"
	case p.Regression:
		text += " passes on base and fails on head" + watched(p)
	case p.Base.Bad():
		text += " fails on head and on base"
	default:
		text += " fails on head; base has nothing to compare with"
	}
	if p.Runs > 0 {
		text += fmt.Sprintf(" (%s)", wording.Count(p.Runs, "run"))
	}
	if m := escape.Prose(p.Message, 200); m != "" {
		text += ": " + m
	}
	if a := escape.Prose(p.Announced, 200); a != "" {
		text += "<br>**Announced:** " + a
	}
	return text
}

// watched says that a test fails only where races are watched for.
func watched(p *qa.Proof) string {
	if p.Races {
		return " with `-race`"
	}
	return ""
}

// mutantWords say what was written instead, and where.
func mutantWords(m *qa.Mutant) string {
	instead := "is left out"
	if m.Replacement != "" {
		instead = "is " + escape.Code(m.Replacement, 80)
	}
	return escape.Code(m.Original, 80) + " in " + escape.Code(fmt.Sprintf("%s:%d", m.Path, m.Line), 120) + " " + instead
}

// alsoWords name further tests that show a finding.
func alsoWords(also []qa.Proof) string {
	if len(also) == 0 {
		return ""
	}
	names := each.Of(also, func(p qa.Proof) string { return escape.Code(p.Test, extract.NameLimit) })
	return "<br>Also shown by " + strings.Join(extract.Firsts(names, 5), ", ")
}

// suspected findings are opinions that nothing confirmed: always folded.
func suspectedSection(p page) fit.Section {
	all := extract.Selected(p.r.Findings, qa.Finding.Folded)
	s := fit.Section{Title: "suspected findings", Noun: "suspected findings", Rank: 8, Share: 0.1}
	return listed(p, s, wording.Count(len(all), "suspected finding")+", not confirmed and not counted", all, p.finding)
}

// setAside are findings that do not count: dismissed with reason, older than
// the change, fixed.
func setAsideSection(p page) fit.Section {
	kinds := []struct {
		status qa.FindingStatus
		words  string
	}{
		{qa.StatusDismissed, "dismissed"}, {qa.StatusPersisting, "still open from before"},
		{qa.StatusKnown, "older than this change"}, {qa.StatusFixed, "fixed"}, {qa.StatusIntended, "asserted by a test of the change"},
	}
	s := fit.Section{Title: "findings that do not count", Noun: "findings", Rank: 8, Share: 0.1}
	var titles []string
	for _, kind := range kinds {
		all := extract.Selected(p.r.Findings, func(f qa.Finding) bool { return f.Status == kind.status })
		if len(all) == 0 {
			continue
		}
		titles = append(titles, fmt.Sprintf("%d %s", len(all), kind.words))
		for _, f := range all {
			text := fmt.Sprintf("- %s: %s %s · %s", kind.words, escape.Prose(string(f.Severity), 10), p.place(f.Path, f.Lines), escape.Prose(f.Message, 200))
			if d := f.Dismissal; d != nil {
				text += "<br>" + dismissalWords(d)
			}
			if f.Proof != nil && f.Proof.Asserted != "" {
				text += "<br>" + proofWords(f.Proof) + "; " + escape.Code(f.Proof.Asserted, 200) + " asserts the opposite"
			}
			s.Items = append(s.Items, fit.Item{Full: text + "\n"})
		}
	}
	if len(titles) == 0 {
		return fit.Section{}
	}
	s.Open, s.Close = p.fold("Findings that do not count: " + strings.Join(titles, ", "))
	return s
}

func dismissalWords(d *qa.Dismissal) string {
	return extract.Dismissal(d, func(s string) string { return escape.Prose(s, 200) })
}
