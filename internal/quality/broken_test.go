package quality

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// broken is a report in which the change keeps one package from building.
func broken() *qa.Report {
	r := green()
	r.Tests.Problems = []qa.Problem{{Kind: "build", Where: "example.com/a", Message: "undefined: x"}}
	r.Tests.Failing = []qa.FailingTest{{Triage: qa.NewFailure, Base: qa.Passed,
		Case: qa.Case{Suite: "example.com/a", Name: "(build)", Status: qa.Errored, Message: "undefined: x"}}}
	return r
}

func gateOf(t *testing.T, r *qa.Report, name string) qa.Gate {
	t.Helper()
	for _, g := range r.Gates {
		if g.Name == name {
			return g
		}
	}
	t.Fatalf("there is no gate %s", name)
	return qa.Gate{}
}

// What could not be started is unknown: it has no score, and nobody knows
// whether it is flaky.
func TestABrokenBuildIsNotScored(t *testing.T) {
	t.Parallel()
	r := broken()
	r.Score = Score(r)
	Judge(r, Rules{Target: 80})
	if r.Score.Value != nil || len(r.Score.Terms) != 0 {
		t.Errorf("score %v", r.Score)
	}
	if g := gateOf(t, r, qa.GateScore); g.Verdict != qa.NotApplicable || g.Reason != "not all tests could be started" {
		t.Errorf("%+v", g)
	}
	if g := gateOf(t, r, qa.GateFlaky); g.Verdict != qa.NotApplicable || g.Measured != "unknown" {
		t.Errorf("%+v", g)
	}
	if r.Result != qa.Fail || r.Reason != "1 new failure to build or start tests: example.com/a > (build)" {
		t.Errorf("%s: %s", r.Result, r.Reason)
	}
	r = broken()
	Judge(r, Rules{Target: 80, FailOn: []string{qa.GateFlaky}})
	if g := gateOf(t, r, qa.GateFlaky); g.Verdict != qa.Inconclusive {
		t.Errorf("asked for: %+v", g)
	}
}

// A build that base breaks as well is not this change's doing.
func TestABuildThatWasBrokenBeforeIsScored(t *testing.T) {
	t.Parallel()
	r := broken()
	r.Tests.Failing[0].Triage = qa.PreExisting
	r.Score = Score(r)
	Judge(r, Rules{Target: 80})
	if r.Score.Value == nil || r.Result != qa.Pass {
		t.Errorf("%v %s: %s", r.Score, r.Result, r.Reason)
	}
	if g := gateOf(t, r, qa.GateNewFailures); g.Measured != "0 new failing tests, 1 pre-existing" {
		t.Error(g.Measured)
	}
}

func TestDocumentationHasNoScore(t *testing.T) {
	t.Parallel()
	docs := func() *qa.Report {
		return &qa.Report{Change: qa.Change{Files: []qa.FileChange{{Path: "README.md", Kind: qa.KindDocs}}}, Tests: qa.Tests{Unneeded: "no test reads it"},
			Manifest: qa.Manifest{Engines: []qa.Engine{{Name: "secrets", State: "ran"}}}}
	}
	r := docs()
	r.Score = Score(r)
	Judge(r, Rules{Target: 80})
	if g := gateOf(t, r, qa.GateScore); r.Score.Value != nil || r.Result != qa.Pass || g.Measured != "n/a" {
		t.Errorf("%v %s %+v", r.Score, r.Result, g)
	}
	r = docs() // a secret in it is something to judge
	r.Findings = []qa.Finding{finding(qa.Security, qa.Critical, qa.Corroborated)}
	if s := Score(r); s.Value == nil || *s.Value != 86 {
		t.Errorf("%v", s)
	}
}

func TestFailuresAreCountedInWords(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]struct {
		counts   map[qa.Triage]int
		problems []string // their kinds
		held     int
	}{
		"0 new failing tests":                                                 {nil, nil, 0},
		"1 new failing test":                                                  {map[qa.Triage]int{qa.NewFailure: 1}, nil, 0},
		"3 new failing tests, 1 pre-existing":                                 {map[qa.Triage]int{qa.NewFailure: 2, qa.UnknownFailure: 1, qa.PreExisting: 1}, nil, 0},
		"0 new failing tests, 1 flaky, 2 in quarantine":                       {map[qa.Triage]int{qa.FlakyFailure: 1}, nil, 2},
		"1 new failure to build or start tests":                               {map[qa.Triage]int{qa.NewFailure: 1}, []string{"build"}, 0},
		"2 new failing checks of the test script":                             {map[qa.Triage]int{qa.NewFailure: 2}, []string{qa.FailedCheck, qa.FailedCheck}, 0},
		"1 new error outside of tests, 1 pre-existing":                        {map[qa.Triage]int{qa.NewFailure: 1, qa.PreExisting: 1}, []string{qa.OutsideTests}, 0},
		"1 new failing test, 2 new failures to build or start tests, 1 flaky": {map[qa.Triage]int{qa.NewFailure: 3, qa.FlakyFailure: 1}, []string{"build", "collect"}, 0},
	} {
		var tests qa.Tests
		for _, kind := range c.problems {
			p := qa.Problem{Kind: kind, Where: "here"}
			tests.Problems = append(tests.Problems, p)
			tests.Failing = append(tests.Failing, qa.FailingTest{Triage: qa.NewFailure, Case: p.Case()})
		}
		if got := failuresText(c.counts, tests, c.held); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Tests of one target say nothing about another whose tests did not run.
func TestEveryTargetMustRunTests(t *testing.T) {
	t.Parallel()
	r := green()
	r.Manifest.Targets = append(r.Manifest.Targets, qa.TargetRow{Name: "libs/calc", State: "ran"})
	Judge(r, Rules{Target: 80})
	if g := gateOf(t, r, qa.GateTestsRan); g.Verdict != qa.Inconclusive || g.Reason != "libs/calc: no test was executed" {
		t.Errorf("%+v", g)
	}
}

// Where nothing ran, the gate says what kept it from running.
func TestNothingRanSaysWhy(t *testing.T) {
	t.Parallel()
	r := green()
	r.Tests = qa.Tests{Problems: []qa.Problem{{Kind: "collect", Where: "tests/test_a.py", Message: "ImportError: no b\nTraceback"}, {Where: "tests/test_b.py", Message: strings.Repeat("é", 500)}}}
	Judge(r, Rules{})
	if want := "no test was executed: tests/test_a.py: ImportError: no b"; r.Result != qa.Inconclusive || r.Reason != want {
		t.Errorf("%s: %q, want %q", r.Result, r.Reason, want)
	}
	r.Tests.Problems = r.Tests.Problems[1:]
	Judge(r, Rules{})
	if got := []rune(r.Reason); len(got) > 300 {
		t.Errorf("a message of %d characters", len(got))
	}
}

// A command without a report is called by what it runs, with the step that would
// make it tell more; when it fails, it is no build.
func TestACommandWithoutAReportIsNamed(t *testing.T) {
	t.Parallel()
	r := green()
	r.Tests.Head = qa.Tally{}
	r.Manifest.Targets = []qa.TargetRow{{Name: ".", Command: "ava", State: "ran", ExitOnly: true, Reason: "set test-report"}}
	Judge(r, Rules{Target: 80})
	if want := "ava gives an exit code and no count of tests; set test-report"; r.Result != qa.Conditional || r.Reason != want {
		t.Errorf("%s: %s", r.Result, r.Reason)
	}
	r.Tests.Problems = []qa.Problem{{Kind: "exit", Where: "."}}
	r.Tests.Failing = []qa.FailingTest{{Case: qa.Case{Suite: ".", Name: "(exit)"}, Triage: qa.NewFailure, Reproduce: "npx ava"}}
	Judge(r, Rules{Target: 80})
	if r.Result != qa.Fail || r.Reason != "1 test command newly failing by exit code" {
		t.Errorf("%s: %s", r.Result, r.Reason)
	}
	if steps := Next(r); len(steps) > 0 {
		t.Errorf("what fails has its command in its row: %v", steps)
	}
}
