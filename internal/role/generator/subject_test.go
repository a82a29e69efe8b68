package generator

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

// The tests of a function go to where it is called by tests of the same suite.
func TestTestsGoWhereTheFunctionIsTested(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		other string // a test file of another suite
		want  string
	}{
		"a folder's own file": {map[string]string{"test/plugin/minMax.test.js": "import m from '../../src/plugin/minMax'\ntest('min', () => { expect(m.min([1])).toBe(1) })\n"}, "", "test/plugin/minMax.test.js"},
		"another name":        {map[string]string{"test/extremes.test.js": "import { min } from '../src/plugin/minMax'\ntest('min', () => { expect(min([1])).toBe(1) })\n"}, "", "test/extremes.test.js"},
		"another suite":       {map[string]string{"e2e/extremes.test.js": "import { min } from '../src/plugin/minMax'\ntest('min', () => { expect(min([1])).toBe(1) })\n"}, "e2e/extremes.test.js", "src/plugin/minMax/index.test.js"},
		"by convention alone": {map[string]string{"test/plugin/minMax.test.js": "import d from './setup'\ntest('all', () => { expect(d([1])).toBe(1) })\n"}, "", "test/plugin/minMax.test.js"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			c.files["src/plugin/minMax/index.js"] = "export function min(a) {\n  return a[0]\n}\n"
			var tests []string
			for file, text := range c.files {
				at := filepath.Join(root, filepath.FromSlash(file))
				assert.NilError(t, os.MkdirAll(filepath.Dir(at), 0o755))
				assert.NilError(t, os.WriteFile(at, []byte(text), 0o600))
				if strings.Contains(file, ".test.") && file != c.other {
					tests = append(tests, file)
				}
			}
			if c.other != "" {
				tests = append(tests, c.other)
			}
			in := checkout.Checkout{Root: root}
			w := Writer{Checkout: in, Config: &config.Config{}, Code: related.New(in)}
			k := Known{Strategy: &qa.Strategy{}, Tests: tests, Suite: func(file string) (Suite, bool) {
				if file == c.other {
					return Suite{Target: "e2e", Framework: "vitest"}, true
				}
				return Suite{Target: "unit", Framework: "vitest"}, true
			}}
			if c.other != "" {
				k.Tests = []string{c.other}
			}
			s, err := w.subject(t.Context(), qa.L1, qa.Focus{Path: "src/plugin/minMax/index.js", Symbol: "min", Lines: qa.Range{Start: 1, End: 3}}, k)
			assert.NilError(t, err)
			assert.Assert(t, s.TestPath == c.want || c.other != "" && s.TestPath != c.other, s.TestPath)
		})
	}
}

// A function without tests is shown three test files: first those that test what calls
// it, then those nearest to the change.
func TestExamplesAreThoseOfCallers(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	test := func(of, what string) string {
		return "import { " + what + " } from '" + of + "'\ntest('" + what + "', () => { expect(" + what + "()).toBe(1) })\n"
	}
	for file, text := range map[string]string{
		"src/low.js": "export function low() {\n  return 1\n}\n", "src/high.js": "import { low } from './low'\nexport function high() {\n  return low()\n}\n",
		"test/a.test.js": test("../src/a", "a"), "test/b.test.js": test("../src/b", "b"), "test/c.test.js": test("../src/c", "c"), "test/high.test.js": test("../src/high", "high"),
	} {
		at := filepath.Join(root, filepath.FromSlash(file))
		assert.NilError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		assert.NilError(t, os.WriteFile(at, []byte(text), 0o600))
	}
	in := checkout.Checkout{Root: root}
	w := Writer{Checkout: in, Config: &config.Config{}, Code: related.New(in)}
	tests := []string{"test/a.test.js", "test/b.test.js", "test/c.test.js", "test/high.test.js"}
	strategy := qa.Strategy{Conventions: qa.Conventions{Examples: tests[:3]}}
	k := Known{Strategy: &strategy, Tests: tests, Suite: func(string) (Suite, bool) { return Suite{Target: "unit", Framework: "vitest"}, true }}
	s, err := w.subject(t.Context(), qa.L1, qa.Focus{Path: "src/low.js", Symbol: "low", Lines: qa.Range{Start: 1, End: 3}}, k)
	assert.NilError(t, err)
	assert.DeepEqual(t, s.Examples, []string{test("../src/high", "high"), test("../src/a", "a"), test("../src/b", "b")})
	text, err := render("write.md", batch{s}.question())
	assert.NilError(t, err)
	assert.Equal(t, strings.Count(text, "A test file of the project, for style:"), 1)
	assert.Equal(t, strings.Count(text, "How another one begins:"), 2)
}

// Functions of one file whose tests stand in one file are asked about with the same tests
// of theirs, and so in one question; what calls them elsewhere is no module of the product
// where it is a test or an example.
func TestFunctionsOfAFileAreShownTheSame(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var tests strings.Builder
	tests.WriteString("import { one, two } from '../src/a'\n")
	for _, name := range []string{"one", "two"} {
		for i := range 40 {
			fmt.Fprintf(&tests, "test('%s %d', () => {\n  expect(%s(%d)).toBe(%d) // %s\n})\n", name, i, name, i, i, strings.Repeat("=", 40))
		}
	}
	uses := "import { one } from '../src/a'\nexport function use() {\n  return one(1)\n}\n"
	for file, text := range map[string]string{
		"src/a.js": "export function one(n) {\n  return n\n}\nexport function two(n) {\n  return n\n}\n", "test/a.test.js": tests.String(),
		"test/issues/7.js": uses, "examples/use.js": uses, "src/use.js": strings.ReplaceAll(uses, "../src/a", "./a"),
	} {
		at := filepath.Join(root, filepath.FromSlash(file))
		assert.NilError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		assert.NilError(t, os.WriteFile(at, []byte(text), 0o600))
	}
	in := checkout.Checkout{Root: root}
	w := Writer{Checkout: in, Config: &config.Config{}, Code: related.New(in)}
	k := Known{Strategy: &qa.Strategy{}, Tests: []string{"test/a.test.js"}, Suite: func(string) (Suite, bool) { return Suite{Target: "unit", Framework: "vitest"}, true }}
	one, two := qa.Focus{Path: "src/a.js", Symbol: "one", Lines: qa.Range{Start: 1, End: 3}}, qa.Focus{Path: "src/a.js", Symbol: "two", Lines: qa.Range{Start: 4, End: 6}}
	var subjects []Subject
	for _, f := range []qa.Focus{one, two} {
		s, err := w.subject(t.Context(), qa.L1, f, k)
		assert.NilError(t, err)
		subjects = append(subjects, s)
	}
	assert.Assert(t, subjects[0].TestFile != subjects[1].TestFile)
	subjects = w.shared(subjects, k)
	assert.Equal(t, len(grouped(subjects)), 1)
	assert.Equal(t, subjects[0].TestFile, subjects[1].TestFile)
	for _, call := range []string{"expect(one(0))", "expect(two(0))"} {
		assert.Assert(t, strings.Contains(subjects[0].TestFile, call), subjects[0].TestFile)
	}
	entries := w.entries(one, k)
	assert.Equal(t, len(entries), 1)
	assert.Equal(t, entries[0].Path, "src/use.js")
}

// TestLanguageIsTold: of Go a question says what the module asks for beside the toolchain's
// version, of Python that of the interpreter; the version is that of the file's own suite.
func TestLanguageIsTold(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for file, text := range map[string]string{"go.mod": "module a\n\ngo 1.12\n", "a.go": "package a\n\nfunc F() {}\n", "b.py": "def f():\n    pass\n"} {
		assert.NilError(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o600))
	}
	in := checkout.Checkout{Root: root}
	w := Writer{Checkout: in, Config: &config.Config{}, Code: related.New(in)}
	k := Known{Strategy: &qa.Strategy{Conventions: qa.Conventions{Version: "29.7"}}, Suite: func(file string) (Suite, bool) {
		if file == "b.py" {
			return Suite{Framework: "pytest", Version: "9.2.1", Language: "Python 3.11"}, true
		}
		return Suite{Framework: "gotest", Version: "1.26.8"}, true
	}}
	for file, want := range map[string]string{"a.go": "Framework: gotest 1.26; write Go 1.12. ", "b.py": "Framework: pytest 9.2; write Python 3.11. "} {
		s, err := w.subject(t.Context(), qa.L1, qa.Focus{Path: file, Symbol: "F", Lines: qa.Range{Start: 3, End: 3}}, k)
		assert.NilError(t, err)
		text, err := render("write.md", batch{s}.question())
		assert.NilError(t, err)
		assert.Assert(t, strings.HasPrefix(text, want), text)
	}
}

// What the change asserts itself is told once: where the excerpt of its test file lacks
// it, the lines stand in the question.
func TestLinesOfTestsAreToldOnce(t *testing.T) {
	t.Parallel()
	others := func(n int) string {
		text := "import { min } from '../src/a'\n"
		for i := range n {
			text += fmt.Sprintf("test('min of %d', () => { expect(min([%d])).toBe(%d) })\n", i, i, i)
		}
		return text
	}
	own := "test('announced', () => {\n  expect(min([9])).toBe(9)\n})\n"
	for name, c := range map[string]struct {
		before, own string
		told        bool
	}{
		"it fits":     {others(400), own, false},
		"it does not": {others(400), strings.Replace(own, "9", strings.Repeat("9", 20_000), 1), true},
		"all fits":    {others(2), own, false},
		"no call":     {others(400), strings.Replace(own, "min", "lowest", 1), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for file, text := range map[string]string{"src/a.js": "export function min(a) {\n  return a[0]\n}\n", "test/a.test.js": c.before + c.own, "test/b.test.js": "test('another')\n"} {
				at := filepath.Join(root, filepath.FromSlash(file))
				assert.NilError(t, os.MkdirAll(filepath.Dir(at), 0o755))
				assert.NilError(t, os.WriteFile(at, []byte(text), 0o600))
			}
			from := strings.Count(c.before, "\n") + 1
			in := checkout.Checkout{Root: root, Change: qa.Change{Files: []qa.FileChange{
				{Path: "src/a.js", Kind: qa.KindSource, Added: []qa.Range{{Start: 2, End: 2}}},
				{Path: "test/a.test.js", Kind: qa.KindTest, Added: []qa.Range{{Start: from, End: from + 2}}},
				{Path: "test/b.test.js", Kind: qa.KindTest, Added: []qa.Range{{Start: 1, End: 1}}},
			}}}
			w := Writer{Checkout: in, Config: &config.Config{}, Code: related.New(in)}
			k := Known{Strategy: &qa.Strategy{}, Tests: []string{"test/a.test.js"}, Suite: func(string) (Suite, bool) { return Suite{Framework: "vitest"}, true }}
			s, err := w.subject(t.Context(), qa.L1, qa.Focus{Path: "src/a.js", Symbol: "min", Lines: qa.Range{Start: 1, End: 3}}, k)
			assert.NilError(t, err)
			assert.Equal(t, strings.Contains(s.Tested, "test/a.test.js:\n"), c.told, s.Tested)
			assert.Assert(t, c.told || s.Tested == "test/b.test.js:\ntest('another')", s.Tested)
			assert.Equal(t, strings.Contains(s.TestFile, "\ntest('announced'"), !c.told)
		})
	}
}
