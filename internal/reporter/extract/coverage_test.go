package extract

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// Of branches something is said where there are some: that lines have none is no share.
func TestDenominator(t *testing.T) {
	t.Parallel()
	lines := qa.Count{Covered: 1, Total: 1}
	for want, c := range map[string]qa.PatchCoverage{
		"1 changed line = 1 executable.":                                       {Changed: 1, Lines: lines},
		"2 changed lines = 1 executable + 1 test or non-code.":                 {Changed: 2, Lines: lines, NonCode: 1, Branches: &qa.Count{}},
		"1 changed line = 1 executable; branches on changed lines 1/2 = 50 %.": {Changed: 1, Lines: lines, Branches: &qa.Count{Covered: 1, Total: 2}},
		"4 changed lines = 1 executable + 2 excluded + 1 unmapped.":            {Changed: 4, Lines: lines, Excluded: 2, UnmappedLines: 1},
	} {
		if got := Denominator(&c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
