package edit

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestTests lists the tests of the good candidates with their assertions, and
// each assertion's opposite.
func TestTests(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob(filepath.Join("testdata", "*", "negate.txtar"))
	assert.NilError(t, err)
	assert.Equal(t, len(archives), 5)
	for _, name := range archives {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			assert.NilError(t, err)
			var b strings.Builder
			for _, file := range archive.Files {
				tests, err := Tests(file.Name, file.Data)
				assert.NilError(t, err)
				for _, test := range tests {
					fmt.Fprintf(&b, "%s: %s [%s] uses %v\n", file.Name, test.Name, test.Lines, test.Imports)
					for i, a := range test.Assertions {
						assert.Equal(t, strings.Count(string(file.Data[a.Start:a.End]), "\x00"), 0)
						got, err := Negate(file.Name, file.Data, test.Name, i)
						assert.Equal(t, err == nil, a.Negatable)
						if err != nil {
							fmt.Fprintf(&b, "  %d: %v\n", a.Line, err)
							continue
						}
						_, err = syntax.ParseWhole(file.Name, got)
						assert.NilError(t, err)
						fmt.Fprintf(&b, "  %d: %s\n", a.Line, changed(string(file.Data), string(got)))
					}
				}
			}
			rel, _ := filepath.Rel("testdata", name)
			golden.Assert(t, b.String(), rel+".golden")
		})
	}
}

// changed shows the lines of b that a does not have.
func changed(a, b string) string {
	old := map[string]bool{}
	for line := range strings.Lines(a) {
		old[line] = true
	}
	var out []string
	for line := range strings.Lines(b) {
		if !old[line] {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return strings.Join(out, " | ")
}

func TestAssertionErrors(t *testing.T) {
	t.Parallel()
	src := []byte("it('a', () => { expect(1).toBe(1); });\n")
	_, err := Negate("a.test.js", src, "b", 0)
	assert.Error(t, err, `negate assertion: no test "b" in a.test.js, it has: a`)
	_, err = Negate("a.test.js", src, "a", 1)
	assert.Error(t, err, `negate assertion: test "a" of a.test.js has 1 assertions, there is no number 1`)
	_, err = Assertions("a.test.js", src, "b")
	assert.ErrorContains(t, err, `no test "b"`)
}

func TestHash(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		path, a, b string
		same       bool
	}{
		"names, quotes, comments": {
			"a.test.js", "it('a', () => { const x = f(\"1\"); expect(x).toBe(2); });",
			"it('other', () => {\n  // what\n  const y = f('1')\n  expect(y).toBe(2)\n})", true,
		},
		"literal":    {"a.test.js", "it('a', () => { expect(f(1)).toBe(2); });", "it('a', () => { expect(f(1)).toBe(3); });", false},
		"callee":     {"a.test.js", "it('a', () => { expect(f(1)).toBe(2); });", "it('a', () => { expect(g(1)).toBe(2); });", false},
		"operator":   {"test_a.py", "def test_a():\n    assert f() < 1\n", "def test_b():\n    assert f() > 1\n", false},
		"python":     {"test_a.py", "def test_a():\n    x = f('a')\n    assert x == 1\n", "def test_b():\n    value = f(\"a\")\n\n    assert value == 1  # ok\n", true},
		"parameters": {"test_a.py", "@p([1])\ndef test_a(n):\n    assert f(n)\n", "@p([2])\ndef test_a(n):\n    assert f(n)\n", false},
		"swapped":    {"a_test.go", "package a\nfunc TestA(t *testing.T) { a, b := 1, 2; if f(a, b) != 3 { t.Error() } }", "package a\nfunc TestA(t *testing.T) { a, b := 1, 2; if f(b, a) != 3 { t.Error() } }", false},
		"go":         {"a_test.go", "package a\nfunc TestA(t *testing.T) { got := f(); if got != 3 { t.Error() } }", "package a\n// TestB is it.\nfunc TestB(tt *testing.T) { v := f()\n if v != 3 { tt.Error() } }", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hash := func(src string) string {
				tests, err := Tests(tc.path, []byte(src))
				assert.NilError(t, err)
				h, err := Hash(tc.path, []byte(src), tests[0].Name)
				assert.NilError(t, err)
				return h
			}
			assert.Equal(t, hash(tc.a) == hash(tc.b), tc.same)
		})
	}
	_, err := Hash("a.test.js", []byte(""), "x")
	assert.ErrorContains(t, err, `hash: no test "x"`)
}

func TestTestsOfSamples(t *testing.T) {
	t.Parallel()
	for _, sample := range fixture.Samples(t) {
		path := sample.Name
		tests, err := Tests(path, sample.Text)
		assert.NilError(t, err)
		assert.Equal(t, len(tests) > 0, strings.Contains(strings.ToLower(path), "test"+filepath.Ext(path)) || strings.Contains(path, "test_") || path == "rust/parcel.rs", "%s has %d", path, len(tests))
	}
}
