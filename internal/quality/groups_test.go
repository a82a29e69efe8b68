package quality

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestGroups: 3,000 failures with one reason are one group, whatever differs
// between their runs; with 3,000 reasons none gets lost.
func TestGroups(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		message func(i int) string
		groups  int
	}{
		"one reason": {func(i int) string {
			return fmt.Sprintf("Error: connect ECONNREFUSED 127.0.0.1:%d after %d ms\n%s", 40_000+i, i, strings.Repeat("x", 20_000))
		}, 1},
		"3,000 reasons": {func(i int) string { return fmt.Sprintf("expected %d\n%s", i, strings.Repeat("x", 20_000)) }, 3000},
	} {
		var failing []qa.FailingTest
		for i := range 3000 {
			failing = append(failing, qa.FailingTest{Triage: qa.NewFailure, Case: qa.Case{Name: fmt.Sprintf("test %d", i), Message: c.message(i)}})
		}
		groups := qa.GroupFailures(failing)
		assert.Equal(t, len(groups), c.groups, name)
		n := 0
		for _, g := range groups {
			n += g.Count
			assert.Assert(t, len(g.Tests) <= qa.GroupNames && len(g.Message) < 1000)
		}
		assert.Equal(t, n, 3000, name)
	}
}
