package related

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestShownTestsHaveWhatTheyName: of a long test file a test stands with its table and the
// checks of the project's own that it calls, and what those name, and without others.
func TestShownTestsHaveWhatTheyName(t *testing.T) {
	t.Parallel()
	other := "describe(\"parseURL\", () => {\n  const cases = [1];\n  for (const c of cases) {\n    test(\"one\", () => {\n      // " + strings.Repeat("=", 3000) + "\n      expect(parseURL(c)).toBe(1);\n    });\n  }\n});\n\n"
	src := "import { parseURL, parseFilename } from \"../src\";\n\n" + other +
		"const base = \"/\";\n\nfunction same(a, b) {\n  expect(a).toBe(base + b);\n}\n\nfunction unused() {\n  return 1;\n}\n\n" +
		"describe(\"parseFilename\", () => {\n  const tests = [\n    { input: \"a\", out: \"b\" },\n    { input: \"c\" },\n  ];\n\n  for (const t of tests) {\n    test(\"two\", () => {\n      same(parseFilename(t.input), t.out);\n    });\n  }\n});\n"
	got := Shown(unchanged, "test/parse.test.ts", []byte(src), []string{"parseFilename"}, 1200)
	for _, want := range []string{"const base = \"/\";", "function same(a, b) {\n  expect(a).toBe(base + b);\n}", "describe(\"parseFilename\", () => {\n  const tests = [\n    { input: \"a\", out: \"b\" },\n    { input: \"c\" },\n  ];\n\n  for (const t of tests) {"} {
		assert.Assert(t, strings.Contains(got, want), "%s\nlacks %s", got, want)
	}
	for _, not := range []string{"unused", "const cases", "===="} {
		assert.Assert(t, !strings.Contains(got, not), "%s\nhas %s", got, not)
	}

	python := "import pytest\n\nVALUES = [\n" + strings.Repeat("    'value',\n", 30) + "]\n\n\ndef check(a):\n    assert a in VALUES\n\n\ndef test_other():\n    # " + strings.Repeat("=", 3000) + "\n    assert other()\n\n\n" +
		"class TestLoad:\n    limit = 3\n\n    def test_load(self):\n        check(load(self.limit))\n"
	got = Shown(unchanged, "tests/test_a.py", []byte(python), []string{"load"}, 1500)
	for _, want := range []string{"VALUES = [\n    'value',", "def check(a):", "class TestLoad:\n    limit = 3\n\n    def test_load(self):"} {
		assert.Assert(t, strings.Contains(got, want), "%s\nlacks %s", got, want)
	}
}
