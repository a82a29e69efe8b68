package extract

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

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

// fixed is said of a test that was evidence before its author mended what it proves.
const fixed = "written for a regression that is fixed now"

// toAdd is what becomes of evidence.
const toAdd = "to add with your fix"

// ToAdd are the tests that prove regressions, by file and name: they pass when what they
// prove is mended, and belong to that.
func ToAdd(findings []qa.Finding) map[string]bool {
	out := map[string]bool{}
	for _, f := range findings {
		if f.Proof == nil || f.Status == qa.StatusIntended {
			continue
		}
		for _, p := range append([]qa.Proof{*f.Proof}, f.Also...) {
			if p.Regression && p.Asserted == "" {
				out[p.Path+"\x00"+p.Test] = true
			}
		}
	}
	return out
}

// IsToAdd tells whether a proof is among those of [ToAdd].
func IsToAdd(p qa.Proof, add map[string]bool) bool {
	return add[p.Path+"\x00"+p.Test]
}

// Unproven says why no test shows what a model claims, and why nobody was asked about it;
// empty for findings of others, for those that a test shows, and where no test was written
// at all. The reasons are words of test runners: hostile.
func Unproven(r *qa.Report, f qa.Finding) string {
	if f.Proof != nil || !slices.Contains(f.Engines, "model") {
		return ""
	}
	why := []string{untested(r, f)}
	if f.Fresh && f.Evidence == qa.Suspected {
		why = append(why, "nothing that stood before the change leads to it, so that it is a remark")
	}
	return strings.Join(NonEmpty(why), "; ")
}

func untested(r *qa.Report, f qa.Finding) string {
	meant := each.Where(r.Generated, func(t qa.GeneratedTest) bool { return t.Finding == f.ID })
	switch {
	case len(meant) > 0:
	case !f.Severity.AtLeast(qa.Medium):
		return "not tested, as it is low"
	case len(r.Generated) == 0:
		return ""
	default:
		return "no test was written for it"
	}
	best := slices.MaxFunc(meant, func(a, b qa.GeneratedTest) int { return cmp.Compare(gate(a), gate(b)) })
	return fmt.Sprintf("%s written for it, none of them shows it; at best: %s", wording.Count(len(meant), "test"), strings.TrimSpace(best.Gate+" "+best.Reason))
}

// gate is how far a test came.
func gate(t qa.GeneratedTest) int {
	n, err := strconv.Atoi(strings.TrimPrefix(t.Gate, "G"))
	if err != nil {
		return len(t.Gate) // none: it passed all of them
	}
	return n
}

// Fate is the word for what became of a generated test, by [ToAdd] of the report.
func Fate(t qa.GeneratedTest, add map[string]bool) string {
	switch {
	case t.Kept:
		return "kept"
	case IsToAdd(qa.Proof{Path: t.Path, Test: t.Name}, add):
		return toAdd
	}
	return "dropped"
}

// GeneratedTitle counts generated tests by what became of them.
func GeneratedTitle(tests []qa.GeneratedTest, add map[string]bool) string {
	counts := map[string]int{}
	for _, t := range tests {
		counts[Fate(t, add)]++
	}
	text := fmt.Sprintf("Generated tests: %d kept", counts["kept"])
	if n := counts[toAdd]; n > 0 {
		text += fmt.Sprintf(", %d %s", n, toAdd)
	}
	return text + fmt.Sprintf(", %d dropped", counts["dropped"])
}

// Earned is what a kept test adds, in words of ours.
func Earned(t qa.GeneratedTest) (parts []string) {
	if t.Origin != nil {
		parts = append(parts, fixed)
	}
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
