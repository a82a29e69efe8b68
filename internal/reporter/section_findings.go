package reporter

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// findings shows the worst new findings in the open and the others folded, and
// of those beyond max-findings only the number.
func (p page) findings() []section {
	all := counting(p.r.Findings)
	limit := qa.InFull(all, p.r.MaxShown)
	var out []section
	if len(all) > 0 {
		shown := limit
		if p.folds {
			shown = min(shown, p.open)
		}
		s := section{title: "findings", noun: "findings", rank: 2, share: 0.3, close: "\n"}
		s.open = p.heading(findingsTitle(all))
		for _, f := range all[:shown] {
			s.items = append(s.items, item{full: p.finding(f)})
		}
		out = append(out, s)
		if rest := all[shown:limit]; len(rest) > 0 {
			more := section{title: "further findings", noun: "further findings", rank: 6, share: 0.2}
			more.open, more.close = p.fold(verb(len(rest), "further finding", "further findings"))
			more.total = len(rest)
			if p.o.Budget > 0 { // an entry takes 100 bytes and more
				rest = rest[:min(len(rest), p.o.Budget/100+1)]
			}
			for _, f := range rest {
				more.items = append(more.items, item{full: p.finding(f)})
			}
			out = append(out, more)
		}
		if text := beyond(all[limit:]); text != "" {
			out = append(out, section{title: "number of further findings", rank: 2, open: text + "\n\n"})
		}
	}
	return append(out, p.proofs(), p.suspected(), p.setAside())
}

// beyond counts the findings that max-findings keeps from being shown in full.
func beyond(rest []qa.Finding) string {
	if len(rest) == 0 {
		return ""
	}
	return fmt.Sprintf("%s counted and, by max-findings, not shown in full: %s. All of them are in report.json and report.sarif.",
		verb(len(rest), "further finding is", "further findings are"), severityCounts(rest))
}

func findingsTitle(all []qa.Finding) string {
	title := wording.Count(len(all), "new finding")
	if len(all) < 2 {
		return title
	}
	return title + ": " + severityCounts(all)
}

// severityCounts counts findings by severity: "1 high, 12 low".
func severityCounts(all []qa.Finding) string {
	var parts []string
	n := bySeverity(all)
	for _, s := range qa.Severities() {
		if n[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[s], s))
		}
	}
	return strings.Join(parts, ", ")
}

// finding is one list entry: how bad and how sure, where, what, what to do.
func (p page) finding(f qa.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- %s **%s** %s · %s", severityIcon(f.Severity), orUnknown(prose(string(f.Severity), 10)), prose(perspectives(f), 60), orUnknown(prose(string(f.Evidence), 20)))
	if f.Status == qa.StatusReopened {
		b.WriteString(" · reopened")
	}
	if where := p.place(f.Path, f.Lines); where != "" {
		b.WriteString(" · " + where)
	}
	b.WriteString("<br>" + prose(f.Message, 400))
	if fix := prose(f.Suggestion, 300); fix != "" {
		b.WriteString("<br>**Fix:** " + fix)
	}
	if f.Proof != nil {
		b.WriteString("<br>**Proof:** " + proofWords(f.Proof))
	}
	source := []string{code(f.Rule.ID, 60)}
	for _, e := range firsts(f.Engines, 4) {
		source = append(source, prose(e, 30))
	}
	for _, c := range firsts(f.CWE, 4) {
		source = append(source, prose(c, 30))
	}
	for _, o := range firsts(f.Owners, 4) {
		source = append(source, "owner "+prose(o, 60))
	}
	if f.KnownPattern != "" {
		source = append(source, "known pattern "+prose(f.KnownPattern, 60))
	}
	if text := strings.Join(nonEmpty(source), " · "); text != "" {
		if p.folds {
			text = "<sub>" + text + "</sub>"
		}
		b.WriteString("<br>" + text)
	}
	return b.String() + "\n\n" // a loose list: entries keep their distance
}

func perspectives(f qa.Finding) string {
	var words []string
	for _, p := range f.Perspectives {
		words = append(words, string(p))
	}
	return strings.Join(words, ", ")
}

func proofWords(p *qa.Proof) string {
	text := code(p.Test, nameLimit)
	switch {
	case p.Regression:
		text += " passes on base and fails on head"
	case p.Base.Bad():
		text += " fails on head and on base"
	default:
		text += " fails on head; base has nothing to compare with"
	}
	if p.Runs > 0 {
		text += fmt.Sprintf(" (%s)", wording.Count(p.Runs, "run"))
	}
	if m := prose(p.Message, 200); m != "" {
		text += ": " + m
	}
	return text
}

func nonEmpty(words []string) []string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

// suspected findings are opinions that nothing confirmed: always folded.
func (p page) suspected() section {
	all := selected(p.r.Findings, func(f qa.Finding) bool {
		return f.Evidence == qa.Suspected && (f.Status == qa.StatusNew || f.Status == qa.StatusReopened)
	})
	if len(all) == 0 {
		return section{}
	}
	s := section{title: "suspected findings", noun: "suspected findings", rank: 8, share: 0.1}
	s.open, s.close = p.fold(wording.Count(len(all), "suspected finding") + ", not confirmed and not counted")
	for _, f := range all {
		s.items = append(s.items, item{full: p.finding(f)})
	}
	return s
}

// setAside are findings that do not count: dismissed with reason, older than
// the change, fixed.
func (p page) setAside() section {
	kinds := []struct {
		status qa.FindingStatus
		words  string
	}{
		{qa.StatusDismissed, "dismissed"}, {qa.StatusPersisting, "still open from before"},
		{qa.StatusKnown, "older than this change"}, {qa.StatusFixed, "fixed"},
	}
	s := section{title: "findings that do not count", noun: "findings", rank: 8, share: 0.1}
	var titles []string
	for _, kind := range kinds {
		all := selected(p.r.Findings, func(f qa.Finding) bool { return f.Status == kind.status })
		if len(all) == 0 {
			continue
		}
		titles = append(titles, fmt.Sprintf("%d %s", len(all), kind.words))
		for _, f := range all {
			text := fmt.Sprintf("- %s: %s %s · %s", kind.words, prose(string(f.Severity), 10), p.place(f.Path, f.Lines), prose(f.Message, 200))
			if d := f.Dismissal; d != nil {
				text += "<br>" + dismissalWords(d)
			}
			s.items = append(s.items, item{full: text + "\n"})
		}
	}
	if len(titles) == 0 {
		return section{}
	}
	s.open, s.close = p.fold("Findings that do not count: " + strings.Join(titles, ", "))
	return s
}

func dismissalWords(d *qa.Dismissal) string {
	return dismissal(d, func(s string) string { return prose(s, 200) })
}

func dismissalText(d *qa.Dismissal) string {
	return dismissal(d, func(s string) string { return wording.Line(s, 200) })
}

// dismissal says who set a finding aside, why and until when.
func dismissal(d *qa.Dismissal, escape func(string) string) string {
	text := "Reason: " + orUnknown(escape(d.Reason))
	if d.By != "" {
		text += ", by " + escape(d.By)
	}
	switch {
	case d.Expired:
		text += ", expired " + escape(d.Expires)
	case d.Expires != "":
		text += ", until " + escape(d.Expires)
	}
	return text
}
