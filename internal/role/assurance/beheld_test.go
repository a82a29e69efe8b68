package assurance

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestBeholds: a proof is run on the living mutants of its function, but for those of the
// lines that its finding names, and only where somebody may be asked again.
func TestBeholds(t *testing.T) {
	t.Parallel()
	const src = "package p\n\nfunc F(n int) int {\n\tn *= 2\n\treturn n - 5\n}\n\nfunc G(n int) int {\n\treturn n * 7\n}\n"
	all, err := mutant.Make("p.go", []byte(src), []qa.Range{{Start: 1, End: 10}})
	assert.NilError(t, err)
	assert.Equal(t, len(all), 3)
	ask := func(context.Context, Verdict) (Fix, error) { return Fix{}, nil }
	for name, c := range map[string]struct {
		at     *generator.Place
		repair func(context.Context, Verdict) (Fix, error)
		want   []string
	}{
		"of its function":       {nil, ask, []string{all[0].ID}},
		"of the finding's line": {&generator.Place{Path: "p.go", Lines: qa.Range{Start: 4, End: 4}}, ask, nil},
		"of another line":       {&generator.Place{Path: "p.go", Lines: qa.Range{Start: 5, End: 5}}, ask, []string{all[0].ID}},
		"nobody is asked again": {nil, nil, nil},
	} {
		tree := &stage{dir: t.TempDir(), results: t.TempDir(), runs: map[string]int{}}
		assert.NilError(t, tree.Write("p.go", []byte(src)))
		tree.acts = map[string]func([]string, int) bool{"TestNew": func([]string, int) bool { return false }}
		tree.says = func() string { // what F makes of the product, and nothing of what follows
			raw, _ := os.ReadFile(filepath.Join(tree.dir, "p.go"))
			return "got " + strings.Split(string(raw), "\n")[3] + strings.Split(string(raw), "\n")[8]
		}
		chain := &Chain{
			Target: executor.Target{Dir: ".", Framework: adapter.Detection{Framework: "gotest", Dir: ".", Tools: adapter.Tools{Program: []string{"go"}}, Extent: adapter.Extent{Packages: []string{"./..."}}}},
			Keep:   fixture.Place(t, t.TempDir()), Mutants: all, Repair: c.repair,
			Trees: Trees{Head: tree, added: map[string][]byte{}, Read: func(string) ([]byte, error) { return []byte(src), nil }},
		}
		v := &Verdict{Candidate: generator.Candidate{Path: "p_test.go", Source: "p.go", At: c.at}}
		v.Path, v.Target, v.placed = "p_test.go", "F", []byte(neighbours+"\nfunc TestNew(t *testing.T) {}\n")
		assert.NilError(t, tree.Write(v.Path, v.placed))
		first, err := chain.outcome(t.Context(), tree, v, "TestNew")
		assert.NilError(t, err)
		assert.NilError(t, trial{chain, v, "TestNew", first}.beholds(t.Context()))
		assert.DeepEqual(t, v.Beheld, c.want)
		left, err := os.ReadFile(filepath.Join(tree.dir, "p.go"))
		assert.NilError(t, err)
		assert.Equal(t, string(left), src, "%s: nothing stays", name)
	}
}

// TestOtherwise: a proof notices a mutant where it passes with it or says something else of
// it, and not where the program merely crashes or is ended.
func TestOtherwise(t *testing.T) {
	t.Parallel()
	head := outcome{status: qa.Failed, why: "got 5, want 4"}
	for name, c := range map[string]struct {
		with outcome
		want bool
	}{
		"the same":           {head, false},
		"another value":      {outcome{status: qa.Failed, why: "got 6, want 4"}, true},
		"the mend":           {outcome{status: qa.Passed}, true},
		"a crash":            {outcome{status: qa.Failed, why: "panic: nil"}, false},
		"ended":              {outcome{status: qa.Failed, why: "timed out", late: true}, false},
		"it does not build":  {outcome{status: qa.BuildFailed, why: "undefined"}, false},
		"it did not run":     {outcome{status: qa.NotRun}, false},
		"nothing is said":    {outcome{status: qa.Failed}, false},
		"nobody could judge": {outcome{status: qa.Errored, why: "died"}, false},
	} {
		assert.Equal(t, otherwise(head, c.with), c.want, name)
	}
}
