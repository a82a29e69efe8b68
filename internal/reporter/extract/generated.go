package extract

import (
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

func kept(t qa.GeneratedTest) bool { return t.Kept }

func KeptFirst(tests []qa.GeneratedTest) []qa.GeneratedTest {
	return append(each.Where(tests, kept), slices.DeleteFunc(slices.Clone(tests), kept)...)
}

func KeptTests(tests []qa.GeneratedTest) int { return len(each.Where(tests, kept)) }

// MutationCount counts a time-out as killed and leaves invalid mutants out, as
// the mutation-testing report schema's metrics do.
func MutationCount(m *qa.Mutation) qa.Count {
	killed := m.Killed + m.Timeout
	return qa.Count{Covered: killed, Total: killed + m.Survived + m.NoCover}
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
