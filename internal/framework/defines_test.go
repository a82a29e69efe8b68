package framework

import (
	"runtime"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/golang"
)

func TestDefinesTests(t *testing.T) {
	t.Parallel()
	for file, c := range map[string]struct{ yes, no []string }{
		"a_test.go": {
			yes: []string{
				"package a\nfunc TestA(t *testing.T) {}", "package a\nfunc Test(_ *testing.T) {}", "package a\nimport q \"testing\"\nfunc TestÄ(*q.T) {}",
				"package a\nfunc FuzzA(f *testing.F) {}", "package a\nfunc ExampleA() {\n\t// Output: 1\n}", "package a\nfunc TestA(t *testing.T) {}\nfunc broken( {",
			},
			no: []string{
				"package a\nfunc Testify(t *testing.T) {}", "package a\nfunc BenchmarkA(b *testing.B) {}", "package a\nfunc TestMain(m *testing.M) {}",
				"package a\nfunc (s suite) TestA(t *testing.T) {}", "package a\n// func TestA(t *testing.T) {}", "package a\nvar x = `\nfunc TestA(t *testing.T) {}\n`",
				"package a\nfunc TestHelper(t *testing.T, n int) {}", "package a\nfunc ExampleA() {}", "", "\xff",
			},
		},
		"a.go": {no: []string{"package a\nfunc TestA(t *testing.T) {}"}},
		"conftest.py": {
			yes: []string{
				"def test_a():\n  pass", "async def test_a(): ...", "class TestA:\n    def test_b(self): pass", "class A(unittest.TestCase):\n\tdef testB(self): pass",
				"class A(TestCase): # x\n\n  x = '''\ndef f():\n'''\n  def test_b(self): pass", "if X:\n    def test_a(): pass", "class TestA:\n  class TestB:\n    def test_c(self): pass",
				"@pytest.mark.x(\"\"\"a\n\"\"\")\ndef test_a(): pass",
			},
			no: []string{
				"def helper():\n    def test_a(): pass", "class Base:\n    def test_b(self): pass", "# def test_a():", "x = '''\ndef test_a(): pass\n'''", "test_a = 1", "class TestA:\n  def helper(self): pass",
				"class TestA:\n  def helper(self):\n    def test_a(): pass", "", "'", "\"\"\"\ndef test_a(): pass",
			},
		},
		"x.test.ts": {
			yes: []string{
				"test('a', () => {})", "describe(`a`, function () {})", "it.only('a', async () => {})", "test.each([1])('a %s', f)", "it.each`a\n${1}`('x', f)", "  suite(\"a\", f)", "for (const c of all) {\n  it(c.name, () => {})\n}",
				"import test from 'node:test'\ntest(() => {})", "require('node:test')('a', f)", "require(\"tape\").only('a', f)", "import t from 'tap'\nt.test('x', f)", "const check = require('ava')\ncheck('a', t => {})", "import { test as spec } from 'node:test'\nspec('a', f)",
				"export const x = 1\ntest('a', f)", "export { a } from './b'\nit('a', f)", "const r = /['\"`]/\ntest('a', f)", "QUnit.test('a', f)", "const n = a / b // '\ntest('a', f)",
			},
			no: []string{
				"export function check(name) {\n  test(name, () => {})\n}", "module.exports = (x) => {\n  describe('a', () => {})\n}", "export const run =\n  () => {\n  it('a', f)\n}", "// test('a', f)", "/* test('a', f)\n*/",
				"const s = `\ntest('a', f)\n`", "/x/.test('a')", "pattern.test('a')", "contest('a')", "import { mock } from 'node:test'\nmock('a')", "test()", "require('node:test').mock.method(a, 'b')", "// require('tape')('a', f)", "export const test = base.extend({})", "submit('a')", "const x = \"it('a', f)\"", "", "`", "/*", "/",
			},
		},
		"x.rb": {no: []string{"test('a', f)"}},
	} {
		for _, src := range c.yes {
			assert.Assert(t, DefinesTests(file, []byte(src)), "%s: %s", file, src)
		}
		for _, src := range c.no {
			assert.Assert(t, !DefinesTests(file, []byte(src)), "%s: %s", file, src)
		}
	}
}

func TestRunsHere(t *testing.T) {
	t.Parallel()
	other := "windows"
	if runtime.GOOS == other {
		other = "linux"
	}
	for _, c := range []struct{ file, src, why string }{
		{"a.py", "//go:build never", ""},
		{"a_test.go", "package a", ""},
		{other + "_test.go", "package a", ""},
		{"a_" + runtime.GOOS + "_test.go", "package a", ""},
		{"a_" + other + "_test.go", "package a", "other platform: " + other},
		{"a_" + other + "_" + runtime.GOARCH + "_test.go", "package a", "other platform: " + other + "/" + runtime.GOARCH},
		{"a_s390x.go", "package a", "other platform: s390x"},
		{"a_test.go", "//go:build " + other + "\n\npackage a", "other platform: " + other},
		{"a_test.go", "//go:build !" + other + " && go1.18\n\npackage a", ""},
		{"a_test.go", "/* x\n*/\n// y\n\n//go:build integration\n\npackage a", "custom tag: integration"},
		{"a_test.go", "//go:build integration && " + other + "\n\npackage a", "other platform: integration && " + other},
		{"a_test.go", "//go:build integration || " + other + "\n\npackage a", "custom tag: integration || " + other},
		{"a_test.go", "//go:build !race\n\npackage a", ""},
		{"a_test.go", "//go:build ignore\n\npackage a", "custom tag: ignore"},
		{"a_test.go", "//go:build e2e_" + other + "\n\npackage a", "custom tag: e2e_" + other},
		{"a_test.go", "package a\n//go:build ignore\n", ""},
		{"a_test.go", "// +build ignore\n\npackage a", "custom tag: ignore"},
		{"a_test.go", "// +build " + other + "\n// +build !race\n\npackage a", "other platform: " + other + " && !race"},
		{"a_test.go", "// +build " + other + "\n\n//go:build go1.18\n\npackage a", ""}, // the newer line counts
		{"a_test.go", "// +build ignore\npackage a", ""},                               // a comment of the package
		{"a_test.go", "//go:build (\n\npackage a", ""},
		{"a_test.go", "//go:build " + other + " extra\n\npackage a", ""}, // go refuses it
		{"_a_test.go", "package a", "custom tag: none, go leaves out files whose name begins with _"},
	} {
		ok, why := golang.RunsHere("dir/"+c.file, []byte(c.src))
		assert.Equal(t, why, c.why, "%s: %s", c.file, c.src)
		assert.Equal(t, ok, c.why == "")
	}
}

func FuzzDefinesTests(f *testing.F) {
	for _, s := range []string{"package a\nfunc TestA(t *testing.T) {}", "class TestA(x\n  def test_a(", "'''\\", "import t, { a as b } from 'tap'\nt(`${`x`}`", "/[/]/ /* * /", "//go:build a && !b\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, file := range []string{"a_test.go", "a.py", "a.ts"} {
			DefinesTests(file, []byte(src))
			if ok, why := golang.RunsHere(file, []byte(src)); ok != (why == "") {
				t.Errorf("%v, %q", ok, why)
			}
		}
	})
}
