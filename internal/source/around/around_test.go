package around

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// TestTests reads changes of test files: CASE/base/FILE and CASE/head/FILE are the two
// versions, CASE/want is the text with what is put back, and empty where nothing is.
func TestTests(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	assert.NilError(t, err)
	assert.Equal(t, len(archives), 1)
	archive, err := txtar.ParseFile(archives[0])
	assert.NilError(t, err)
	cases, wants := map[string]*qa.Revision{}, map[string]string{}
	for _, f := range archive.Files {
		parts := strings.SplitN(f.Name, "/", 3)
		if cases[parts[0]] == nil {
			cases[parts[0]] = &qa.Revision{}
		}
		switch parts[1] {
		case "base":
			cases[parts[0]].Path, cases[parts[0]].Before = parts[2], f.Data
		case "head":
			cases[parts[0]].After = f.Data
		default:
			wants[parts[0]] = string(f.Data)
		}
	}
	for name, r := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Tests(*r)
			assert.Equal(t, string(got), wants[name])
			if got != nil {
				_, err := syntax.ParseWhole(r.Path, got)
				assert.NilError(t, err)
			}
		})
	}
}

// TestHelper: all that a helper had is put back, and what it has since stays.
func TestHelper(t *testing.T) {
	t.Parallel()
	was := "package a\n\nimport (\n\t\"reflect\"\n\t\"testing\"\n)\n\nfunc same(t *testing.T, a, b any) {\n\tif !reflect.DeepEqual(a, b) {\n\t\tt.Error(a)\n\t}\n}\n"
	now := "package a\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\nfunc same(t *testing.T, a, b any) { t.Log(fmt.Sprint(a)) }\n\nfunc two() int { return 2 }\n"
	got := string(Helper(qa.Revision{Path: "same_test.go", Before: []byte(was), After: []byte(now)}))
	assert.Equal(t, got, "package a\nimport \"reflect\"\n\n\nimport (\n\t_ \"fmt\"\n\t\"testing\"\n)\n\nfunc same(t *testing.T, a, b any) {\n\tif !reflect.DeepEqual(a, b) {\n\t\tt.Error(a)\n\t}\n}\n\nfunc two() int { return 2 }\n")
	assert.Equal(t, string(Helper(qa.Revision{Path: "same.sh", Before: []byte("a"), After: []byte("b")})), "a")
	assert.Assert(t, Helper(qa.Revision{Path: "same_test.go", Before: []byte(was), After: []byte(was + "\nfunc two() int { return 2 }\n")}) == nil)
}

// FuzzTests: no text makes it crash, and a file held against itself has nothing to put back.
func FuzzTests(f *testing.F) {
	f.Add("test_a.py", "ROWS = [1, 2]\ndef test_x():\n    for r in ROWS: assert f(r)\n", "ROWS = [1]\ndef test_x():\n    for r in ROWS: assert f(r)\n")
	f.Add("a_test.go", "package a\nvar a = []int{1, 2}\nfunc TestX(t *testing.T) { for range a {} }\n", "package a\nvar a = []int{1}\nfunc TestX(t *testing.T) {}\n")
	f.Add("a.test.ts", "import { f } from './f'\nbeforeEach(() => { f() })\nit('x', () => { expect(f()).toBe(1); });\n", "const f = () => 1\nit('x', () => {});\n")
	f.Fuzz(func(t *testing.T, path, before, after string) {
		Tests(qa.Revision{Path: path, Before: []byte(before), After: []byte(after)})
		Helper(qa.Revision{Path: path, Before: []byte(before), After: []byte(after)})
		if got := Tests(qa.Revision{Path: path, Before: []byte(before), After: []byte(before)}); got != nil {
			t.Errorf("nothing changed: %s", got)
		}
	})
}
