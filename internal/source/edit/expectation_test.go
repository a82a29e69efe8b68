package edit

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// What a test expects is told of calls alone that mean the same in any test.
func TestExpectations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, test, src, want string }{
		"script":            {"a.test.js", "x", "import { half } from './a'\ntest('x', () => {\n  expect(half(-3)).toBe(-1)\n})\n", "half(-3)=-1"},
		"through a value":   {"a.test.js", "x", "test('x', async () => {\n  const got = await half(-3, 'up')\n  expect(got).toEqual(-1)\n})\n", "await half(-3, 'up')=-1"},
		"its own input":     {"a.test.js", "x", "test('x', () => {\n  const n = 3\n  expect(half(n)).toBe(1)\n})\n", "="},
		"its own object":    {"a.test.js", "x", "test('x', () => {\n  const cart = make()\n  expect(cart.total()).toBe(1)\n})\n", "="},
		"given twice":       {"a.test.js", "x", "test('x', () => {\n  let got = half(1)\n  got = half(2)\n  expect(got).toBe(1)\n})\n", "="},
		"truth":             {"a.test.js", "x", "test('x', () => {\n  expect(half(2)).toBeTruthy()\n})\n", "="},
		"a name in the way": {"a.test.js", "x", "test('x', () => {\n  expect(half(INPUT)).toBe(1)\n})\n", "="},
		"python":            {"test_a.py", "test_x", "from a import half\n\ndef test_x():\n    assert half(-3) == -1\n    assert half(None) == 0\n", "half(-3)=-1 half(None)=0"},
		"go":                {"a_test.go", "TestX", "package a\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {\n\tif got := Half(-3); got != -1 {\n\t\tt.Errorf(\"%d\", got)\n\t}\n}\n", "Half(-3)=-1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, err := Expectations(c.path, []byte(c.src), c.test)
			assert.NilError(t, err)
			var got []string
			for _, e := range all {
				assert.Assert(t, e.Line > 0)
				got = append(got, e.Subject+"="+e.Expected)
			}
			assert.Equal(t, strings.Join(got, " "), c.want)
		})
	}
	_, err := Expectations("a.test.js", []byte("test('x', () => {})\n"), "y")
	assert.ErrorContains(t, err, "no test")
}
