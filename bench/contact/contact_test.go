package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

const (
	someCommit = "0123456789abcdef0123456789abcdef01234567"
	header     = "repository,commit,base,passed,failed,skipped,coverage,seconds,processor\n"
)

// The list that is there can be read.
func TestList(t *testing.T) {
	t.Parallel()
	facts, err := readFacts(filepath.Join("..", "..", "testdata", "contact", "repositories.csv"))
	assert.NilError(t, err)
	assert.Assert(t, len(facts) > 0)
}

func TestReadFacts(t *testing.T) {
	t.Parallel()
	good := "a/b," + someCommit + "," + someCommit + ",3,0,1,,1.5,2\n"
	for name, c := range map[string]struct{ text, says string }{
		"good":           {header + good, ""},
		"other columns":  {strings.Replace(header, "passed", "ok", 1) + good, "first line"},
		"no number":      {header + strings.Replace(good, ",3,", ",some,", 1), "passed"},
		"below zero":     {header + strings.Replace(good, ",3,", ",-3,", 1), "passed"},
		"short commit":   {header + strings.Replace(good, someCommit, "abc", 1), "40 digits"},
		"no owner":       {header + strings.Replace(good, "a/b", "b", 1), "owner/name"},
		"twice":          {header + good + good, "twice"},
		"a column short": {header + "a/b\n", "wrong number of fields"},
	} {
		file := filepath.Join(t.TempDir(), "facts.csv")
		assert.NilError(t, os.WriteFile(file, []byte(c.text), 0o600))
		facts, err := readFacts(file)
		if c.says == "" {
			assert.NilError(t, err, name)
			assert.Equal(t, facts[0].coverage, -1.0) // unknown is not 0
			continue
		}
		assert.ErrorContains(t, err, c.says, name)
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	known := fact{passed: 3, failed: 0, skipped: 1, coverage: 90}
	for name, c := range map[string]struct {
		spoil   func(*fact, *qa.Report)
		outcome string
		says    string
	}{
		"the same":            {func(*fact, *qa.Report) {}, right, ""},
		"conditional":         {func(_ *fact, r *qa.Report) { r.Result = qa.Conditional }, right, ""},
		"a flaky test passes": {func(_ *fact, r *qa.Report) { r.Tests.Head.Passed, r.Tests.Head.Flaky = 2, 1 }, right, ""},
		"a false red":         {func(_ *fact, r *qa.Report) { r.Result, r.Reason = qa.Fail, "x" }, wrong, "red: x"},
		"one test less":       {func(_ *fact, r *qa.Report) { r.Tests.Head.Passed = 2 }, wrong, "2 passed"},
		"a skipped one more":  {func(_ *fact, r *qa.Report) { r.Tests.Head.Skipped = 2 }, wrong, "2 skipped"},
		"other coverage":      {func(_ *fact, r *qa.Report) { r.Coverage.Head.Lines.Covered = 80 }, wrong, "coverage 80.00 %"},
		"nearly the coverage": {func(_ *fact, r *qa.Report) { r.Coverage.Head.Lines.Covered = 89 }, right, ""},
		"coverage unknown":    {func(_ *fact, r *qa.Report) { r.Coverage.Head = nil }, wrong, "coverage -1.00 %"},
		"coverage not asked for": {func(_ *fact, r *qa.Report) {
			r.Coverage.Head, r.Coverage.Reason = nil, "not measured, as the change has no source code"
		}, right, ""},
		"no coverage to match": {func(f *fact, r *qa.Report) { f.coverage, r.Coverage.Head = -1, nil }, right, ""},
		"an exit code alone": {func(_ *fact, r *qa.Report) {
			r.Result, r.Tests.Head, r.Manifest.Targets = qa.Conditional, qa.Tally{}, []qa.TargetRow{{ExitOnly: true}}
		}, uncounted, "exit code"},
		"no counts where there are some": {func(_ *fact, r *qa.Report) {
			r.Result, r.Tests.Head, r.Manifest.Targets = qa.Conditional, qa.Tally{}, []qa.TargetRow{{ExitOnly: true}, {}}
		}, wrong, "0 passed"},
		"could not tell": {func(_ *fact, r *qa.Report) { r.Result, r.Reason = qa.Inconclusive, "needs a service" }, unknown, "needs a service"},
		"fails on base as well": {func(f *fact, r *qa.Report) {
			f.passed, f.failed, r.Tests.Head.Passed, r.Tests.Head.Failed = 2, 1, 2, 1
			r.Tests.Failing = []qa.FailingTest{{Triage: qa.PreExisting}}
		}, right, ""},
		"a false green": {func(f *fact, r *qa.Report) {
			f.passed, f.failed, r.Tests.Head.Passed, r.Tests.Head.Failed = 2, 1, 2, 1
			r.Tests.Failing = []qa.FailingTest{{Triage: qa.NewFailure}}
		}, wrong, "green with new failures"},
	} {
		f, r := known, &qa.Report{Result: qa.Pass}
		r.Tests.Head = qa.Tally{Tests: 4, Passed: 3, Skipped: 1}
		r.Coverage.Head = &qa.Coverage{Lines: &qa.Count{Covered: 90, Total: 100}}
		c.spoil(&f, r)
		outcome, why := judge(f, r, "")
		assert.Equal(t, outcome, c.outcome, "%s: %s", name, why)
		assert.Assert(t, strings.Contains(why, c.says), "%s: %s", name, why)
	}
	outcome, why := judge(known, nil, "killed")
	assert.Equal(t, outcome, wrong)
	assert.Equal(t, why, "no report: killed")
}

// A sheet that is written, read and written again is the same, with what people wrote
// below it, and what was not run is not counted.
func TestSheet(t *testing.T) {
	t.Parallel()
	a := row{fact: fact{repository: "a/one", commit: someCommit, coverage: -1}, outcome: right, verdict: "PASS", lines: -1}
	b := row{fact: fact{repository: "b/two.js", commit: someCommit, coverage: -1}, outcome: wrong, verdict: "FAIL", lines: 50, why: "a | <b>\nc"}
	facts := []fact{a.fact, b.fact, {repository: "c/three"}}
	page := sheet(facts, map[string]string{"a/one": a.line(), "b/two.js": b.line()})
	assert.Assert(t, strings.Contains(page, "**1 of 2 right, 1 wrong, 0 without counts, 0 INCONCLUSIVE**; 1 more"), page)
	page += "\n## By hand\n\n| a/one `1234567` |\n"
	file := filepath.Join(t.TempDir(), "contact.md")
	assert.NilError(t, os.WriteFile(file, []byte(page), 0o600))
	rows, err := readRows(file)
	assert.NilError(t, err)
	assert.Equal(t, sheet(facts, rows), page)
}

// TestRun goes the whole way with a program that leaves a prepared report: the clone
// is found, the commit is checked out in a copy of it, and the page is written.
func TestRun(t *testing.T) {
	t.Parallel()
	repo := fixture.Sources(t, "gotest")
	repo.Write("a.txt", "one\n")
	first := repo.Commit("one")
	repo.Write("a.txt", "two\n")
	repo.Commit("two")
	dir := t.TempDir()
	clones := filepath.Join(dir, "clones")
	assert.NilError(t, os.Mkdir(clones, 0o755))
	assert.NilError(t, os.Rename(repo.Dir, filepath.Join(clones, "a+one")))

	r := &qa.Report{Result: qa.Pass}
	r.Tests.Head = qa.Tally{Tests: 2, Passed: 2}
	var text bytes.Buffer
	assert.NilError(t, reporter.Render(&text, "json", r, reporter.Options{}))
	prepared := filepath.Join(dir, "report.json")
	assert.NilError(t, os.WriteFile(prepared, text.Bytes(), 0o600))
	program := filepath.Join(dir, "qa")
	script := "#!/bin/sh\n[ \"$(cat a.txt)\" = one ] && [ \"$1\" = run ] && mkdir -p qa-report/qa-x && cp '" + prepared + "' qa-report/qa-x/report.json\n"
	assert.NilError(t, os.WriteFile(program, []byte(script), 0o700))
	facts := filepath.Join(dir, "facts.csv")
	assert.NilError(t, os.WriteFile(facts, []byte(header+"a/one,"+first+","+first+",2,0,0,,1,1\nb/gone,"+first+","+first+",2,0,0,,1,1\n"), 0o600))

	b := bench{program: program, clones: clones, facts: facts, page: filepath.Join(dir, "contact.md"), limit: time.Minute}
	assert.NilError(t, b.run(t.Context(), ""))
	page, err := os.ReadFile(b.page)
	assert.NilError(t, err)
	assert.Assert(t, strings.Contains(string(page), "**1 of 1 right, 0 wrong, 0 without counts, 0 INCONCLUSIVE**; 1 more"), "%s", page)
	assert.Assert(t, strings.Contains(string(page), "| right | PASS | 2, 0, 0 (2, 0, 0) | unknown |"), "%s", page)
	assert.ErrorContains(t, (&bench{program: program, clones: filepath.Join(dir, "none"), facts: facts}).run(t.Context(), ""), "no folder")
}
