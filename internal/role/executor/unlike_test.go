package executor

import (
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
	for said, want := range map[qa.Status]string{qa.Flaky: "fails: a.test.js > a", qa.Failed: "runs no test"} {
		runs := []Baseline{{Head: suite(said), Tests: qa.Tests{Cases: is(qa.Flaky)}}}
		assert.Equal(t, Unlike(runs, Target{}, suite(qa.Failed), func(...string) bool { return false }), want)
	}
}
