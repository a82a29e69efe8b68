package executor

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// A test that the runner itself repeats until it passes, as the change configures it,
// fails with base's configuration. One that was repeated here is flaky, and says nothing.
func TestRetriesThatTheChangeConfigures(t *testing.T) {
	t.Parallel()
	is := func(s qa.Status) []qa.Case { return []qa.Case{{File: "a.test.js", Name: "a", Status: s}} }
	suite := func(s qa.Status) Run {
		return Run{Suite: qa.Suite{Cases: is(s)}}
	}
	for status, want := range map[qa.Status]string{qa.Flaky: "", qa.Failed: "runs no test"} {
		runs := []Baseline{{Head: suite(status), Tests: qa.Tests{Cases: is(qa.Flaky)}}}
		fails, said := Unlike(runs, Target{}, suite(qa.Failed), func(...string) bool { return false })
		assert.Equal(t, len(fails), map[qa.Status]int{qa.Flaky: 1}[status])
		assert.Equal(t, strings.Join(said, "; "), want)
	}
}
