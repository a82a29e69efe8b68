package extract

import (
	"cmp"
	"slices"

	"github.com/org/qa-action/internal/qa"
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
