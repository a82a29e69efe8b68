package extract

import (
	"fmt"
	"strings"

	"cmp"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Beyond counts the findings that max-findings keeps from being shown in full.
func Beyond(rest []qa.Finding) string {
	if len(rest) == 0 {
		return ""
	}
	return fmt.Sprintf("%s counted and, by max-findings, not shown in full: %s. All of them are in report.json and report.sarif.",
		Verb(len(rest), "further finding is", "further findings are"), severityCounts(rest))
}

func FindingsTitle(all []qa.Finding) string {
	title := wording.Count(len(all), "new finding")
	if len(all) < 2 {
		return title
	}
	return title + ": " + severityCounts(all)
}

// severityCounts counts findings by severity: "1 high, 12 low".
func severityCounts(all []qa.Finding) string {
	var parts []string
	n := BySeverity(all)
	for _, s := range qa.Severities() {
		if n[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[s], s))
		}
	}
	return strings.Join(parts, ", ")
}

func Perspectives(f qa.Finding) string {
	words := each.Of(f.Perspectives, func(p qa.Perspective) string { return string(p) })
	return strings.Join(words, ", ")
}

// Dismissal says who set a finding aside, why and until when.
func Dismissal(d *qa.Dismissal, escape func(string) string) string {
	text := "Reason: " + OrUnknown(escape(d.Reason))
	if d.By != "" {
		text += ", by " + escape(d.By)
	}
	switch {
	case d.Expired:
		text += ", expired " + escape(d.Expires)
	case d.Expires != "":
		text += ", until " + escape(d.Expires)
	case d.At != "":
		day, _, _ := strings.Cut(d.At, "T")
		text += " on " + escape(day)
	}
	return text
}

// Mark is how a comment names a finding: the first digits of its fingerprint.
func Mark(f qa.Finding) string { return f.Fingerprint[:min(len(f.Fingerprint), markDigits)] }

const markDigits = 8

func evidenceRank(e qa.Evidence) int {
	switch e {
	case qa.Proven:
		return 0
	case qa.Corroborated:
		return 1
	}
	return 2
}

// Counting selects the findings that take part in score and gate, worst first.
func Counting(findings []qa.Finding) []qa.Finding {
	return Selected(findings, qa.Finding.Counts)
}

// Selected gives the findings that are wanted, worst first: by severity,
// evidence, path, line.
func Selected(findings []qa.Finding, want func(qa.Finding) bool) []qa.Finding {
	var order []*qa.Finding // a finding is large: sorting moves pointers
	for i := range findings {
		if want(findings[i]) {
			order = append(order, &findings[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *qa.Finding) int {
		return cmp.Or(
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
			cmp.Compare(evidenceRank(a.Evidence), evidenceRank(b.Evidence)),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Lines.Start, b.Lines.Start),
			cmp.Compare(a.ID, b.ID),
		)
	})
	return each.Of(order, func(f *qa.Finding) qa.Finding { return *f })
}

// BySeverity counts findings per severity.
func BySeverity(findings []qa.Finding) map[qa.Severity]int {
	n := map[qa.Severity]int{}
	for _, f := range findings {
		n[f.Severity]++
	}
	return n
}
