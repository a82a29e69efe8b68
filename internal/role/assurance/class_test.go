package assurance

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// TestClass is the truth table of base and head.
func TestClass(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		base, head qa.Status
		want       string
	}{
		{qa.Passed, qa.Passed, guard},
		{qa.Failed, qa.Passed, capturing},
		{qa.Errored, qa.Passed, capturing},
		{qa.Passed, qa.Failed, regression},
		{qa.Passed, qa.Errored, regression},
		{qa.Failed, qa.Failed, badOrOld},
		{qa.BuildFailed, qa.Passed, newAPI},
		{qa.BuildFailed, qa.Failed, newFails},
		{qa.NotRun, qa.Passed, newAPI},
		{qa.NotRun, qa.Failed, badOrOld}, // there is no base: nothing is known to be new
	} {
		if got := class(c.base, c.head); got != c.want {
			t.Errorf("base %s, head %s: %s, want %s", c.base, c.head, got, c.want)
		}
	}
}
