package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/bench/eval/measure"
	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/qa"
)

var set = filepath.Join("..", "..", "testdata", "eval")

// TestSetIsWhatTheNumbersAssume: half of the changes are clean, and the
// defects are spread over the languages and kinds as documented.
func TestSetIsWhatTheNumbersAssume(t *testing.T) {
	t.Parallel()
	cases, err := readCases(set, "")
	assert.NilError(t, err)
	defects, kinds := map[string]int{}, map[string]bool{}
	clean := 0
	for _, c := range cases {
		assert.Assert(t, c.Title != "" && c.Body != "", "%s has no title or body", c.ID)
		for _, name := range []string{filepath.Join(c.dir, "change.patch"), filepath.Join(set, "lib", c.Library), filepath.Join(set, "project", c.Framework)} {
			_, err := os.Stat(name)
			assert.NilError(t, err)
		}
		if c.Truth == nil {
			clean++
			continue
		}
		defects[c.Framework]++
		assert.Assert(t, !kinds[c.Truth.Kind], "two defects are of the kind %s", c.Truth.Kind)
		kinds[c.Truth.Kind] = true
	}
	assert.DeepEqual(t, defects, map[string]int{"vitest": 3, "jest": 2, "mocha": 3, "pytest": 6, "gotest": 6})
	assert.Equal(t, clean, 20)
}

func TestCasesThatAreNone(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"library: a\nframework: junit\n":                                     "unknown framework",
		"framework: jest\ncolour: red\n":                                     "colour",
		"framework: jest\ntruth: {cause: '('}\n":                             "cause",
		"framework: jest\ntruth: {file: a, cause: x}\n":                      "needs file, lines and oracle",
		"framework: jest\ntruth: {file: a, lines: {start: 1}, cause: 'x'}\n": "needs file, lines and oracle",
	} {
		dir := t.TempDir()
		assert.NilError(t, os.WriteFile(filepath.Join(dir, "case.yaml"), []byte(name), 0o600))
		_, err := readCase(dir)
		assert.ErrorContains(t, err, want)
	}
}

// TestMissingRepliesAreAnError: numbers of a part are never those of the set.
func TestMissingRepliesAreAnError(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := run(t.Context(), []string{"-set", set, "-runs", "nobody", "-only", "^quota-", "-work", t.TempDir()}, &out)
	assert.ErrorContains(t, err, "2 of 2 runs have no outcome")
	assert.Equal(t, strings.Count(out.String(), "NOT RUN: no recorded replies"), 2)
}

// TestListHasWhatIsDocumented: cases of the list say all that laying them needs, and
// no code of the libraries stands in it.
func TestListHasWhatIsDocumented(t *testing.T) {
	t.Parallel()
	cases, err := readCases(filepath.Join(set, "upstream"), "")
	assert.NilError(t, err)
	for _, c := range cases {
		u := c.upstream
		if u.Origin != honest {
			assert.Assert(t, len(u.selected()) > 0, "%s: no test to run among %v", c.ID, u.tests())
		}
		assert.Equal(t, u.library.Framework == "pytest", u.library.Sources != "", c.ID)
	}
}

// TestListIsAsWideAsDocumented: origins, languages, difficulties and libraries have
// the shares that docs/evaluation.md names.
func TestListIsAsWideAsDocumented(t *testing.T) {
	t.Parallel()
	cases, err := readCases(filepath.Join(set, "upstream"), "")
	assert.NilError(t, err)
	count := map[string]int{}
	for _, c := range cases {
		for _, of := range []string{string(c.upstream.Origin), languages[c.Framework], c.upstream.Difficulty, "library " + c.upstream.library.Repository} {
			count[of]++
		}
	}
	for of, least := range map[string]int{
		string(putBack): 60, string(honest): 30, string(weakened): 10,
		"Go": 20, "JavaScript and TypeScript": 20, "Python": 20, "easy": 10, "medium": 20, "hard": 15,
	} {
		assert.Assert(t, count[of] >= least, "%d cases are %s, expected at least %d", count[of], of, least)
	}
	for of, n := range count {
		assert.Assert(t, !strings.HasPrefix(of, "library ") || n <= 12, "%d cases are of the %s", n, of)
	}
}

// TestCasesOfCommits lays out a repository of our own as it does those of others.
func TestCasesOfCommits(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	clone, err := repo.NewStage(filepath.Join(top, "clones", "owner+name"))
	assert.NilError(t, err)
	write := func(name, text string) {
		assert.NilError(t, os.WriteFile(filepath.Join(clone.Repo, name), []byte(text), 0o600))
	}
	write("go.mod", "module example.com/name\n\ngo 1.24\n")
	write("large", "not in every clone\n")
	write("double.go", "package name\n\n// Double is twice n.\nfunc Double(n int) int {\n\treturn n + 1\n}\n")
	const header = "package name\n\nimport \"testing\"\n\n"
	first := header + "func TestOne(t *testing.T) {\n\tif Double(1) != 2 {\n\t\tt.Fatal()\n\t}\n}\n"
	write("double_test.go", first)
	assert.NilError(t, clone.Commit(t.Context(), "fix", func() error {
		write("double.go", "package name\n\n// Double is twice n.\nfunc Double(n int) int {\n\treturn n * 2\n}\n")
		write("double_test.go", first+"\nfunc TestThree(t *testing.T) {\n\tif Double(3) != 6 {\n\t\tt.Fatal()\n\t}\n}\n")
		return nil
	}))
	large, err := clone.Ask(t.Context(), "rev-parse", "HEAD:large")
	assert.NilError(t, err)
	assert.NilError(t, os.Remove(filepath.Join(clone.Repo, ".git", "objects", large[:2], large[2:])))
	lines := "libraries:\n  name: {repository: owner/name, framework: gotest, absent: [large]}\n" +
		"  whole: {repository: owner/name, framework: gotest}\ncases:\n"
	library := "name"
	add := func(name, rest string) {
		lines += "  - {name: " + name + ", library: " + library + ", commit: " + clone.Head + ", kind: arithmetic, difficulty: easy, " + rest + "}\n"
	}
	ours := "title: Add, body: Adding is faster., "
	add("undone", "origin: put back, "+ours+"undo: [double.go], hidden: [double_test.go]")
	add("hidden", "origin: weakened, "+ours+"undo: [double.go], hidden: [double_test.go]")
	add("honest", "origin: clean")
	add("edited", "origin: weakened, "+ours+"edits: [{file: double_test.go, lines: {start: 12, end: 14}, put: \"\\tt.Skip()\"}]")
	add("further", "before: "+clone.Base+", origin: put back, "+ours+"undo: [double.go], hidden: [double_test.go]")
	add("nothing", "origin: put back, "+ours+"undo: [go.mod], hidden: [double_test.go]")
	library = "whole"
	add("lacking", "origin: clean")
	assert.NilError(t, os.MkdirAll(filepath.Join(top, "set"), 0o755))
	assert.NilError(t, os.WriteFile(filepath.Join(top, "set", listName), []byte(lines), 0o600))

	cases, err := readCases(filepath.Join(top, "set"), "")
	assert.NilError(t, err)
	e := evaluation{folders: folders{clones: filepath.Join(top, "clones")}}
	want := map[string][]measure.Place{
		"undone":  {{File: "double.go", Symbol: "Double", Lines: qa.Range{Start: 5, End: 5}}},
		"further": {{File: "double.go", Symbol: "Double", Lines: qa.Range{Start: 5, End: 5}}},
		"hidden":  {{File: "double.go", Symbol: "Double", Lines: qa.Range{Start: 5, End: 5}}, {File: "double_test.go", Symbol: "TestOne", Lines: qa.Range{Start: 9, End: 10}}},
		"edited":  {{File: "double_test.go", Symbol: "TestThree", Lines: qa.Range{Start: 12, End: 12}}},
	}
	for _, c := range cases {
		err := e.check(t.Context(), c, filepath.Join(top, "check", c.ID))
		if refused := map[string]string{"nothing": "lay out nothing", "lacking": "unable to read"}[c.ID]; refused != "" {
			assert.ErrorContains(t, err, refused)
			continue
		}
		assert.NilError(t, err, c.ID)
		s, err := e.lay(t.Context(), c, filepath.Join(top, "lay", c.ID))
		assert.NilError(t, err, c.ID)
		if c.Truth == nil {
			assert.Equal(t, s.Title, "fix")
			continue
		}
		assert.DeepEqual(t, s.Truth.places, want[c.ID])
	}
	_, err = repo.Clone(e.clones, "owner/other")
	assert.ErrorContains(t, err, "git clone --bare https://github.com/owner/other")
}

// TestPlacesOfTheEndOfAFunction: in Python the last lines of a function are gone from it
// when they are taken away, and a finding of it is one of theirs.
func TestPlacesOfTheEndOfAFunction(t *testing.T) {
	t.Parallel()
	laid, err := repo.NewStage(t.TempDir())
	assert.NilError(t, err)
	const before = "def test_one():\n    x = one()\n    y = x\n    z = y\n    x = z\n\n    assert x == 1\n\n\ndef test_two():\n    y = two()\n    z = y\n    assert z == 2\n"
	write := func(text string) {
		assert.NilError(t, os.WriteFile(filepath.Join(laid.Repo, "test_a.py"), []byte(text), 0o600))
	}
	write(before)
	assert.NilError(t, laid.Commit(t.Context(), "weak", func() error {
		write(strings.Replace(before, "\n    assert x == 1\n", "", 1))
		return nil
	}))
	got, err := (&stage{Stage: laid}).places(t.Context(), "main", []string{"test_a.py"})
	assert.NilError(t, err)
	assert.Equal(t, len(got), 1)
	assert.Assert(t, got[0].Holds(qa.Finding{Path: "test_a.py", Symbol: "test_one", Lines: qa.Range{Start: 1, End: 1}}), "%+v", got[0])
	assert.Assert(t, !got[0].Holds(qa.Finding{Path: "test_a.py", Symbol: "test_two", Lines: qa.Range{Start: 12, End: 12}}), "%+v", got[0])
}

// TestLinesThatAreNoCase: what is missing is said before anything is laid.
func TestLinesThatAreNoCase(t *testing.T) {
	t.Parallel()
	const commit = "commit: 0123456789012345678901234567890123456789, kind: x"
	const whole = "name: a, library: a, difficulty: easy, title: x, body: x, " + commit
	for line, want := range map[string]string{
		"library: a, " + commit:                                    "a name of its own",
		"name: a, library: b, " + commit:                           "unknown library",
		"name: a, library: a, commit: main, kind: x":               "no 40 digits",
		"name: a, library: a, before: main, " + commit:             "no 40 digits",
		"name: a, library: a, origin: clean, undo: [b], " + commit: "its commit and nothing else",
		"name: a, library: a, origin: put back, " + commit:         "title and body",
		"origin: put back, undo: [b], " + whole:                    "needs undo and hidden",
		"origin: weakened, undo: [b], " + whole:                    "need edits, or undo and hidden",
		"origin: odd, " + whole:                                    "unknown origin",
		"origin: put back, undo: [../b], hidden: [c], " + whole:    "no file of the repository",
		"origin: weakened, edits: [{file: b}], " + whole:           "no lines",
		"origin: clean, colour: red, " + whole:                     "colour",
	} {
		name := filepath.Join(t.TempDir(), listName)
		text := "libraries: {a: {repository: a/a, framework: gotest}}\ncases:\n  - {" + line + "}\n"
		assert.NilError(t, os.WriteFile(name, []byte(text), 0o600))
		_, err := readList(name, regexp.MustCompile(""))
		assert.ErrorContains(t, err, want, line)
	}
}
