package baseline

import (
	"context"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/ci"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/targets"
)

type builtTree struct {
	executor.Tree
	p runtime.Prepared
}

func (b builtTree) Prepared() runtime.Prepared { return b.p }

// What builds and setup commands do to what judges tests is said where base's do
// something else.
func TestJudgesChanged(t *testing.T) {
	t.Parallel()
	const runner = "node_modules/mocha/lib/runnable.js"
	for name, c := range map[string]struct {
		head, base map[string]string
		want       string
	}{
		"nothing":           {nil, nil, ""},
		"the same on base":  {map[string]string{runner: "1"}, map[string]string{runner: "1"}, ""},
		"otherwise on base": {map[string]string{runner: "1"}, map[string]string{runner: "2"}, runner},
		"on head alone":     {map[string]string{runner: ""}, nil, runner},
		"on base alone":     {nil, map[string]string{runner: "2"}, ""},
	} {
		b := &Baseline{}
		measurer{b: b}.judgesChanged(c.head, c.base)
		if (b.Command == "") != (c.want == "") || !strings.Contains(b.Command, c.want) {
			t.Errorf("%s: %q, want %q", name, b.Command, c.want)
		}
	}
}

// A build is held against base's: green tests beside one that the change broke, or
// that wrote tests anew, tell nothing.
func TestBuilds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name              string
		head, base        runtime.Prepared
		failing           qa.Triage
		state, unprepared string
	}{
		{"all is well", runtime.Prepared{}, runtime.Prepared{}, "", "", ""},
		{"head alone fails", runtime.Prepared{Unbuilt: "x"}, runtime.Prepared{}, "", "fails (base builds): x", ""},
		{"both fail", runtime.Prepared{Unbuilt: "x"}, runtime.Prepared{Unbuilt: "y"}, "", "", "on head and base alike: x"},
		{"a new failure stays", runtime.Prepared{Unbuilt: "x"}, runtime.Prepared{}, qa.NewFailure, "", ""},
		{"an old one excuses nothing", runtime.Prepared{Unbuilt: "x"}, runtime.Prepared{}, qa.PreExisting, "fails (base builds): x", ""},
		{"head alone cannot be installed", runtime.Prepared{Missing: "m"}, runtime.Prepared{}, "", "m; what base needs can be", ""},
		{"neither can be installed", runtime.Prepared{Missing: "m"}, runtime.Prepared{Missing: "n"}, "", "", ""},
		{"a test is written anew", runtime.Prepared{Rebuilt: []string{"a.test.js"}}, runtime.Prepared{Rebuilt: []string{"a.test.js"}}, "", "writes files of the project anew", ""},
		{"the runner's configuration is", runtime.Prepared{Rebuilt: []string{"runner.json"}}, runtime.Prepared{Rebuilt: []string{"runner.json"}}, "", "runner.json", ""},
		{"an output is, on both", runtime.Prepared{Rebuilt: []string{"dist/a.js"}}, runtime.Prepared{Rebuilt: []string{"dist/a.js"}}, "", "", ""},
		{"an output is, on head alone", runtime.Prepared{Rebuilt: []string{"dist/a.js"}}, runtime.Prepared{}, "", "dist/a.js", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			run := executor.Baseline{Tests: qa.Tests{Cases: []qa.Case{{File: "a.test.js", Name: "a", Status: qa.Passed}}}}
			if c.failing != "" {
				run.Tests.Failing = []qa.FailingTest{{Triage: c.failing}}
			}
			b := &Baseline{Found: targets.Found{Read: []string{"runner.json"}}, Runs: []executor.Baseline{run}}
			sides := executor.Sides{Base: func(context.Context) (executor.Tree, error) { return builtTree{p: c.base}, nil }}
			if err := (measurer{b: b}).built(t.Context(), sides, c.head); err != nil {
				t.Fatal(err)
			}
			b.doubted()
			if got := b.Runs[0].Head.Inconclusive; (got == "") != (c.state == "") || !strings.Contains(got, c.state) {
				t.Errorf("inconclusive %q, want %q", got, c.state)
			}
			if (b.Unprepared == "") != (c.unprepared == "") || !strings.Contains(b.Unprepared, c.unprepared) {
				t.Errorf("unprepared %q, want %q", b.Unprepared, c.unprepared)
			}
			if b.Summary().Doubt != b.Doubt || b.Doubt != "" && Join(Options{}, []Part{{Summary: b.Summary()}}).Doubt != b.Doubt {
				t.Error("a merge of shards does not hear of it")
			}
		})
	}
}

// A suite of which files cannot start for want of what could not be installed is not
// judged by the others; what the change broke is its own.
func TestUninstalled(t *testing.T) {
	t.Parallel()
	ran := qa.Suite{Cases: []qa.Case{{Name: "a", Status: qa.Passed}}}
	partly := qa.Suite{Cases: ran.Cases, Problems: []qa.Problem{{Kind: "collect", Where: "b.py"}}}
	for _, c := range []struct {
		name   string
		suite  qa.Suite
		triage qa.Triage
		why    string
		want   string
	}{
		{"all ran", ran, "", "m", ""},
		{"a file does not start", partly, qa.PreExisting, "m", "m"},
		{"a file does not start and it is new", partly, qa.NewFailure, "m", ""},
		{"nothing is missing", partly, qa.PreExisting, "", ""},
	} {
		run := executor.Baseline{Head: executor.Run{Suite: c.suite}}
		if c.triage != "" {
			run.Tests.Failing = []qa.FailingTest{{Triage: c.triage}}
		}
		b := &Baseline{Runs: []executor.Baseline{run}}
		if b.uninstalled(c.why); b.Runs[0].Head.Inconclusive != c.want {
			t.Errorf("%s: %q, want %q", c.name, b.Runs[0].Head.Inconclusive, c.want)
		}
	}
}

// Where tests fail for want of a server, the service of the workflow is named; what
// the change broke is its own.
func TestServicesAreNamed(t *testing.T) {
	t.Parallel()
	job := ci.Job{Services: []ci.Service{{Name: "db", Image: "postgres:16", Source: "ci.yml:14"}}}
	refused := qa.Case{Name: "a", Message: "connect ECONNREFUSED 127.0.0.1:5432"}
	for _, c := range []struct {
		name                 string
		run                  executor.Baseline
		job                  ci.Job
		reason, unprepared   string
		wantsReason, wantsUn bool
	}{
		{"nothing could be told", executor.Baseline{Head: executor.Run{Inconclusive: "2 of 2 tests fail on head and base alike: connect ECONNREFUSED ::1:5432"}}, job, "; it needs a service that the repository's own workflow starts: postgres:16 (ci.yml:14)", "", true, false},
		{"some tests", executor.Baseline{Tests: qa.Tests{Failing: []qa.FailingTest{{Triage: qa.PreExisting, Case: refused}}}}, job, "", "1 test of  fails on both sides and needs a service", false, true},
		{"a new failure", executor.Baseline{Tests: qa.Tests{Failing: []qa.FailingTest{{Triage: qa.NewFailure, Case: refused}}}}, job, "", "", false, false},
		{"another reason", executor.Baseline{Head: executor.Run{Inconclusive: "no test was executed"}}, job, "", "", false, false},
		{"no service", executor.Baseline{Head: executor.Run{Inconclusive: "connection refused"}}, ci.Job{}, "", "", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			was := c.run.Head.Inconclusive
			b := &Baseline{Runs: []executor.Baseline{c.run}}
			b.services(c.job, "")
			added := strings.TrimPrefix(b.Runs[0].Head.Inconclusive, was)
			if (added != "") != c.wantsReason || !strings.HasPrefix(added, c.reason) || (b.Unprepared != "") != c.wantsUn || !strings.HasPrefix(b.Unprepared, c.unprepared) {
				t.Errorf("added %q, unprepared %q", added, b.Unprepared)
			}
		})
	}
}

// A change that writes workflows is told that they decide nothing.
func TestAChangedWorkflowIsSaid(t *testing.T) {
	t.Parallel()
	b := &Baseline{}
	change := qa.Change{Files: []qa.FileChange{{Path: ".github/workflows/ci.yml", Status: qa.Modified}, {Path: "a.js", Status: qa.Modified}}}
	measurer{Options: Options{Checkout: checkout.Checkout{Change: change}}, b: b}.rewritten()
	if len(b.Prepared) != 1 || !strings.Contains(b.Prepared[0], "ci.yml is written by this change") {
		t.Errorf("%q", b.Prepared)
	}
}

// TestUnheard: where something is missing that tests may need, those that fail on both
// sides are no old failures to pass over; one that fails newly is evidence all the same.
func TestUnheard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, missing string
		triage        qa.Triage
		want          string
	}{
		{"fails on both sides", "no browser", qa.PreExisting, "what fails on head and base alike (1 test) says nothing"},
		{"nothing is missing", "", qa.PreExisting, ""},
		{"nothing fails", "no browser", "", ""},
		{"fails newly", "no browser", qa.NewFailure, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			run := executor.Baseline{}
			if c.triage != "" {
				run.Tests.Failing = []qa.FailingTest{{Triage: c.triage}}
			}
			b := &Baseline{Unprepared: c.missing, Runs: []executor.Baseline{run}}
			b.unheard()
			if (b.Command == "") != (c.want == "") || !strings.Contains(b.Command, c.want) {
				t.Errorf("%q, want %q", b.Command, c.want)
			}
		})
	}
}
