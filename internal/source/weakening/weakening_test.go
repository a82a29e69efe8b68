package weakening

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestCompare reads changes: CASE/base/FILE and CASE/head/FILE are the two versions of a
// file, CASE/want has the rules that are found, one on a line, in the order of the lines.
// Files whose name does not say test are the product's.
func TestCompare(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	assert.NilError(t, err)
	assert.Equal(t, len(archives), 6)
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		assert.NilError(t, err)
		wants := map[string]string{}
		cases := map[string]map[string]*qa.Revision{}
		for _, f := range archive.Files {
			parts := strings.SplitN(f.Name, "/", 3)
			if cases[parts[0]] == nil {
				cases[parts[0]] = map[string]*qa.Revision{}
			}
			if parts[1] == "want" {
				wants[parts[0]] = strings.TrimSpace(string(f.Data))
				continue
			}
			r := cases[parts[0]][parts[2]]
			if r == nil {
				r = &qa.Revision{Path: parts[2]}
				cases[parts[0]][parts[2]] = r
			}
			if parts[1] == "base" {
				r.Before = f.Data
			} else {
				r.After = f.Data
			}
		}
		for key, files := range cases {
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+key, func(t *testing.T) {
				t.Parallel()
				want, known := wants[key]
				assert.Assert(t, known, "no want")
				var tests, product []qa.Revision
				for _, path := range each.Sorted(keys(files)) {
					if r := *files[path]; strings.Contains(path, "test") {
						tests = append(tests, r)
					} else {
						product = append(product, r)
					}
				}
				var got []string
				for _, w := range Compare(tests, product) {
					line := w.Rule
					if w.Test != "" {
						line += " " + w.Test
					}
					got = append(got, line)
					if w.Lines.Start > 0 {
						lines := strings.Count(string(files[w.Path].After), "\n") + 1
						assert.Assert(t, w.Lines.Start <= lines, "%+v", w)
					}
				}
				assert.Equal(t, strings.Join(got, "\n"), want)
			})
		}
	}
}

func keys(of map[string]*qa.Revision) []string {
	var out []string
	for k := range of {
		out = append(out, k)
	}
	return out
}

// TestHostile: a file that is huge, broken or nests without end says nothing and takes
// no time.
func TestHostile(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	small := []byte("def test_x():\n    assert f() == 1\n")
	for name, src := range map[string]string{
		"huge":    "def test_x():\n    pass\n" + strings.Repeat("# filling\n", 200_000),
		"broken":  "def test_x(:\n  assert (\n",
		"deep":    "def test_x():\n    assert " + strings.Repeat("(", 5000) + strings.Repeat(")", 5000) + "\n",
		"nothing": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Compare([]qa.Revision{{Path: "test_a.py", Before: small, After: []byte(src)}, {Path: "test_b.py", Before: []byte(src), After: small}}, nil)
			if name == "nothing" {
				assert.Equal(t, len(got), 0, "the test has moved: %+v", got)
				return
			}
			assert.Assert(t, !slices.ContainsFunc(got, func(w qa.Weakening) bool { return w.Rule != "test-removed" }), "%+v", got)
		})
	}
}

// TestManyTests: files with more tests than a person writes cost no more than reading them.
func TestManyTests(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	var before, after strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&before, "def test_a%d():\n    assert f(%d) == %d\n", i, i, i)
		fmt.Fprintf(&after, "def test_b%d():\n    assert g(%d) > %d\n", i, i, -i)
	}
	got := Compare([]qa.Revision{{Path: "test_a.py", Before: []byte(before.String()), After: []byte(after.String())}}, nil)
	assert.Assert(t, len(got) <= 1500)
}

// TestManyAssertions: a test of two thousand assertions of which one is new is read in a
// time that nobody notices.
func TestManyAssertions(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	var before strings.Builder
	before.WriteString("package a\nfunc TestX(t *testing.T) {\n")
	for i := range 1900 {
		fmt.Fprintf(&before, "\tif f(%d) != %d { t.Error(%d) }\n", i, i, i)
	}
	after := before.String() + "\tif g(1) != 1 { t.Error(1) }\n}\n"
	got := Compare([]qa.Revision{{Path: "a_test.go", Before: []byte(before.String() + "}\n"), After: []byte(after)}}, nil)
	assert.Equal(t, len(got), 0)
}

// TestManyStandIns: a large file in which each assertion gets a stand-in of its own is
// read once for all of them.
func TestManyStandIns(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	var before, after strings.Builder
	before.WriteString("from p import *\n" + strings.Repeat("filling = 'more of it'\n", 4_000))
	after.WriteString(before.String())
	for i := range 1000 {
		fmt.Fprintf(&before, "def test_a%d():\n    assert f%d(1) == 1\n", i, i)
		fmt.Fprintf(&after, "def test_a%d():\n    f%d = str\n    assert f%d(1) == 1\n", i, i, i)
	}
	got := Compare([]qa.Revision{{Path: "test_a.py", Before: []byte(before.String()), After: []byte(after.String())}}, nil)
	assert.Equal(t, len(got), 0, "nothing is imported by its name")
}

// FuzzCompare: no text makes it crash, and a file held against itself says nothing.
func FuzzCompare(f *testing.F) {
	f.Add("test_a.py", "def test_x():\n    assert f() == 1\n", "def test_x():\n    f()\n")
	f.Add("a_test.go", "package a\nfunc TestX(t *testing.T) { if f() != 1 { t.Error() } }\n", "package a\nfunc TestX(t *testing.T) { t.Skip() }\n")
	f.Add("a.test.ts", "it('x', () => { expect(f()).toBe(1); });\n", "it.skip('x');\n")
	f.Fuzz(func(t *testing.T, path, before, after string) {
		Compare([]qa.Revision{{Path: path, Before: []byte(before), After: []byte(after)}}, []qa.Revision{{Path: "a.py", Before: []byte(after), After: []byte(before)}})
		if same := Compare([]qa.Revision{{Path: path, Before: []byte(before), After: []byte(before)}}, nil); len(same) > 0 {
			t.Errorf("nothing changed: %+v", same)
		}
	})
}

// BenchmarkManyFiles is a change of 4,000 tests in ten files that lose an assertion each,
// beside 400 tests that are gone: what it takes grows with their number.
func BenchmarkManyFiles(b *testing.B) {
	text := func(tag string, more bool) []byte {
		var out strings.Builder
		out.WriteString("package a\n")
		for i := range 400 {
			name := fmt.Sprintf("%s%d", tag, i)
			fmt.Fprintf(&out, "func Test%[1]s(t *testing.T) {\n\ta%[1]s := q%[1]s()\n\tif u%[1]s(a%[1]s) != %[2]d { t.Error(1) }\n", name, i)
			if more {
				fmt.Fprintf(&out, "\tif z%s(1) != 3 { t.Error(2) }\n", name)
			}
			out.WriteString("}\n")
		}
		return []byte(out.String())
	}
	all := []qa.Revision{{Path: "gone_test.go", Before: text("Gone", true)}}
	for i := range 10 {
		tag := fmt.Sprintf("C%dx", i)
		all = append(all, qa.Revision{Path: tag + "_test.go", Before: text(tag, true), After: text(tag, false)})
	}
	for b.Loop() {
		if n := len(Compare(all, nil)); n != 4400 {
			b.Fatalf("%d remarks", n)
		}
	}
}

// TestDoubtful: what the text does not tell is named, tests that lost something first;
// what Compare tells, what did not change and what moved away is not.
func TestDoubtful(t *testing.T) {
	t.Parallel()
	before := "from p import f, g\ndef test_told():\n    assert f(1) == 1\n    assert f(2) == 4\ndef test_same():\n    assert f(3) == 9\ndef test_longer():\n    assert f(4) == 16\ndef test_other():\n    assert f(5) == 25\ndef test_less():\n    run(lambda: f(6))\n    assert f(6) == 36\n"
	after := "from p import f, g\ndef test_told():\n    assert f(1) == 1\ndef test_same():\n    assert f(3) == 9\ndef test_longer():\n    g()\n    assert f(4) == 16\ndef test_other():\n    assert f(5) * 0 == 0\ndef test_less():\n    (lambda: f(6))\n    assert f(6) == 36\n"
	var got []string
	for _, w := range Doubtful([]qa.Revision{{Path: "test_a.py", Before: []byte(before), After: []byte(after)}}, nil) {
		got = append(got, fmt.Sprintf("%s %s %d %t", w.Rule, w.Test, w.Lines.Start, w.Less))
	}
	assert.DeepEqual(t, got, []string{"notices-less test_other 9 false", "notices-less test_less 11 true", "notices-less test_longer 6 false"})
}
