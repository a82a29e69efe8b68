package executor

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// A baseline takes no more than what is left of the run's time, and says what
// it did without.
func TestBaselineKeepsToItsTime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		left         []time.Duration // before each command
		commands     []time.Duration // what each command may take
		inconclusive string          // part of it
		base         string          // part of why base was not run
		failed       []string        // in base's whole suite
		triage       qa.Triage
	}{
		"nothing":                {left: []time.Duration{0}, inconclusive: "no time left"},
		"the suite alone":        {left: []time.Duration{time.Hour, 0, 0}, commands: []time.Duration{time.Minute}, base: "no time left", triage: qa.UnknownFailure},
		"no base":                {left: []time.Duration{time.Hour, 30 * time.Second, 0, 0}, commands: []time.Duration{time.Minute, 30 * time.Second}, base: "no time left", triage: qa.UnknownFailure},
		"base's test alone":      {left: []time.Duration{time.Hour, 0, 20 * time.Second, 0}, commands: []time.Duration{time.Minute, 20 * time.Second}, base: "no time left", triage: qa.UnknownFailure},
		"base in a short time":   {left: []time.Duration{time.Hour, 0, 20 * time.Second, 9 * time.Second}, commands: []time.Duration{time.Minute, 20 * time.Second, 9 * time.Second}, triage: qa.PreExisting},
		"base is known to fail":  {left: []time.Duration{time.Hour, 0, 20 * time.Second}, commands: []time.Duration{time.Minute, 20 * time.Second}, failed: []string{"example.com/p > TestB"}, triage: qa.PreExisting},
		"as long as it may take": {commands: []time.Duration{time.Minute, time.Minute, time.Minute, time.Minute}, triage: qa.PreExisting},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var commands []time.Duration
			tree := stand{t.TempDir(), t.TempDir(), func(c runtime.Command) (process.Result, error) {
				commands = append(commands, c.Timeout)
				return says(t, 1, passA, failB, failP)(c)
			}}
			o := BaselineOptions{Keep: fixture.Place(t, t.TempDir()), Timeout: time.Minute, Reruns: 1, Failed: c.failed}
			if left := c.left; left != nil {
				o.Left = func() time.Duration { now := left[0]; left = left[1:]; return now }
			}
			b, err := Measure(t.Context(), Sides{Head: tree, Base: func(context.Context) (Tree, error) { return tree, nil }}, target, o)
			if err != nil {
				t.Fatal(err)
			}
			if len(commands) != len(c.commands) {
				t.Fatalf("ran %v, want %v", commands, c.commands)
			}
			for i := range commands {
				if commands[i] != c.commands[i] {
					t.Errorf("ran %v, want %v", commands, c.commands)
				}
			}
			if !strings.Contains(b.Head.Inconclusive, c.inconclusive) || !strings.Contains(b.BaseReason, c.base) || (b.BaseReason == "") != (c.base == "") {
				t.Errorf("head %q, base %q", b.Head.Inconclusive, b.BaseReason)
			}
			if c.triage != "" && (len(b.Tests.Failing) != 1 || b.Tests.Failing[0].Triage != c.triage) {
				t.Errorf("failing: %+v", b.Tests.Failing)
			}
		})
	}
}

// What did not run covers nothing: it keeps no layer from having the coverage
// of the suite.
func TestWholeLayer(t *testing.T) {
	t.Parallel()
	unit, end := qa.Case{File: "a.ts", Status: qa.Passed}, qa.Case{File: "e2e/a.ts", Status: qa.Skipped}
	ran := end
	ran.Status = qa.Passed
	for _, c := range []struct {
		cases []qa.Case
		whole bool
	}{{nil, false}, {[]qa.Case{unit}, true}, {[]qa.Case{unit, end}, true}, {[]qa.Case{unit, ran}, false}, {[]qa.Case{end}, false}, {[]qa.Case{ran}, false}} {
		if got := Whole(qa.L1, c.cases); got != c.whole {
			t.Errorf("%+v: %t", c.cases, got)
		}
	}
}
