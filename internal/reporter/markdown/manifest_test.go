package markdown

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// A target row has no list of failing tests: it must not claim that none is new.
func TestTargetRowSaysNothingAboutTriage(t *testing.T) {
	t.Parallel()
	for want, row := range map[string]qa.TargetRow{
		"target `.`: gotest, 2 tests, 1 failed":                     {Name: ".", Framework: "gotest", State: "ran", Tests: qa.Tally{Tests: 2, Failed: 1, Passed: 1}},
		"target `.`: **inconclusive**: no pnpm":                     {Name: ".", Dir: ".", State: "inconclusive", Reason: "no pnpm"},
		"target `web` in `apps/web`: jest, **inconclusive**: crash": {Name: "web", Dir: "apps/web", Framework: "jest", State: "inconclusive", Reason: "crash"},
	} {
		if got := targetWords(row); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
