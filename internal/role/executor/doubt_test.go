package executor

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// A test that passes alone is flaky only if it also passes with the others: one
// that another test breaks every time fails for everybody.
func TestPassingAloneIsNotFlaky(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		// whether the test passes in the n-th run of the whole suite
		whole  func(n int) bool
		triage qa.Triage
	}{
		"another test breaks it": {func(int) bool { return false }, qa.NewFailure},
		"comes and goes":         {func(n int) bool { return n > 1 }, qa.FlakyFailure},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			head := stand{t.TempDir(), t.TempDir(), func(cmd runtime.Command) (process.Result, error) {
				if slices.Contains(cmd.Argv, "-run") || onWhole(&n, c.whole) {
					return says(t, 0, passA, passB, passP)(cmd)
				}
				return says(t, 1, passA, failB, failP)(cmd)
			}}
			base := stand{t.TempDir(), t.TempDir(), says(t, 0, passA, passB, passP)}
			b, err := Measure(t.Context(), Sides{Head: head, Base: func(context.Context) (Tree, error) { return base, nil }}, target,
				BaselineOptions{Keep: fixture.Place(t, t.TempDir()), Reruns: 3})
			if err != nil {
				t.Fatal(err)
			}
			if len(b.Tests.Failing) != 1 || b.Tests.Failing[0].Triage != c.triage {
				t.Errorf("failing: %+v", b.Tests.Failing)
			}
		})
	}
}

// watched is a tree in which opening files leaves a trace.
type watched struct{ stand }

func (watched) Reads(context.Context) (runtime.Reads, error) {
	return runtime.Reads{Known: true, Opened: []string{"p_test.go"}}, nil
}

// Where tests fail because they are measured, the run without coverage is the one that
// counts, and what it opened is known, too.
func TestWhatCountsInsteadWasWatched(t *testing.T) {
	t.Parallel()
	head := watched{stand{t.TempDir(), t.TempDir(), func(cmd runtime.Command) (process.Result, error) {
		if slices.ContainsFunc(cmd.Argv, func(arg string) bool { return strings.HasPrefix(arg, "-cover") }) {
			profile(t, cmd)
			return says(t, 1, passA, failB, failP)(cmd)
		}
		return says(t, 0, passA, passB, passP)(cmd)
	}}}
	for name, text := range map[string]string{"go.mod": "module example.com/p\n", "p.go": "package p\n\nfunc P() {\n}\n"} {
		assert.NilError(t, os.WriteFile(filepath.Join(head.dir, name), []byte(text), 0o600))
	}
	measuring := target
	measuring.Framework.Coverage = true
	b, err := Measure(t.Context(), Sides{Head: head, Base: func(context.Context) (Tree, error) { return head, nil }}, measuring,
		BaselineOptions{Keep: fixture.Place(t, t.TempDir()), Reruns: 3})
	assert.NilError(t, err)
	assert.Equal(t, len(b.Tests.Failing), 0)
	assert.Equal(t, b.Head.CoverageReason, "tests fail when they are measured and pass without: example.com/p > TestB")
	assert.DeepEqual(t, b.Head.Seen.Opened, []string{"p_test.go"})
}

// profile writes what a run with coverage would leave.
func profile(t *testing.T, cmd runtime.Command) {
	t.Helper()
	for _, arg := range cmd.Argv {
		if file, ok := strings.CutPrefix(arg, "-coverprofile="); ok {
			assert.NilError(t, os.WriteFile(file, []byte("mode: set\nexample.com/p/p.go:3.10,4.2 1 1\n"), 0o600))
		}
	}
}

func onWhole(n *int, passes func(int) bool) bool {
	*n++
	return passes(*n)
}

const passB = `{"Action":"run","Package":"example.com/p","Test":"TestB"}
{"Action":"pass","Package":"example.com/p","Test":"TestB","Elapsed":0.1}`

// A project that measures by itself fails for everybody where the change makes a test, or
// the whole suite, fail when it is measured; where base does so, the tool is at fault.
func TestWhatFailsMeasuredFailsWhereTheProjectMeasures(t *testing.T) {
	t.Parallel()
	fine := says(t, 0, passA, passB, passP)
	for name, c := range map[string]struct {
		head, base func(runtime.Command) (process.Result, error) // measured
		bad        int
	}{
		"a test":                      {says(t, 1, passA, failB, failP), fine, 1},
		"a test, on base too":         {says(t, 1, passA, failB, failP), says(t, 1, passA, failB, failP), 0},
		"all of it":                   {says(t, 2), fine, 1},
		"all of it, on base too":      {says(t, 2), says(t, 2), 0},
		"nothing, and the tool later": {fine, says(t, 2), 0},
	} {
		side := func(measured func(runtime.Command) (process.Result, error)) Tree {
			s := stand{t.TempDir(), t.TempDir(), func(cmd runtime.Command) (process.Result, error) {
				if slices.ContainsFunc(cmd.Argv, func(arg string) bool { return strings.HasPrefix(arg, "-cover") }) {
					profile(t, cmd)
					return measured(cmd)
				}
				return fine(cmd)
			}}
			assert.NilError(t, os.WriteFile(filepath.Join(s.dir, "p.go"), []byte("package p\n\nfunc P() {\n}\n"), 0o600))
			assert.NilError(t, os.WriteFile(filepath.Join(s.dir, "go.mod"), []byte("module example.com/p\n"), 0o600))
			return s
		}
		for _, measures := range []bool{true, false} {
			measuring := target
			measuring.Framework.Coverage, measuring.Framework.Measures = true, measures
			b, err := Measure(t.Context(), Sides{Head: side(c.head), Base: func(context.Context) (Tree, error) { return side(c.base), nil }}, measuring,
				BaselineOptions{Keep: fixture.Place(t, t.TempDir()), Reruns: 3})
			assert.NilError(t, err)
			want := 0
			if measures {
				want = c.bad
			}
			bad := 0
			for _, f := range b.Tests.Failing {
				if f.Triage == qa.NewFailure {
					bad++
				}
			}
			assert.Equal(t, bad, want, "%s, %v: %+v, head %q", name, measures, b.Tests.Failing, b.Head.Inconclusive)
		}
	}
}

// The words of a missed coverage threshold are printed by anything: they excuse an exit
// code only where the suite ends well without coverage.
func TestWordsOfAThresholdExcuseNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ plain, bad int }{"missed": {0, 0}, "an error outside of the tests": {1, 1}} {
		head := stand{t.TempDir(), t.TempDir(), func(cmd runtime.Command) (process.Result, error) {
			res := process.Result{ExitCode: c.plain, Stderr: []byte("coverage for lines (50%) does not meet global threshold (80%)\n")}
			for _, arg := range cmd.Argv {
				if file, ok := strings.CutPrefix(arg, "--outputFile="); ok {
					assert.NilError(t, os.WriteFile(file, []byte(`{"numTotalTests":1,"success":true,"testResults":[{"status":"passed","assertionResults":[{"title":"one","status":"passed"}]}]}`), 0o600))
				} else if arg == "--coverage.enabled" {
					res.ExitCode = 1
				}
			}
			return res, nil
		}}
		vitest := Target{Name: ".", Dir: ".", Framework: adapter.Detection{Framework: "vitest", Coverage: true}}
		b, err := Measure(t.Context(), Sides{Head: head}, vitest, BaselineOptions{Keep: fixture.Place(t, t.TempDir())})
		assert.NilError(t, err)
		assert.Equal(t, len(b.Tests.Failing), c.bad, "%s: %+v", name, b.Tests.Failing)
	}
}
