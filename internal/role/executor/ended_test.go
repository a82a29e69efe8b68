package executor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

const (
	runB      = `{"Action":"run","Package":"example.com/p","Test":"TestB"}`
	killedP   = `{"Action":"output","Package":"example.com/p","Output":"signal: killed\n"}`
	segmentP  = `{"Action":"output","Package":"example.com/p","Output":"signal: segmentation fault\n"}`
	panicB    = `{"Action":"output","Package":"example.com/p","Test":"TestB","Output":"panic: boom\n"}`
	exitP     = `{"Action":"output","Package":"example.com/p","Output":"exit status 2\n"}`
	unrelated = `{"Action":"start","Package":"example.com/q"}`
)

// TestEndedFromOutside: what a time limit of ours, or a signal, cut off is no
// failure of anything; what went wrong by itself stays one.
func TestEndedFromOutside(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		res          process.Result
		events       []string
		tally        qa.Tally
		problems     int
		killed       bool
		inconclusive string
	}{
		"go test is killed": {process.Result{ExitCode: -1, Signal: "killed"}, []string{passA, runB},
			qa.Tally{Tests: 1, Passed: 1}, 0, true, "ended by a signal from outside: killed; not finished: example.com/p > TestB"},
		"go test is killed between tests": {process.Result{ExitCode: -1, Signal: "killed"}, []string{passA, unrelated},
			qa.Tally{Tests: 1, Passed: 1}, 0, true, "not finished: example.com/p and 1 more"},
		"go test is killed at once": {process.Result{ExitCode: -1, Signal: "killed"}, nil,
			qa.Tally{}, 0, true, "ended by a signal from outside: killed"},
		"go test reaches a limit": {process.Result{ExitCode: -1, Signal: "killed", Limit: "memory"}, []string{passA, runB},
			qa.Tally{Tests: 1, Passed: 1}, 0, true, "used more memory than its limit"},
		"go test is out of time": {process.Result{ExitCode: -1, Signal: "killed", TimedOut: true, Seconds: 9}, []string{passA, runB},
			qa.Tally{Tests: 1, Passed: 1}, 0, false, "did not end within its time (9 s); not finished"},
		"jest does not end": {process.Result{ExitCode: -1, Signal: "killed", TimedOut: true, Seconds: 9, Stderr: []byte("Jest did not exit one second after the test run has completed.\n")}, []string{passA},
			qa.Tally{Tests: 1, Passed: 1}, 0, false, "(9 s): its tests are done, and something that they opened keeps it from ending"},
		"the test binary is killed": {process.Result{ExitCode: 1}, []string{passA, runB, killedP, failP},
			qa.Tally{Tests: 1, Passed: 1}, 0, true, "tests were ended by a signal from outside"},
		"the test binary is killed between tests": {process.Result{ExitCode: 1}, []string{passA, killedP, failP},
			qa.Tally{Tests: 1, Passed: 1}, 0, true, "not finished: example.com/p"},
		"what failed before stays failed": {process.Result{ExitCode: -1, Signal: "killed"}, []string{failB, unrelated},
			qa.Tally{Tests: 1, Failed: 1}, 0, true, "not finished"},
		"the test binary crashes": {process.Result{ExitCode: 1}, []string{passA, runB, segmentP, failP},
			qa.Tally{Tests: 2, Passed: 1, Errors: 1}, 0, false, ""},
		"the command crashes": {process.Result{ExitCode: -1, Signal: "segmentation fault"}, []string{passA, passP},
			qa.Tally{Tests: 1, Passed: 1}, 1, false, ""},
		"a panic, and then the time is up": {process.Result{ExitCode: -1, TimedOut: true}, []string{passA, runB, panicB, exitP, failP, unrelated},
			qa.Tally{Tests: 2, Passed: 1, Errors: 1}, 0, false, "did not end within its time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := stand{t.TempDir(), t.TempDir(), func(cmd runtime.Command) (process.Result, error) {
				_, err := says(t, 0, c.events...)(cmd)
				return c.res, err
			}}
			run, err := Suite(t.Context(), tree, target, Options{Name: "head", Keep: fixture.Place(t, t.TempDir())})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.tally, run.Suite.Tally()); d != "" {
				t.Error(d)
			}
			if len(run.Suite.Problems) != c.problems || run.Killed != c.killed ||
				!strings.Contains(run.Inconclusive, c.inconclusive) || (run.Inconclusive == "") != (c.inconclusive == "") {
				t.Errorf("problems %+v, killed %t, inconclusive %q", run.Suite.Problems, run.Killed, run.Inconclusive)
			}
		})
	}
}

// TestKilledSuiteIsNoNewFailure: base is green and head was killed, which says
// nothing about the change.
func TestKilledSuiteIsNoNewFailure(t *testing.T) {
	t.Parallel()
	for name, events := range map[string][]string{"in a test": {passA, runB}, "at once": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			killed := func(cmd runtime.Command) (process.Result, error) {
				_, err := says(t, 0, events...)(cmd)
				return process.Result{ExitCode: -1, Signal: "killed"}, err
			}
			base := stand{t.TempDir(), t.TempDir(), says(t, 0, passA, passP)}
			b, err := Measure(t.Context(), Sides{
				Head: stand{t.TempDir(), t.TempDir(), killed},
				Base: func(context.Context) (Tree, error) { return base, nil },
			}, target, BaselineOptions{Keep: fixture.Place(t, t.TempDir()), Reruns: 2})
			if err != nil {
				t.Fatal(err)
			}
			if len(b.Tests.Failing) > 0 || b.Head.Inconclusive == "" {
				t.Errorf("failing %+v, inconclusive %q", b.Tests.Failing, b.Head.Inconclusive)
			}
		})
	}
}

// TestFullDiskIsSaid: a test that fails on head alone because a disk is full counts
// as new, since what it prints is its own word, and is not called so without that.
func TestFullDiskIsSaid(t *testing.T) {
	t.Parallel()
	const said = `{"Action":"output","Package":"example.com/p","Test":"TestB","Output":"    p_test.go:9: write /tmp/x: no space left on device\n"}`
	for words, want := range map[string]bool{said: true, strings.ReplaceAll(said, "no space left on device", "boom"): false} {
		head := stand{t.TempDir(), t.TempDir(), says(t, 1, passA, runB, words, failB, failP)}
		base := stand{t.TempDir(), t.TempDir(), says(t, 0, passA, runB, strings.ReplaceAll(failB, "fail", "pass"), passP)}
		b, err := Measure(t.Context(), Sides{Head: head, Base: func(context.Context) (Tree, error) { return base, nil }},
			target, BaselineOptions{Keep: fixture.Place(t, t.TempDir()), Reruns: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Tests.Failing) != 1 || b.Tests.Failing[0].Triage != qa.NewFailure ||
			strings.HasPrefix(b.Tests.Failing[0].Case.Message, "it says that a disk is full") != want {
			t.Errorf("failing %+v", b.Tests.Failing)
		}
	}
}

// A runner whose tests passed found some, whatever its last words usually mean; and
// what another program is to start of our files can be started.
func TestVitestEndsWithoutAFailingTest(t *testing.T) {
	t.Parallel()
	s := stand{dir: t.TempDir(), results: t.TempDir(), run: func(c runtime.Command) (process.Result, error) {
		var out string
		for _, a := range c.Argv {
			if v, ok := strings.CutPrefix(a, "--outputFile="); ok {
				out = filepath.Dir(v)
			}
		}
		checker, err := os.Stat(filepath.Join(out, "trace", "qa_types.cjs"))
		if err != nil || checker.Mode().Perm() != 0o755 {
			t.Errorf("%v, %v", checker, err)
		}
		text := `{"numTotalTests":1,"success":true,"testResults":[{"name":"a.test.ts","status":"passed","assertionResults":[{"title":"a","status":"passed"}]}]}`
		return process.Result{ExitCode: 1, Stderr: []byte("JSON report written to x.json\n")}, os.WriteFile(filepath.Join(out, "vitest.json"), []byte(text), 0o600)
	}}
	own := Target{Name: ".", Dir: ".", Framework: adapter.Detection{Framework: "vitest", Tools: adapter.Tools{Program: []string{"vitest"}},
		Extent: adapter.Extent{Plugins: []string{"checks types with tsc"}}}}
	run, err := Suite(t.Context(), s, own, Options{Name: "head", Keep: fixture.Place(t, t.TempDir())})
	assert.NilError(t, err)
	assert.Equal(t, run.Inconclusive, "")
	assert.Equal(t, len(run.Suite.Problems), 1)
	said := run.Suite.Problems[0].Message
	assert.Assert(t, strings.Contains(said, "ended with exit code 1 although no test failed:\n") && !strings.Contains(said, "no tests"), said)
}

// What comes and goes within a failing test is no new failure of it.
func TestFailuresWithinATestThatComeAndGo(t *testing.T) {
	t.Parallel()
	failed := func(names ...string) qa.Case { return qa.Case{Name: "t", Status: qa.Failed, Failures: names} }
	for name, c := range map[string]struct {
		head, again, base qa.Case
		beside            string
	}{
		"the same":               {failed("a"), failed("a"), failed("a"), ""},
		"another":                {failed("a", "b"), failed("a", "b"), failed("a"), "b"},
		"another once":           {failed("a", "b"), failed("a"), failed("a"), ""},
		"one for another":        {failed("b"), failed("b"), failed("a"), "b"},
		"none is steady":         {failed("a"), failed("b"), failed("a"), ""},
		"one more without names": {failed("", ""), failed("", ""), failed(), ""},
		"addresses":              {failed("a at 0x7f0011223344"), failed("a at 0x7f0011223355"), failed("a at 0x7f0011223366"), ""},
	} {
		cases := []qa.Case{c.head}
		steady(cases, Run{Suite: qa.Suite{Cases: []qa.Case{c.again}}}, cases)
		f := qa.FailingTest{Case: cases[0], Triage: qa.PreExisting}
		beside(&f, c.base)
		isNew := c.beside != "" || name == "one more without names"
		if (f.Triage == qa.NewFailure) != isNew || !strings.Contains(f.Case.Message, c.beside) {
			t.Errorf("%s: %s %q", name, f.Triage, f.Case.Message)
		}
	}
}
