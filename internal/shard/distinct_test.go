package shard

import (
	"testing"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/framework/adapter"
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

// A runner that divides as many files as there are parts leaves no part without a test.
func TestIdleParts(t *testing.T) {
	t.Parallel()
	in := func(framework string, files ...string) baseline.Measurement {
		m := baseline.Measurement{Target: executor.Target{Name: ".", Framework: adapter.Detection{Framework: framework, Version: "99.0.0"}}}
		for _, file := range files {
			m.Baseline.Head.Suite.Cases = append(m.Baseline.Head.Suite.Cases, qa.Case{File: file, Name: "works", Status: qa.Passed})
		}
		return m
	}
	cut := in("vitest")
	cut.Baseline.Head.Inconclusive = "it did not end"
	for name, c := range map[string]struct {
		parts []baseline.Measurement
		of    int
		idle  bool
	}{
		"each has some":          {[]baseline.Measurement{in("vitest", "a"), in("vitest", "b")}, 2, false},
		"fewer files than parts": {[]baseline.Measurement{in("vitest", "a"), in("vitest")}, 2, false},
		"none in one":            {[]baseline.Measurement{in("vitest", "a", "b"), in("vitest")}, 2, true},
		"one was left out":       {[]baseline.Measurement{in("pytest", "a", "b")}, 2, true},
		"listed":                 {[]baseline.Measurement{in("gotest", "a", "b")}, 2, false},
		"not to be divided":      {[]baseline.Measurement{in("mocha", "a", "b")}, 2, false},
		"not judged":             {[]baseline.Measurement{in("vitest", "a", "b"), cut}, 2, false},
	} {
		if err := idle(c.parts, c.of); (err != nil) != c.idle {
			t.Errorf("%s: %v", name, err)
		}
	}
}
