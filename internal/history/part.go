package history

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
)

// Has tells of ids whether they are those of tests of the suite that did not fail.
func (s Suite) Has() func(id string) bool {
	well := each.Set(slices.Concat(s.Passed, s.Skipped))
	return func(id string) bool { return well[id] }
}

// PassedBeside are the tests that passed, but those of units that are changed files.
func (s Suite) PassedBeside(touched func(files ...string) bool) []string {
	return each.Where(s.Passed, func(id string) bool {
		unit, _, _ := strings.Cut(id, " > ")
		return !touched(unit)
	})
}

// Part is what a suite says of some of its test files or packages, but for some tests of
// those, by unit and what follows it in their ids; with the ids of all others.
func (s Suite) Part(units []string, without map[string][]string) (part Suite, others []string) {
	is, out := each.Set(units), map[string]bool{}
	for unit, names := range without {
		for _, name := range names {
			out[unit+" > "+name] = true
		}
	}
	keep := func(ids []string) (kept []string) {
		for _, id := range ids {
			if unit, _, _ := strings.Cut(id, " > "); is[unit] && !out[id] {
				kept = append(kept, id)
			} else {
				others = append(others, id)
			}
		}
		return kept
	}
	s.Passed, s.Failed, s.Skipped, s.Flaky = keep(s.Passed), keep(s.Failed), keep(s.Skipped), keep(s.Flaky)
	return s, others
}
