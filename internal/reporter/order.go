package reporter

import (
	"cmp"
	"slices"

	"github.com/org/qa-action/internal/qa"
)

// sortBy sorts by a number, then a string; equal elements keep their order.
func sortBy[E any](s []E, key func(E) (int, string)) {
	slices.SortStableFunc(s, func(a, b E) int {
		an, as := key(a)
		bn, bs := key(b)
		return cmp.Or(cmp.Compare(an, bn), cmp.Compare(as, bs))
	})
}

func evidenceRank(e qa.Evidence) int {
	switch e {
	case qa.Proven:
		return 0
	case qa.Corroborated:
		return 1
	}
	return 2
}

// counting selects the findings that take part in score and gate, worst first.
func counting(findings []qa.Finding) []qa.Finding {
	return selected(findings, qa.Finding.Counts)
}

// selected gives the findings that are wanted, worst first: by severity,
// evidence, path, line.
func selected(findings []qa.Finding, want func(qa.Finding) bool) []qa.Finding {
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
	var out []qa.Finding
	for _, f := range order {
		out = append(out, *f)
	}
	return out
}

// bySeverity counts findings per severity.
func bySeverity(findings []qa.Finding) map[qa.Severity]int {
	n := map[qa.Severity]int{}
	for _, f := range findings {
		n[f.Severity]++
	}
	return n
}

func keptTests(tests []qa.GeneratedTest) int {
	n := 0
	for _, t := range tests {
		if t.Kept {
			n++
		}
	}
	return n
}
