package executor

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// stand is a tree whose commands do what a test says.
type stand struct {
	dir, results string
	run          func(runtime.Command) (process.Result, error)
}

func (s stand) Dir() string     { return s.dir }
func (s stand) Results() string { return s.results }
func (s stand) Run(_ context.Context, c runtime.Command) (process.Result, error) {
	if len(c.Argv) > 1 && c.Argv[1] == "list" { // what the tests are made of
		return process.Result{}, nil
	}
	return s.run(c)
}

// says writes a go test -json stream as the command's standard output.
func says(t *testing.T, exit int, events ...string) func(runtime.Command) (process.Result, error) {
	return func(c runtime.Command) (process.Result, error) {
		if err := os.WriteFile(c.Stdout, []byte(strings.Join(events, "\n")+"\n"), 0o600); err != nil {
			t.Error(err)
		}
		return process.Result{ExitCode: exit, Stderr: []byte("the runner's last words")}, nil
	}
}

const (
	passA = `{"Action":"run","Package":"example.com/p","Test":"TestA"}
{"Action":"pass","Package":"example.com/p","Test":"TestA","Elapsed":0.1}`
	failB = `{"Action":"run","Package":"example.com/p","Test":"TestB"}
{"Action":"output","Package":"example.com/p","Test":"TestB","Output":"    b_test.go:3: got 1\n"}
{"Action":"fail","Package":"example.com/p","Test":"TestB","Elapsed":0.1}`
	passP = `{"Action":"pass","Package":"example.com/p","Elapsed":0.2}`
	failP = `{"Action":"fail","Package":"example.com/p","Elapsed":0.2}`
)

var target = Target{Name: ".", Dir: ".", Framework: adapter.Detection{Framework: "gotest", Dir: "."}}

func TestSuiteBelievesReportsOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		run          func(*testing.T) func(runtime.Command) (process.Result, error)
		tally        qa.Tally
		problems     int
		inconclusive string // part of it
	}{
		"green": {func(t *testing.T) func(runtime.Command) (process.Result, error) { return says(t, 0, passA, passP) },
			qa.Tally{Tests: 1, Passed: 1}, 0, ""},
		"red": {func(t *testing.T) func(runtime.Command) (process.Result, error) {
			return says(t, 1, passA, failB, failP)
		},
			qa.Tally{Tests: 2, Passed: 1, Failed: 1}, 0, ""},
		"green report, red exit code": {func(t *testing.T) func(runtime.Command) (process.Result, error) { return says(t, 3, passA, passP) },
			qa.Tally{Tests: 1, Passed: 1}, 1, ""},
		"an empty report": {func(t *testing.T) func(runtime.Command) (process.Result, error) { return says(t, 0) },
			qa.Tally{}, 0, "the test report cannot be relied on"},
		"an empty report of a build that did not begin": {func(t *testing.T) func(runtime.Command) (process.Result, error) {
			return func(c runtime.Command) (process.Result, error) {
				_, err := says(t, 1)(c)
				return process.Result{ExitCode: 1, Stderr: []byte("go: module requires Go 1.99")}, err
			}
		}, qa.Tally{}, 0, "no test ran (exit code 1); the Go toolchain is too old"},
		"no report": {func(*testing.T) func(runtime.Command) (process.Result, error) {
			return func(runtime.Command) (process.Result, error) {
				return process.Result{ExitCode: 0, Stdout: []byte("PASS, all 300 tests")}, nil
			}
		}, qa.Tally{}, 0, "wrote no report"},
		"the report is a link": {func(t *testing.T) func(runtime.Command) (process.Result, error) {
			return func(c runtime.Command) (process.Result, error) {
				elsewhere := filepath.Join(t.TempDir(), "forged.json")
				if err := errors.Join(os.WriteFile(elsewhere, []byte(passA+"\n"+passP+"\n"), 0o600), os.Symlink(elsewhere, c.Stdout)); err != nil {
					t.Error(err)
				}
				return process.Result{}, nil
			}
		}, qa.Tally{}, 0, "wrote no report"},
		"not started": {func(*testing.T) func(runtime.Command) (process.Result, error) {
			return func(runtime.Command) (process.Result, error) { return process.Result{}, process.ErrNotFound }
		}, qa.Tally{}, 0, "could not be started"},
		"not ended": {func(t *testing.T) func(runtime.Command) (process.Result, error) {
			return func(c runtime.Command) (process.Result, error) {
				_, err := says(t, 0, passA)(c)
				return process.Result{TimedOut: true, Seconds: 900}, err
			}
		}, qa.Tally{Tests: 1, Passed: 1}, 0, "did not end within its time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := stand{t.TempDir(), t.TempDir(), c.run(t)}
			run, err := Suite(t.Context(), tree, target, Options{Name: "head", Keep: fixture.Place(t, t.TempDir())})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.tally, run.Suite.Tally()); d != "" {
				t.Error(d)
			}
			if len(run.Suite.Problems) != c.problems || !strings.Contains(run.Inconclusive, c.inconclusive) || (run.Inconclusive == "") != (c.inconclusive == "") {
				t.Errorf("problems %+v, inconclusive %q", run.Suite.Problems, run.Inconclusive)
			}
		})
	}
}

func TestSuiteForgetsStaleReports(t *testing.T) {
	t.Parallel()
	tree := stand{t.TempDir(), t.TempDir(), says(t, 0, passA, passP)}
	if _, err := Suite(t.Context(), tree, target, Options{Name: "head", Keep: fixture.Place(t, t.TempDir())}); err != nil {
		t.Fatal(err)
	}
	tree.run = func(runtime.Command) (process.Result, error) { return process.Result{}, nil }
	run, err := Suite(t.Context(), tree, target, Options{Name: "head", Keep: fixture.Place(t, t.TempDir())})
	if err != nil || len(run.Suite.Cases) > 0 || run.Inconclusive == "" {
		t.Errorf("took the last run's report for its own: %+v, %v", run, err)
	}
}

func TestGeneratedTestsHaveNoNetwork(t *testing.T) {
	t.Parallel()
	for generated, want := range map[bool]runtime.Network{true: runtime.NetworkLoopback, false: runtime.Command{}.Network} {
		var got runtime.Command
		tree := stand{t.TempDir(), t.TempDir(), nil}
		tree.run = func(c runtime.Command) (process.Result, error) {
			got = c
			return says(t, 0, passA, passP)(c)
		}
		if _, err := Suite(t.Context(), tree, target, Options{Name: "head", Keep: fixture.Place(t, t.TempDir()), Generated: generated}); err != nil {
			t.Fatal(err)
		}
		if got.Network != want {
			t.Errorf("generated %t: network %v", generated, got.Network)
		}
	}
}

func TestCancelledIsAnError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tree := stand{t.TempDir(), t.TempDir(), func(runtime.Command) (process.Result, error) { return process.Result{}, ctx.Err() }}
	if _, err := Suite(ctx, tree, target, Options{Name: "head", Keep: fixture.Place(t, t.TempDir())}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestLayerOf(t *testing.T) {
	t.Parallel()
	for place, want := range map[string]qa.Layer{
		"src/a.test.ts": qa.L1, "tests/integration/a.test.ts": qa.L2, "src/a.integration.test.ts": qa.L2, "it/a_test.py": qa.L2,
		"src/it.test.ts": qa.L1, "e2e/a.spec.ts": qa.L3, "src/cart.e2e.ts": qa.L3, "src/integrations.ts/a.test.ts": qa.L1, "pkg/functional/x_test.go": qa.L2,
	} {
		if got := LayerOf(qa.Case{File: place}); got != want {
			t.Errorf("%s is %s, want %s", place, got, want)
		}
	}
	cases := []qa.Case{{File: "e2e/a.ts"}, {File: "a.ts"}, {File: "a.ts", Name: "b"}, {Suite: "example.com/p"}}
	if got := Files(Of(qa.L1, cases)); len(got) != 2 || got[0].File != "a.ts" || got[1].Suite != "example.com/p" {
		t.Errorf("got %+v", got)
	}
}

func TestTailIsWhatWasSaid(t *testing.T) {
	t.Parallel()
	out := `{"Action":"start","Package":"p"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"p","Output":"panic: lost\n"}
{"level":"info"}
{not json`
	if got, want := tail(process.Result{Stdout: []byte(out)}), "=== RUN   TestA\npanic: lost\n{\"level\":\"info\"}\n{not json"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A runner without a report may list its failures on the one stream and chat on
// the other.
func TestBothStreamsAreTheLastWordsOfACommand(t *testing.T) {
	t.Parallel()
	res := process.Result{Stdout: []byte("  adds\n\n  1 !== 2\n"), Stderr: []byte("terminal: none\n")}
	if got, want := wholeTail(res), "terminal: none\nadds\n\n  1 !== 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	res.Stdout = nil
	if got := wholeTail(res); got != "terminal: none" {
		t.Errorf("got %q", got)
	}
}

// A browser that is there on neither side is said of its suite; it is no test that
// failed before.
func TestABrowserThatIsNotThereIsNoFailingTest(t *testing.T) {
	t.Parallel()
	var b Baseline
	b.Target.Framework = adapter.Detection{Framework: framework.Command.Name, Traits: adapter.Traits{ExitOnly: true, Browser: true}}
	b.Head.ExitOnly = true
	b.Tests.Failing = []qa.FailingTest{{Case: qa.Case{Suite: ".", Name: "(exit)", Message: "no browser"}, Triage: qa.PreExisting}}
	b.Tests.Problems = []qa.Problem{{Kind: "exit", Where: "."}}
	b.environment()
	if b.Unavailable == "" || b.Head.Inconclusive == "" || len(b.Tests.Failing)+len(b.Tests.Problems) > 0 {
		t.Errorf("%q %q %+v", b.Unavailable, b.Head.Inconclusive, b.Tests)
	}
}

func TestTailWithoutColours(t *testing.T) {
	t.Parallel()
	if got := tail(process.Result{Stderr: []byte("\x1b[0m\x1b[0m"), Stdout: []byte("\x1b[1;31mCompilation failure\x1b[m\n")}); got != "Compilation failure" {
		t.Errorf("tail %q", got)
	}
}

func (stand) Prepare(context.Context, runtime.Command) (process.Result, error) {
	return process.Result{}, nil
}
func (stand) Afresh(context.Context) error               { return nil }
func (stand) Prepared() runtime.Prepared                 { return runtime.Prepared{} }
func (stand) Dependencies() runtime.Dependencies         { return runtime.Dependencies{} }
func (stand) MarkReads(context.Context, ...string) error { return nil }
func (stand) Reads(context.Context) (runtime.Reads, error) {
	return runtime.Reads{Why: "opening files cannot be seen here"}, nil
}
func (stand) OwnElsewhere(...string) []runtime.Elsewhere { return nil }
func (stand) Local(to io.Writer) io.WriteCloser          { return process.NewRedactor(nil).Writer(to) }
