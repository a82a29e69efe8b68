package extract

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestFailureShowsTheProjectsFrames: frames of dependencies and of the runtime
// would hide the one that matters.
func TestFailureShowsTheProjectsFrames(t *testing.T) {
	t.Parallel()
	got := WhatFailed(qa.Case{Message: "Error: no\n    at test/a.js:1:2\n    at node_modules/x/i.js:3:4\n    at node:internal/timers:5:6"})
	if want := "Error: no\n    at test/a.js:1:2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if only := "    at node:internal/timers:5:6"; WhatFailed(qa.Case{Message: only}) != only {
		t.Error("a text of frames alone is lost")
	}
}

// TestWhoseFailure: that a failure is not of this change is said only where that
// is known.
func TestWhoseFailure(t *testing.T) {
	t.Parallel()
	old := qa.FailingTest{Triage: qa.PreExisting, Head: []bool{false, false}}
	flake := qa.FailingTest{Triage: qa.FlakyFailure, Head: []bool{false, true}}
	known := qa.FailingTest{Triage: qa.FlakyFailure, Head: []bool{false, false}}
	held := qa.FailingTest{Triage: qa.FlakyFailure, Head: []bool{false, true}, Quarantine: "until 2999-12-31"}
	fresh := qa.FailingTest{Triage: qa.NewFailure}
	command := qa.FailingTest{Triage: qa.NewFailure, Case: qa.Case{Name: "(exit)"}}
	for want, tests := range map[string][]qa.FailingTest{
		"1 test failed, none because of this change":      {old},
		"2 tests failed, none because of this change":     {old, flake},
		"1 test failed, none counts against this change":  {known},
		"2 tests failed, none counts against this change": {flake, held},
		"1 test failed, and it needs your attention":      {fresh},
		"3 tests failed, 1 needs your attention":          {fresh, known, held},
		// A command of which only the exit code is known is no test.
		"1 test command failed, and it needs your attention":         {command},
		"1 test and 2 test commands failed, all need your attention": {fresh, command, command},
	} {
		assert.Equal(t, FailingTitle(tests), want)
	}
}
