package shard

import (
	"testing"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

func TestPartsOfASuiteAreDistinct(t *testing.T) {
	t.Parallel()
	did := func(name string, status qa.Status) qa.Case { return qa.Case{Name: name, Status: status} }
	part := func(cases ...qa.Case) baseline.Measurement {
		return baseline.Measurement{Baseline: executor.Baseline{Head: executor.Run{Suite: qa.Suite{Cases: cases}}}}
	}
	for name, c := range map[string]struct {
		a, b baseline.Measurement
		want string
	}{
		"distinct":       {part(did("a", qa.Passed), did("b", qa.Skipped)), part(did("b", qa.Failed), did("a", qa.Skipped)), ""},
		"one in both":    {part(did("a", qa.Passed)), part(did("a", qa.Failed)), "tests that ran in both: a"},
		"many in both":   {part(did("d", qa.Passed), did("c", qa.Passed), did("b", qa.Passed), did("a", qa.Passed)), part(did("a", qa.Passed), did("b", qa.Passed), did("c", qa.Passed), did("d", qa.Passed)), "tests that ran in both: a, b, c and 1 more"},
		"nothing ran":    {part(did("a", qa.Passed)), part(), "one of them ran no test, so they are no parts of one suite"},
		"only skipped":   {part(did("a", qa.Skipped)), part(did("b", qa.Passed)), "one of them ran no test, so they are no parts of one suite"},
		"flaky in both":  {part(did("a", qa.Flaky)), part(did("a", qa.Passed)), "tests that ran in both: a"},
		"errors in both": {part(did("a", qa.Errored)), part(did("a", qa.Errored)), "tests that ran in both: a"},
	} {
		got := ""
		if err := distinct(c.a, c.b, false); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
