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
		{qa.Passed, qa.Passed, Guard},
		{qa.Failed, qa.Passed, Capturing},
		{qa.Errored, qa.Passed, Capturing},
		{qa.Passed, qa.Failed, Regression},
		{qa.Passed, qa.Errored, Regression},
		{qa.Failed, qa.Failed, BadOrOld},
		{qa.BuildFailed, qa.Passed, NewAPI},
		{qa.BuildFailed, qa.Failed, NewFails},
		{qa.NotRun, qa.Passed, NewAPI},
		{qa.NotRun, qa.Failed, BadOrOld}, // there is no base: nothing is known to be new
	} {
		if got := class(c.base, c.head); got != c.want {
			t.Errorf("base %s, head %s: %s, want %s", c.base, c.head, got, c.want)
		}
	}
}
