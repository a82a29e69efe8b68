package assurance

import (
	"io/fs"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/generator"
)

func script(code string) generator.Candidate {
	return generator.Candidate{
		Test:  generator.Test{Name: "adds", Lane: generator.Hardening, Imports: []string{"import { add } from './sum'", "import { expect, it } from 'vitest'"}, Code: code},
		Layer: qa.L1, Path: "src/sum.test.ts", Source: "src/sum.ts", Target: "add",
	}
}

const sum = `it('adds', () => {
  expect(add(1, 2)).toBe(3)
  expect(add(-1, 1)).toBe(0)
})
`

// TestGuardAgainstCheating: each of these repairs makes a failing test pass
// without making it right.
func TestGuardAgainstCheating(t *testing.T) {
	t.Parallel()
	edit := func(old, text string) func(*generator.Candidate) {
		return func(c *generator.Candidate) { c.Code = strings.Replace(c.Code, old, text, 1) }
	}
	for name, tc := range map[string]struct {
		cheat func(*generator.Candidate)
		want  string // part of the refusal
	}{
		"another file":        {func(c *generator.Candidate) { c.Path = "src/other.test.ts" }, "changes the file"},
		"product file":        {func(c *generator.Candidate) { c.Path = "src/sum.ts" }, "changes the file"},
		"another subject":     {func(c *generator.Candidate) { c.Source = "src/easy.ts" }, "file under test"},
		"another target":      {func(c *generator.Candidate) { c.Target = "identity" }, "changes the target"},
		"another lane":        {func(c *generator.Candidate) { c.Lane = generator.Catching }, "changes the lane"},
		"another layer":       {func(c *generator.Candidate) { c.Layer = qa.L3 }, "changes the layer"},
		"another finding":     {func(c *generator.Candidate) { c.Finding = "F9" }, "changes the finding"},
		"renamed":             {edit("it('adds'", "it('does not add'"), "of the test"},
		"two tests":           {func(c *generator.Candidate) { c.Code += "it('more', () => { expect(add(0, 0)).toBe(0) })\n" }, "of the test"},
		"nothing left":        {func(c *generator.Candidate) { c.Code = "" }, "cannot be placed"},
		"assertion deleted":   {edit("  expect(add(-1, 1)).toBe(0)\n", ""), "assertion"},
		"assertion commented": {edit("  expect(add(-1", "  // expect(add(-1"), "assertion"},
		"all assertions gone": {edit("expect(add(1, 2)).toBe(3)\n  expect(add(-1, 1)).toBe(0)", "add(1, 2)"), "assert"},
		"skipped":             {edit("it('adds'", "it.skip('adds'"), "skipped"},
		"expected to fail":    {edit("it('adds'", "it.fails('adds'"), "skipped"},
		"focused":             {edit("it('adds'", "it.only('adds'"), "focused"},
		"swallowed":           {edit("  expect(add(1, 2)).toBe(3)\n", "  try { expect(add(1, 2)).toBe(3) } catch {}\n"), "swallow"},
		"types off":           {edit("  expect(add(1", "  // @ts-ignore\n  expect(add(1"), "type-check-off"},
		"any":                 {edit("add(1, 2)", "(add as any)(1, 2)"), "any-type"},
		"sleep":               {edit("  expect(add(1", "  await new Promise((r) => setTimeout(r, 500))\n  expect(add(1"), "sleep"},
		"tautology":           {edit("expect(add(1, 2)).toBe(3)", "expect(3).toBe(3)"), "tautology"},
		"source edit":         {edit("  expect(add(1", "  writeFileSync('src/sum.ts', '')\n  expect(add(1"), "write"},
		"network":             {func(c *generator.Candidate) { c.Imports = append(c.Imports, "import https from 'node:https'") }, "import"},
		"environment":         {edit("add(1, 2)", "add(1, Number(process.env.TWO))"), "env"},
		"does not parse":      {edit("toBe(3)", "toBe(3"), "cannot be placed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := script(sum), script(sum)
			tc.cheat(&after)
			refused, _ := noFiles().guard(before, after)
			assert.Assert(t, strings.Contains(refused, tc.want), "refused: %q", refused)
		})
	}
}

// TestGuardNoticesOtherExpectations: these may be right, and base has to say so.
func TestGuardNoticesOtherExpectations(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		old, text string
		bent      bool
	}{
		"the same":         {"", "", false},
		"awaited":          {"expect(add(1, 2)).toBe(3)", "expect(add(1, 2)).toBe(3)", false},
		"another variable": {"() => {", "() => {\n  const unused = add", false},
		"expected value":   {"toBe(3)", "toBe(4)", true},
		"looser matcher":   {"toBe(3)", "toBeDefined()", true},
		"negated":          {").toBe(3)", ").not.toBe(3)", true},
		"input":            {"add(1, 2)", "add(3, 0)", true},
		"through a name":   {"  expect(add(1, 2)).toBe(3)", "  const want = 5\n  expect(add(1, 2)).toBe(want)", true},
		"stand-in":         {"  expect(add(1, 2)).toBe(3)", "  const add = vi.fn(() => 8)\n  expect(add(1, 2)).toBe(8)", true},
		"setup with value": {"() => {", "() => {\n  settings.step = 9", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := script(sum), script(strings.Replace(sum, tc.old, tc.text, 1))
			refused, bent := noFiles().guard(before, after)
			assert.Equal(t, refused, "")
			assert.Equal(t, bent, tc.bent)
		})
	}
}

// A repair may lean on what its file imports and sets up, as the test did.
func TestGuardSeesTheTestsFile(t *testing.T) {
	t.Parallel()
	file := "import { expect, it } from 'vitest'\nimport { add } from './sum'\n\nconst one = 1\n\nit('is there', () => {\n  expect(add(0, 0)).toBe(0)\n})\n"
	c := &Chain{Trees: Trees{Read: func(string) ([]byte, error) { return []byte(file), nil }}}
	c.added = map[string][]byte{"src/sum.test.ts": []byte(file)}
	before := script("it('adds', () => {\n  expect(add(ones, 2)).toBe(3)\n})\n")
	before.Imports = nil
	after := before
	after.Code = strings.Replace(before.Code, "ones", "one", 1)
	refused, bent := c.guard(before, after)
	assert.Equal(t, refused, "")
	assert.Assert(t, bent) // as far as the text tells
}

// Nor does it matter to the guard that a Go file has its package clause already.
func TestGuardWithinAGoFile(t *testing.T) {
	t.Parallel()
	file := "package a\n\nimport \"testing\"\n\nfunc TestB(t *testing.T) {\n\tif B() != 1 {\n\t\tt.Error(1)\n\t}\n}\n"
	c := &Chain{Trees: Trees{added: map[string][]byte{"a_test.go": []byte(file)}, Read: func(string) ([]byte, error) { return []byte(file), nil }}}
	before := generator.Candidate{Path: "a_test.go", Test: generator.Test{Name: "TestA", Code: "func TestA(t *testing.T) {\n\tif A() != 1 {\n\t\tt.Error(1)\n\t}\n}\n"}}
	other, skipped := before, before
	other.Code = strings.Replace(before.Code, "!= 1", "!= 2", 1)
	skipped.Code = strings.Replace(before.Code, "\tif", "\tt.Skip()\n\tif", 1)
	refused, bent := c.guard(before, other)
	assert.Equal(t, refused, "")
	assert.Assert(t, bent)
	refused, _ = c.guard(before, skipped)
	assert.Assert(t, strings.Contains(refused, "skipped"), refused)
}

// A test that uses a name nobody defines said nothing about the product yet.
func TestUndefinedNames(t *testing.T) {
	t.Parallel()
	for why, want := range map[string]bool{
		"fails on head: ReferenceError: que is not defined\n  at a.js:1": true,
		"E       NameError: name 'que' is not defined":                   true,
		"fails on head: que is not defined":                              true,
		"fails on head: expected 'que is not defined' to equal 'que'":    false,
		"expected [] to equal ['que']":                                   false,
		"TypeError: queue.drain is not a function":                       false,
	} {
		assert.Equal(t, undefined.MatchString(why), want, why)
	}
}

func TestGuardGoAndPython(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		path, before, after, want string
		bent                      bool
	}{
		"go: condition turned": {"a_test.go", "func TestA(t *testing.T) {\n\tif got := A(); got != 1 {\n\t\tt.Error(got)\n\t}\n}\n",
			"func TestA(t *testing.T) {\n\tif got := A(); got == 1 {\n\t\tt.Error(got)\n\t}\n}\n", "", true},
		"go: returns before": {"a_test.go", "func TestA(t *testing.T) {\n\tif got := A(); got != 1 {\n\t\tt.Error(got)\n\t}\n}\n",
			"func TestA(t *testing.T) {\n\tt.SkipNow()\n\tif got := A(); got != 1 {\n\t\tt.Error(got)\n\t}\n}\n", "skipped", false},
		"go: table": {"a_test.go", "func TestA(t *testing.T) {\n\tfor _, want := range []int{1, 2} {\n\t\tif A() != want {\n\t\t\tt.Error(want)\n\t\t}\n\t}\n}\n",
			"func TestA(t *testing.T) {\n\tfor _, want := range []int{1} {\n\t\tif A() != want {\n\t\t\tt.Error(want)\n\t\t}\n\t}\n}\n", "", true},
		"go: values exchanged": {"a_test.go", "func TestA(t *testing.T) {\n\tif want := []int{2, 1}; !slices.Equal(A(), wants) {\n\t\tt.Error(want)\n\t}\n}\n",
			"func TestA(t *testing.T) {\n\tif want := []int{1, 2}; !slices.Equal(A(), want) {\n\t\tt.Error(want)\n\t}\n}\n", "", true},
		"python: swallowed": {"test_a.py", "def test_a():\n    assert a() == 1\n",
			"def test_a():\n    try:\n        assert a() == 1\n    except AssertionError:\n        pass\n", "swallow", false},
		"python: marked": {"test_a.py", "def test_a():\n    assert a() == 1\n",
			"@pytest.mark.xfail\ndef test_a():\n    assert a() == 1\n", "skipped", false},
		"python: expected": {"test_a.py", "def test_a():\n    assert a() == 1\n", "def test_a():\n    assert a() == 2\n", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			candidate := func(code string) generator.Candidate {
				c := generator.Candidate{Test: generator.Test{Code: code}, Path: tc.path}
				if strings.HasSuffix(tc.path, ".go") {
					c.Imports = []string{`import "testing"`}
				} else {
					c.Imports = []string{"import pytest", "from m import a"}
				}
				return c
			}
			refused, bent := noFiles().guard(candidate(tc.before), candidate(tc.after))
			assert.Assert(t, strings.Contains(refused, tc.want) && (refused == "") == (tc.want == ""), "refused: %q", refused)
			assert.Equal(t, bent, tc.bent)
		})
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		k    qa.Case
		path string
		name string
		want bool
	}{
		{qa.Case{Name: "TestA"}, "a_test.go", "TestA", true},
		{qa.Case{Name: "TestA/b/c"}, "a_test.go", "TestA", true},
		{qa.Case{Name: "TestAB"}, "a_test.go", "TestA", false},
		{qa.Case{File: "tests/test_a.py", Suite: "TestX", Name: "test_b[1-2]"}, "tests/test_a.py", "TestX.test_b", true},
		{qa.Case{File: "tests/test_a.py", Suite: "TestY", Name: "test_b"}, "tests/test_a.py", "TestX.test_b", false},
		{qa.Case{File: "tests/test_a.py", Name: "test_b"}, "tests/test_a.py", "TestX.test_b", false},
		{qa.Case{Suite: "tests.test_a.TestX", Name: "test_b"}, "tests/test_a.py", "TestX.test_b", true},
		{qa.Case{File: "tests/test_c.py", Name: "test_b"}, "tests/test_a.py", "test_b", false},
		{qa.Case{File: "a.test.ts", Suite: "x > y", Name: "z"}, "a.test.ts", "x > y > z", true},
		{qa.Case{File: "a.test.ts", Suite: "other", Name: "z"}, "a.test.ts", "x > z", false},
		{qa.Case{File: "a.test.ts", Suite: "x", Name: "writes 5 cents as 0.05 EUR"}, "a.test.ts", "x > writes %i cents as %s", true},
		{qa.Case{File: "a.test.ts", Name: "50 of 199 is 100"}, "a.test.ts", "$rate of $cents is $want", true},
		{qa.Case{File: "a.test.ts", Name: "costs (1.5)"}, "a.test.ts", "costs (1.5)", true},
		{qa.Case{File: "a.test.ts", Name: "costs 1x5"}, "a.test.ts", "costs (1.5)", false},
		{qa.Case{File: "a.spec.js", Suite: "join twice", Name: "z"}, "a.spec.js", "join > twice > z", true},
	} {
		if got := Matches(tc.k, tc.path, tc.name); got != tc.want {
			t.Errorf("Matches(%+v, %s) = %v", tc.k, tc.name, got)
		}
	}
}

// noFiles is a chain for which no file is there yet.
func noFiles() *Chain {
	return &Chain{Trees: Trees{Read: func(string) ([]byte, error) { return nil, fs.ErrNotExist }}}
}
