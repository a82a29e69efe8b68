package main

import (
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

func TestFails(t *testing.T) {
	t.Parallel()
	passes, one, two := outcome{}, outcome{exit: 1, failing: []string{"a"}}, outcome{exit: 1, failing: []string{"a", "b"}}
	for _, c := range []struct {
		name       string
		head, base outcome
		want       bool
	}{
		{"both pass", passes, passes, false},
		{"head alone fails", one, passes, true},
		{"base alone fails", passes, one, false},
		{"the same fails", one, one, false},
		{"one more fails", two, one, true},
		{"one less fails", one, two, false},
		{"head never ends", outcome{exit: -1, ended: true}, passes, true},
		{"head never ends where base fails", outcome{exit: -1, ended: true}, one, true},
		{"flaky is no failure", outcome{flaky: true}, passes, false},
	} {
		assert.Equal(t, fails(c.head, c.base), c.want, c.name)
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	said := func(v qa.Verdict) answer {
		return answer{repo.Answer{Result: process.Result{ExitCode: exits[v]}, Report: &qa.Report{Result: v, Reason: "base could not be run"}}}
	}
	red := outcome{exit: 1, failing: []string{"a"}, passed: 2}
	prepared := environment{Name: "prepared"}
	for _, c := range []struct {
		name string
		row  row
		want finding
	}{
		{"green over a new failure", row{head: red, answer: said(qa.Pass)}, falseGreen},
		{"conditional over a new failure", row{head: red, answer: said(qa.Conditional)}, falseGreen},
		{"green over an old failure", row{head: red, base: red, answer: said(qa.Pass)}, fine},
		{"green where nothing passed", row{head: outcome{exit: 1}, base: outcome{exit: 1}, answer: said(qa.Pass)}, falseGreen},
		{"red over nothing", row{answer: said(qa.Fail)}, falseRed},
		{"red over an old failure", row{head: red, base: red, answer: said(qa.Fail)}, falseRed},
		{"red over a failure that base cannot be asked about", row{cell: cell{environment: environment{Baseless: true}}, head: red, base: red, answer: said(qa.Fail)}, fine},
		{"unknown without a cause", row{answer: said(qa.Inconclusive)}, untold},
		{"an exit code that is not the verdict's", row{answer: answer{repo.Answer{Report: &qa.Report{Result: qa.Fail}}}}, broken},
		{"no report", row{answer: answer{repo.Answer{Result: process.Result{ExitCode: 2}}}}, broken},
		{"more than an exit code shows", row{cell: cell{project: &project{Best: qa.Conditional}}, answer: said(qa.Pass)}, falseGreen},
		{"what an exit code shows", row{cell: cell{project: &project{Best: qa.Conditional}}, answer: said(qa.Conditional)}, fine},
		{"another copy is green", row{cell: cell{fault: fault{Breaks: "yes"}, environment: environment{Blind: true}}, answer: said(qa.Pass)}, falseGreen},
		{"a fault that is none", row{cell: cell{fault: fault{Breaks: "yes"}, environment: prepared}, answer: said(qa.Pass)}, broken},
	} {
		if c.row.project == nil {
			c.row.project = &project{}
		}
		c.row.judge()
		assert.Equal(t, c.row.found, c.want, c.name)
	}
}

func TestVoices(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"go":     "=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\n    --- FAIL: TestB/x (0.00s)\n",
		"pytest": "FAILED tests/test_a.py::test_b - assert 1 == 2\nERROR tests/test_c.py\n=== 1 failed, 1 passed in 0.1s ===\n",
		"tap":    "TAP version 13\nok 1 - a\nnot ok 2 - b\n    not ok 1 - c\n# pass 1\n# fail 2\n",
		"jest":   "  ● b › c\n\n  ● d\n\nTests:       2 failed, 1 passed, 3 total\n",
		"vitest": " FAIL  src/a.test.ts > b\n FAIL  src/a.test.ts > c\n      Tests  2 failed | 1 passed (3)\n",
		"mocha":  "  1 passing (3ms)\n  2 failing\n\n  1) a\n  2) b\n",
	} {
		o := outcome{passed: -1}
		s := stage{cell: cell{project: &project{Names: []string{name}}}}
		s.listen(text, &o)
		assert.Equal(t, len(o.failing), 2, "%s: %v", name, o.failing)
		assert.Equal(t, o.passed, 1, name)
	}
}

// TestCells holds the tables to their form and the matrix to its size.
func TestCells(t *testing.T) {
	t.Parallel()
	cells, err := readCells(filepath.Join("..", "..", "testdata", "sound"))
	assert.NilError(t, err)
	seen := map[string]bool{}
	for _, c := range cells {
		assert.Assert(t, !seen[c.id()], c.id())
		seen[c.id()] = true
		for _, s := range append(c.change(), append(c.environment.Base, c.environment.Tree...)...) {
			assert.Assert(t, stepForm.MatchString(s), "%s: step %q", c.id(), s)
		}
	}
	assert.Assert(t, len(cells) >= 300, "%d cells", len(cells))
}

// What was run is not run again, and a line that was cut off is.
func TestResultsAreKept(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "results.jsonl")
	r, err := openResults(name)
	if err != nil {
		t.Fatal(err)
	}
	want := result{Cell: "a/b/c", Head: "ok", Base: "ok", Verdict: "PASS", Found: fine}
	if err := r.keep(want); err != nil {
		t.Fatal(err)
	}
	if _, err := r.file.WriteString(`{"cell": "d/e`); err != nil {
		t.Fatal(err)
	}
	again, err := openResults(name)
	if err != nil || len(again.done) != 1 || again.done["a/b/c"] != want {
		t.Errorf("%+v %v", again.done, err)
	}
}

func TestAnywhere(t *testing.T) {
	t.Parallel()
	assert.Equal(t, anywhere("ran another copy (/tmp/qa-sound-12/py.flip.other/repo/.venv/x.py) than"), "ran another copy (…/.venv/x.py) than")
	assert.Equal(t, anywhere("no place /tmp/qa-sound-12/shared"), "no place …")
	assert.Equal(t, anywhere("0 of 1 tests ran"), "0 of 1 tests ran")
}
