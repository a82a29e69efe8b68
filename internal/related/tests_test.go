package related

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
)

func laid(t *testing.T, files map[string]string) *Code {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		assert.NilError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		assert.NilError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return New(checkout.Checkout{Root: root})
}

// Who reads a claim sees the tests that call its function, of one file, as far as there is
// room.
func TestCallingTests(t *testing.T) {
	t.Parallel()
	c := laid(t, map[string]string{
		"lib/cart.js":        "export function total(a) { return a }\nexport function tax(a) { return a }\n",
		"test/money.test.js": "import { total, tax } from '../lib/cart.js'\ntest('one', () => { expect(total(1)).toBe(1) })\ntest('tax', () => { expect(tax(2)).toBe(2) })\ntest('two', () => { expect(total(2)).toBe(2) })\n",
	})
	const file, one, two = "test/money.test.js:", "\ntest('one', () => { expect(total(1)).toBe(1) })", "\ntest('two', () => { expect(total(2)).toBe(2) })"
	assert.Equal(t, CallingTests(c, "lib/cart.js", "total", 800), file+one+two)
	assert.Equal(t, CallingTests(c, "lib/cart.js", "total", len(file+one)+1), file+one)
	assert.Equal(t, CallingTests(c, "lib/cart.js", "total", 20)+CallingTests(c, "lib/cart.js", "none", 800), "")
}

// The tests of a function are where it is called, whatever the file is named and
// wherever it stands.
func TestTestsAreFoundByWhoCalls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files        map[string]string
		file, symbol string
		want         string
	}{
		"a folder's own file": {map[string]string{
			"src/plugin/minMax/index.js":  "export default (o, c, d) => { d.min = min }\nexport function min(a) { return a[0] }\n",
			"test/plugin/minMax.test.js":  "import dayjs from '../../src'\nimport minMax from '../../src/plugin/minMax'\ntest('min', () => { expect(dayjs.min(1)).toBe(1) })\n",
			"test/plugin/other.test.js":   "import dayjs from '../../src'\ntest('min of other', () => { expect(dayjs.min(1)).toBe(1) })\n",
			"test/plugin/minMax2.test.js": "test('none', () => { expect(1).toBe(1) })\n",
		}, "src/plugin/minMax/index.js", "min", "test/plugin/minMax.test.js"},
		"by import, the most calls first": {map[string]string{
			"lib/cart.js":          "export function total(a) { return a }\nexport function tax(a) { return a }\n",
			"test/a-money.test.js": "import { total } from '../lib/cart.js'\ntest('one', () => { expect(total(1)).toBe(1) })\n",
			"test/money.test.js":   "import { total, tax } from '../lib/cart.js'\ntest('one', () => { expect(total(1)).toBe(1) })\ntest('two', () => { expect(total(2)).toBe(2) })\ntest('tax', () => { expect(tax(2)).toBe(2) })\n",
			"test/noise.test.js":   "test('total', () => { expect(total(1)).toBe(1) })\n",
		}, "lib/cart.js", "total", "test/money.test.js test/a-money.test.js"},
		"unittest": {map[string]string{
			"pkg/ranking.py":        "def rank(a):\n    return a\n",
			"tests/test_players.py": "import unittest\nfrom pkg.ranking import rank\n\nclass RankTest(unittest.TestCase):\n    def test_rank(self):\n        self.assertEqual(rank([]), [])\n",
			"tests/test_cards.py":   "from pkg.cards import rank\n\ndef test_rank():\n    assert rank([]) == []\n",
		}, "pkg/ranking.py", "rank", "tests/test_players.py"},
		"a package of Go": {map[string]string{
			"go.mod": "module m\n", "a/a.go": "package a\n\nfunc Half(n int) int { return n / 2 }\n",
			"a/numbers_test.go": "package a\n\nimport \"testing\"\n\nfunc TestHalf(t *testing.T) {\n\tif Half(2) != 1 {\n\t\tt.Fatal()\n\t}\n}\n",
			"a/b_test.go":       "package a\n\nimport \"testing\"\n\nfunc TestB(t *testing.T) {}\n",
		}, "a/a.go", "Half", "a/numbers_test.go"},
		"other methods of that name": {map[string]string{
			"go.mod": "module m\n", "a/slice.go": "package a\n\nfunc (s *slice) Append(n int) { *s = append(*s, n) }\n",
			"a/all_test.go":   "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { x.Append(1) }\n\nfunc TestB(t *testing.T) { x.Append(1) }\n\nfunc TestC(t *testing.T) { x.Append(1) }\n\nfunc TestD(t *testing.T) { x.Append(1) }\n",
			"a/slice_test.go": "package a\n\nimport \"testing\"\n\nfunc TestSlice(t *testing.T) { s.Append(1) }\n",
		}, "a/slice.go", "slice.Append", "a/slice_test.go a/all_test.go"},
		"through an index": {map[string]string{
			"src/index.ts": "export * from './utils'\n", "src/utils.ts": "export function joined(a: string) { return a }\n",
			"test/all.test.ts":   "import { joined } from '../src'\ntest('one', () => { expect(joined('a')).toBe('a') })\n",
			"test/other.test.ts": "import { other } from '../src'\ntest('one', () => { expect(other('a')).toBe('a') })\n",
			"test/words.test.ts": "import { other } from '../src'\ntest('one', () => { const joined = 1; expect(other(joined)).toBe('a') })\n",
		}, "src/utils.ts", "joined", "test/all.test.ts"},
		"the change's own": {map[string]string{
			"lib/cart.js":         "export function total(a) { return a }\n",
			"test/money.test.js":  "import { total } from '../lib/cart.js'\ntest('one', () => { expect(total(1)).toBe(1) })\ntest('two', () => { expect(total(2)).toBe(2) })\ntest('three', () => { expect(total(3)).toBe(3) })\n",
			"test/edited.test.js": "import { total } from '../lib/cart.js'\ntest('four', () => { expect(total(4)).toBe(4) })\n",
		}, "lib/cart.js", "total", "test/edited.test.js test/money.test.js"},
		"a constructor, by its class": {map[string]string{
			"src/caches/__init__.py": "class Cache:\n    def get(self):\n        return 1\n\n\nclass LFUCache(Cache):\n    def __init__(self, n):\n        self.n = n\n\n    def __touch(self):\n        self.n += 1\n",
			"tests/test_func.py":     "import caches\n\n\ndef test_init():\n    assert caches.Cache().__init__\n",
			"tests/test_lfu.py":      "from caches import LFUCache\n\n\ndef test_lfu():\n    assert LFUCache(2).get() == 1\n",
		}, "src/caches/__init__.py", "LFUCache.__init__", "tests/test_lfu.py"},
		"a class that a test class names": {map[string]string{
			"src/caches/__init__.py": "class Cache:\n    def get(self):\n        return 1\n\n\nclass LFUCache(Cache):\n    def __touch(self):\n        return self.get()\n",
			"tests/test_lfu.py":      "import unittest\n\nfrom caches import LFUCache\n\n\nclass LFUTest(unittest.TestCase):\n    Cache = LFUCache\n\n    def test_all(self):\n        assert self.Cache().get() == 1\n",
			"tests/test_all.py":      "from caches import Cache, LFUCache\n\n\n# LFUCache is elsewhere.\ndef test_cache():\n    assert Cache().get() == 1\n",
		}, "src/caches/__init__.py", "LFUCache.__touch", "tests/test_lfu.py"},
		"a method that is nobody's, by its class": {map[string]string{
			"lib/validate.py":        "class Checked:\n    def __repr__(self):\n        return self._args()\n\n\nclass Url(Checked):\n    def _args(self):\n        return ''\n",
			"lib/fields.py":          "from lib import validate\n\n\ndef url():\n    return validate.Url()\n",
			"tests/test_fields.py":   "from lib import fields, validate\n\n\ndef test_url():\n    assert repr(fields.url())\n\n\ndef test_checked():\n    assert repr(validate.Checked())\n",
			"tests/test_validate.py": "from lib import validate\n\n\ndef test_url():\n    assert repr(validate.Url())\n",
		}, "lib/validate.py", "Url._args", "tests/test_validate.py"},
		"by what calls it": {map[string]string{
			"tools/funcs.py":           "class Builder:\n    def invocation(self):\n        return ''\n\n\ndef update(f):\n    return Builder().invocation()\n\n\ndef wraps(f):\n    return update(f)\n",
			"tests/test_funcs.py":      "from tools.funcs import other\n\n\ndef test_other():\n    assert other()\n",
			"tests/test_decorators.py": "from tools.funcs import wraps\n\n\ndef test_wraps():\n    assert wraps(1)\n",
		}, "tools/funcs.py", "Builder.invocation", "tests/test_decorators.py"},
		"the name of a block is no import": {map[string]string{
			"index.js": "module.exports = require('./lib/globs');\n", "lib/scan.js": "module.exports = (a) => { return a };\n",
			"lib/globs.js":    "const globs = (a) => { return globs.test(a) };\nglobs.matchBase = (a) => { return a };\nglobs.test = (a) => { return globs.matchBase(a) };\nglobs.isMatch = (a) => { return globs.test(a) };\nmodule.exports = globs;\n",
			"test/scan.js":    "const scan = require('../lib/scan');\n\ndescribe('globs', () => {\n  it('should test', () => {\n    assert(scan('test'));\n  });\n});\n",
			"test/options.js": "const globs = require('..');\n\ndescribe('options', () => {\n  it('matchBase', () => {\n    assert(globs.isMatch('a'));\n  });\n});\n",
		}, "lib/globs.js", "globs.matchBase", "test/options.js"},
		"by what calls it from elsewhere": {map[string]string{
			"sql/engine/statement_splitter.py": "class Splitter:\n    def _level(self):\n        return 1\n\n    def process(self):\n        return self._level()\n",
			"sql/__init__.py":                  "from sql.engine.statement_splitter import Splitter\n\n\ndef split(text):\n    return Splitter().process()\n\n\ndef form(text):\n    return Splitter().process()\n",
			"tests/test_form.py":               "import sql\n\n\ndef test_form():\n    assert sql.form('a')\n",
			"tests/test_split.py":              "import sql\n\n\ndef test_split():\n    assert sql.split('a')\n",
			"tests/test_words.py":              "import sql\n\n\ndef test_words():\n    assert 'split form'\n",
		}, "sql/engine/statement_splitter.py", "Splitter._level", "tests/test_split.py tests/test_form.py"},
		"by what hands it out": {map[string]string{
			"lib/globs.js":   "exports.globs = (a) => {\n  const matcher = (b) => {\n    return based(b);\n  };\n  return matcher;\n};\nfunction based(b) {\n  return b;\n}\n",
			"test/all.js":    "const { globs } = require('../lib/globs');\n\ndescribe('options', () => {\n  it('works', () => {\n    assert(globs('a')('a'));\n  });\n});\n",
			"test/others.js": "const other = require('../lib/globs');\n\ndescribe('others', () => {\n  it('works', () => {\n    assert(other.some('a'));\n  });\n});\n",
		}, "lib/globs.js", "based", "test/all.js"},
		"nobody calls it": {map[string]string{
			"lib/cart.js": "export function total(a) { return a }\n", "test/x.test.js": "import { tax } from '../lib/cart.js'\ntest('one', () => { expect(tax(1)).toBe(1) })\n",
		}, "lib/cart.js", "total", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code := laid(t, c.files)
			code.o.Change = qa.Change{Files: []qa.FileChange{{Path: "test/edited.test.js", Kind: qa.KindTest}}}
			var tests []string
			for file := range c.files {
				if strings.Contains(file, "test") {
					tests = append(tests, file)
				}
			}
			assert.Equal(t, strings.Join(code.TestsOf(c.file, c.symbol, tests), " "), c.want)
		})
	}
}

// TestTestsOfLargeRepositories: of more test files than are looked at, those are that
// import the file, stand near to it or are named after it.
func TestTestsOfLargeRepositories(t *testing.T) {
	t.Parallel()
	files := map[string]string{"packages/web/src/cart.js": "export function total(a) { return a }\n", "packages/web/test/cart.test.js": "test('one', () => { expect(total(1)).toBe(1) })\n",
		"zoo/money.test.js": "import { total } from '../packages/web/src/cart.js'\ntest('one', () => { expect(total(1)).toBe(1) })\n"}
	tests := make([]string, 2*testFiles)
	for i := range tests {
		tests[i] = fmt.Sprintf("a/%03d.test.js", i)
	}
	tests = append(tests, "packages/web/test/cart.test.js", "zoo/money.test.js")
	assert.Equal(t, strings.Join(laid(t, files).TestsOf("packages/web/src/cart.js", "total", tests), " "), "packages/web/test/cart.test.js zoo/money.test.js")
}

var unchanged = New(checkout.Checkout{})

// Of a long test file the tests that call the function are shown, wherever they stand.
func TestShownTestsAreThoseThatCall(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("import { total, tax } from '../lib/cart.js'\n\n")
	for i := range 200 {
		b.WriteString("test('tax " + strings.Repeat("i", i%7) + "', () => {\n  expect(tax(" + strings.Repeat("1", 1+i%9) + ")).toBe(1)\n})\n\n")
	}
	b.WriteString("test('total of one', () => {\n  expect(total(1)).toBe(1)\n})\n")
	got := Shown(unchanged, "a.test.js", []byte(b.String()), []string{"total"}, 3000)
	assert.Assert(t, len(got) <= 3000+shownNames+200, len(got))
	assert.Assert(t, strings.HasPrefix(got, "import { total, tax }"), got)
	assert.Assert(t, strings.Contains(got, "expect(total(1)).toBe(1)"), got)
	assert.Assert(t, !strings.Contains(got, "expect(tax("), got)
	assert.Assert(t, strings.Contains(got, "… and tests that are not shown: tax"), got)
	for _, name := range strings.Split(got[strings.LastIndex(got, ": tax")+2:], "; ") {
		assert.Assert(t, regexp.MustCompile(`^(tax ?i*|and \d+ more)$`).MatchString(name), "%q", name)
	}
	assert.Equal(t, listed([]string{"one", "two", "three"}, 7), "one; and 2 more")
	assert.Equal(t, listed([]string{"one", "two"}, 8), "one; two")

	// One that is named after a function comes before others that call it.
	var others strings.Builder
	for i := range 60 {
		fmt.Fprintf(&others, "test('%d', () => {\n  expect(tax(%d)).toBe(1) // %s\n})\n\n", i, i, strings.Repeat("=", 60))
	}
	own := "test('tax of nothing', () => {\n  expect(tax()).toBe(0)\n})\n"
	assert.Assert(t, strings.Contains(Shown(unchanged, "a.test.js", []byte(others.String()+own), []string{"total", "tax"}, 3000), own[:40]))
	assert.Assert(t, !strings.Contains(Example(unchanged, "a.test.js", []byte(others.String()+own), "tax", 3000), "not shown"))

	// One that the change altered comes before all of them.
	touched := New(checkout.Checkout{Change: qa.Change{Files: []qa.FileChange{{Path: "a.test.js", Gaps: []int{42}}}}})
	altered := Shown(touched, "a.test.js", []byte(others.String()+own), []string{"tax"}, 800)
	assert.Assert(t, strings.Index(altered, "test('10',") > 0 && !strings.Contains(Shown(unchanged, "a.test.js", []byte(others.String()+own), []string{"tax"}, 800), "test('10',"), altered)

	// Without one, the first shows the style.
	got = Shown(unchanged, "a.test.js", []byte(b.String()), []string{"discount"}, 3000)
	assert.Assert(t, strings.Contains(got, "expect(tax(1)).toBe(1)"), got)
	assert.Equal(t, Shown(unchanged, "a.test.js", []byte("test('a', () => {})\n"), []string{"total"}, 3000), "test('a', () => {})\n")
	assert.Assert(t, len(Shown(unchanged, "broken.test.js", []byte(strings.Repeat("(", 9000)), []string{"total"}, 3000)) < 3100)
}

// A test file that fits is shown without the tests of others, and with all its helpers.
func TestShownIsWithoutTestsOfOthers(t *testing.T) {
	t.Parallel()
	const src = "package cart\n\n// TestTax is of another.\nfunc TestTax(t *testing.T) {\n\tif Tax(1) != 1 {\n\t\tt.Fatal()\n\t}\n}\n\n" +
		"func helper() int { return 1 }\n\nfunc TestTotal(t *testing.T) {\n\tif Total(helper()) != 1 {\n\t\tt.Fatal()\n\t}\n}\n"
	assert.Equal(t, Shown(unchanged, "cart_test.go", []byte(src), []string{"Total"}, 3000),
		strings.TrimSpace(strings.Replace(src, src[strings.Index(src, "// TestTax"):strings.Index(src, "func helper")], "", 1))+"\n\n… and tests that are not shown: TestTax")
	assert.Equal(t, Shown(unchanged, "cart_test.go", []byte(src), []string{"Total", "Tax"}, 3000), src)
	assert.Equal(t, Shown(unchanged, "cart_test.go", []byte(src), []string{"Discount"}, 3000), src)
	const held = "describe('cart', () => {\n  it('taxes', () => {\n    expect(tax(1)).toBe(1)\n  })\n\n  // of one\n  it('adds', () => {\n    expect(total(1)).toBe(1)\n  });\n  const unit = 1\n})\n"
	assert.Equal(t, Shown(unchanged, "a.test.js", []byte(held), []string{"total"}, 3000),
		"describe('cart', () => {\n  // of one\n  it('adds', () => {\n    expect(total(1)).toBe(1)\n  });\n  const unit = 1\n})\n\n… and tests that are not shown: cart > taxes")
	assert.Equal(t, Shown(unchanged, "a.test.js", []byte(held), []string{"tax"}, 3000),
		"describe('cart', () => {\n  it('taxes', () => {\n    expect(tax(1)).toBe(1)\n  })\n\n  const unit = 1\n})\n\n… and tests that are not shown: cart > adds")
}
