package checks

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

func outcome(check, state string) Outcome {
	return Outcome{CheckRow: qa.CheckRow{Check: check, State: state}}
}

// Only a check that was not run leaves a question open, and only where the change touches
// a file that it names.
func TestTouchedNamesWhatNobodyRan(t *testing.T) {
	t.Parallel()
	change := qa.Change{Files: []qa.FileChange{{Path: "web/data.json"}, {Path: "tools/gen.js"}, {Path: "code"}}}
	for check, want := range map[string]string{
		"web test: jq -e .ok data.json":     "web/data.json",
		"test: jq -e .ok web/data.json":     "web/data.json",
		"test: jq -e .ok data.json":         "",
		"test:types: node tools/gen":        "tools/gen.js",
		"test: exit $(cat code)":            "code",
		"test: eslint .":                    "",
		"test: node tools/generate && true": "",
	} {
		got := Touched([]Outcome{outcome(check, notRun)}, change)
		if want == "" {
			assert.Equal(t, len(got), 0, check)
			continue
		}
		assert.Assert(t, len(got) == 1 && strings.Contains(got[0], " touches "+want+": "+check), "%s: %v", check, got)
		assert.Equal(t, len(Touched([]Outcome{outcome(check, passed), outcome(check, failed)}, change)), 0, "what was run says it itself")
	}
}

// The part of a run that ran a check knows more than one that left it to that.
func TestPartsKnowTheSameChecks(t *testing.T) {
	t.Parallel()
	left, ran := []Outcome{outcome("lint", notRun), outcome("types", notRun)}, []Outcome{outcome("lint", failed), outcome("types", passed)}
	for _, got := range [][]Outcome{Join(Join(nil, left), ran), Join(Join(nil, ran), left)} {
		assert.Equal(t, len(got), 2)
		assert.Equal(t, got[0].State+" "+got[1].State, failed+" "+passed)
	}
	open, rows := Rows(append(left, ran...))
	assert.DeepEqual(t, open, []string{"lint", "types"})
	assert.Equal(t, len(rows), 4)
	assert.Assert(t, Ran(ran) && !Ran(left))
}

// What failed stands among the failing tests, once, and as a problem of its own kind.
func TestFailedChecksAreTold(t *testing.T) {
	t.Parallel()
	p := qa.Problem{Kind: qa.FailedCheck, Where: "lint: eslint .", Message: "no"}
	bad := outcome("lint: eslint .", failed)
	bad.Failing = &qa.FailingTest{Case: p.Case(), Triage: qa.NewFailure}
	var tests qa.Tests
	Tell([]Outcome{outcome("types: tsc", passed), bad}, &tests)
	assert.Equal(t, len(tests.Failing), 1)
	assert.Assert(t, tests.Failing[0].Failed(tests.Problems[0]))
	assert.Equal(t, tests.Problems[0].Kind, qa.FailedCheck)
}
