package assurance

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestOtherwise: a proof notices a mutant where it passes with it or says something else of
// it, and not where the program merely crashes or is ended.
func TestOtherwise(t *testing.T) {
	t.Parallel()
	head := outcome{status: qa.Failed, why: "got 5, want 4"}
	for name, c := range map[string]struct {
		with outcome
		want bool
	}{
		"the same":           {head, false},
		"another value":      {outcome{status: qa.Failed, why: "got 6, want 4"}, true},
		"the mend":           {outcome{status: qa.Passed}, true},
		"a crash":            {outcome{status: qa.Failed, why: "panic: nil"}, false},
		"ended":              {outcome{status: qa.Failed, why: "timed out", late: true}, false},
		"it does not build":  {outcome{status: qa.BuildFailed, why: "undefined"}, false},
		"it did not run":     {outcome{status: qa.NotRun}, false},
		"nothing is said":    {outcome{status: qa.Failed}, false},
		"nobody could judge": {outcome{status: qa.Errored, why: "died"}, false},
	} {
		assert.Equal(t, otherwise(head, c.with), c.want, name)
	}
}
