package extract

import (
	"cmp"
	"slices"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

func KeptFirst(tests []qa.GeneratedTest) []qa.GeneratedTest {
	out := append([]qa.GeneratedTest(nil), tests...)
	SortBy(out, func(t qa.GeneratedTest) (int, string) {
		if t.Kept {
			return 0, ""
		}
		return 1, ""
	})
	return out
}

// MutationCount counts a time-out as killed and leaves invalid mutants out, as
// the mutation-testing report schema's metrics do.
func MutationCount(m *qa.Mutation) qa.Count {
	killed := m.Killed + m.Timeout
	return qa.Count{Covered: killed, Total: killed + m.Survived + m.NoCover}
}

// SortBy sorts by a number, then a string; equal elements keep their order.
func SortBy[E any](s []E, key func(E) (int, string)) {
	slices.SortStableFunc(s, func(a, b E) int {
		an, as := key(a)
		bn, bs := key(b)
		return cmp.Or(cmp.Compare(an, bn), cmp.Compare(as, bs))
	})
}

func KeptTests(tests []qa.GeneratedTest) int {
	n := 0
	for _, t := range tests {
		if t.Kept {
			n++
		}
	}
	return n
}

// Earned is what a kept test adds, in words of ours.
func Earned(t qa.GeneratedTest) (parts []string) {
	if n := LineCount(t.Covers); n > 0 {
		parts = append(parts, "covers "+wording.Count(n, "more changed line"))
	}
	if t.Kills > 0 {
		parts = append(parts, "kills "+wording.Count(t.Kills, "mutant"))
	}
	if t.Repairs > 0 {
		parts = append(parts, wording.Count(t.Repairs, "repair"))
	}
	return parts
}
