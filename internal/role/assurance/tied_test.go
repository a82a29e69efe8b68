package assurance

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestTied: a test that fails shows the lines without which it passes. Other lines than
// those that make it fail alone are not what it shows, and nothing is said where a version
// fails for a reason of its own, or where there is nothing to take apart.
func TestTied(t *testing.T) {
	t.Parallel()
	const (
		base = "package p\n\n// exact\n\n// strict\n\n// same\n"
		head = "package p\n\n// cut\n\n// lenient\n\n// same\n"
		one  = "package p\n\n// cut\n\n// strict\n\n// same\n"
	)
	at := func(line int) *generator.Place {
		return &generator.Place{Path: "p.go", Lines: qa.Range{Start: line, End: line}}
	}
	for name, tc := range map[string]struct {
		at    *generator.Place
		head  string
		fails []string // of which the source has one, or lacks it behind a !
		says  string   // of why; %s is what it found
		want  string
	}{
		"the lines":                         {at(3), head, []string{"cut"}, "wrong", Shown},
		"other lines":                       {at(5), head, []string{"cut"}, "wrong", Apart},
		"each of both":                      {at(5), head, []string{"cut", "lenient"}, "wrong", ""},
		"all that changed":                  {at(3), one, []string{"cut"}, "wrong", ""},
		"lines that are as they were":       {at(7), head, []string{"cut"}, "wrong", ""},
		"no finding":                        {nil, head, []string{"cut"}, "wrong", ""},
		"another file that has not changed": {&generator.Place{Path: "q.go", Lines: qa.Range{Start: 1, End: 1}}, head, []string{"cut"}, "wrong", ""},
		"lines that are gone beside them":   {at(5), "package p\n\n// cut\n\n// lenient\n\n", []string{"!same"}, "wrong", Shown},
		"lines that are gone elsewhere":     {at(3), "package p\n\n// cut\n\n// lenient\n\n", []string{"!same"}, "wrong", Apart},
		"a version that fails by itself":    {at(5), head, []string{"cut"}, "because it is %s", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree, before := &stage{dir: t.TempDir(), results: t.TempDir(), runs: map[string]int{}}, &stage{dir: t.TempDir()}
			for _, name := range []string{"p.go", "q.go"} {
				assert.NilError(t, tree.Write(name, []byte(tc.head)))
				assert.NilError(t, before.Write(name, []byte(base)))
			}
			assert.NilError(t, before.Write("q.go", []byte(tc.head)))
			tree.acts = map[string]func([]string, int) bool{"TestNew": func([]string, int) bool {
				raw, err := os.ReadFile(filepath.Join(tree.dir, "p.go"))
				for _, word := range tc.fails {
					bad, missing := strings.CutPrefix(word, "!")
					if bytes.Contains(raw, []byte(bad)) != missing {
						return false
					}
				}
				return err == nil
			}}
			tree.says = func() string {
				raw, _ := os.ReadFile(filepath.Join(tree.dir, "p.go"))
				return strings.ReplaceAll(tc.says, "%s", strings.Join(strings.Fields(string(raw)), " "))
			}
			c := &Chain{
				Target: executor.Target{Dir: ".", Framework: adapter.Detection{Framework: "gotest", Dir: ".", Tools: adapter.Tools{Program: []string{"go"}}, Extent: adapter.Extent{Packages: []string{"./..."}}}},
				Keep:   fixture.Place(t, t.TempDir()),
				Trees: Trees{Head: tree, Base: before, bases: map[string][]byte{}, added: map[string][]byte{}, Read: func(name string) ([]byte, error) {
					return os.ReadFile(filepath.Join(tree.dir, name))
				}},
			}
			v := &Verdict{Candidate: generator.Candidate{Path: "p_test.go", Source: "p.go", At: tc.at}}
			v.Path, v.Class, v.placed = "p_test.go", regression, []byte(neighbours+"\nfunc TestNew(t *testing.T) {}\n")
			assert.NilError(t, tree.Write(v.Path, v.placed))
			first, err := c.outcome(t.Context(), tree, v, "TestNew")
			assert.NilError(t, err)
			assert.Equal(t, first.status, qa.Failed)
			said, err := trial{c, v, "TestNew", first}.tied(t.Context())
			assert.NilError(t, err)
			assert.Equal(t, said, tc.want)
			left, err := os.ReadFile(filepath.Join(tree.dir, "p.go"))
			assert.NilError(t, err)
			assert.Equal(t, string(left), tc.head, "nothing stays")
		})
	}
}
