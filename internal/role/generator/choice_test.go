package generator

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/source/mutant"
)

// changed is a project with one file that a change wrote, of as many functions.
func changed(t *testing.T, functions int) (Writer, Known) {
	t.Helper()
	var text strings.Builder
	k := Known{Strategy: &qa.Strategy{}, Suite: func(string) (Suite, bool) { return Suite{Target: "unit", Framework: "vitest"}, true }}
	for i := range functions {
		fmt.Fprintf(&text, "export function f%d(n) {\n  n *= %d\n  return n + %d\n}\n", i, i+2, i+2)
		k.Strategy.Focus = append(k.Strategy.Focus, qa.Focus{Path: "a.js", Symbol: fmt.Sprint("f", i), Lines: qa.Range{Start: 4*i + 1, End: 4*i + 4}})
	}
	root := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(root, "a.js"), []byte(text.String()), 0o600))
	file := qa.FileChange{Path: "a.js", Status: qa.Modified, Kind: qa.KindSource, Added: []qa.Range{{Start: 1, End: 4 * functions}}}
	in := checkout.Checkout{Root: root, Change: qa.Change{Files: []qa.FileChange{file}}, Content: func(context.Context, string, string) ([]byte, error) { return nil, nil }}
	var err error
	k.Judged, err = mutant.Make("a.js", []byte(text.String()), file.Added)
	assert.NilError(t, err)
	assert.Equal(t, len(k.Judged), 2*functions)
	k.Measured, k.Read = func(f qa.Focus) bool { return f.Path == "a.js" }, func(file string) bool { return file == "a.js" }
	return Writer{Checkout: in, Config: &config.Config{}, Code: related.New(in)}, k
}

func symbols(all []qa.Focus) string {
	return strings.Join(each.Of(all, func(f qa.Focus) string { return f.Symbol }), " ")
}

// TestSpent: a function is not asked about where everything was looked at and there is
// nothing left to gain, and only there: what nobody read, measured or tried is unknown.
func TestSpent(t *testing.T) {
	t.Parallel()
	defect := qa.Finding{ID: "1", Path: "a.js", Lines: qa.Range{Start: 7, End: 7}, Status: qa.StatusNew, Severity: qa.Low, Perspectives: []qa.Perspective{qa.Bug}}
	for name, c := range map[string]struct {
		alter func(*Writer, *Known)
		want  string
	}{
		"nothing to gain": {func(*Writer, *Known) {}, ""},
		"a line that no test runs": {func(_ *Writer, k *Known) {
			k.Strategy.Focus[1].Uncovered = []qa.Range{{Start: 7, End: 7}}
		}, "f1"},
		"a wrong version lives":             {func(_ *Writer, k *Known) { k.Living = k.Judged[3:] }, "f1"},
		"a wrong version was not tried":     {func(_ *Writer, k *Known) { k.Judged = k.Judged[:3] }, "f1"},
		"none of them was tried":            {func(_ *Writer, k *Known) { k.Judged = k.Judged[:2] }, "f1"},
		"none of them has an outcome":       {func(_ *Writer, k *Known) { k.Judged, k.Broken = k.Judged[:2], k.Judged[2:] }, "f1"},
		"one that does not build beside it": {func(_ *Writer, k *Known) { k.Judged, k.Broken = k.Judged[:3], k.Judged[3:] }, ""},
		"a claim":                           {func(_ *Writer, k *Known) { k.Findings = []qa.Finding{defect} }, "f1"},
		"a claim that is proven":            {func(_ *Writer, k *Known) { k.Findings, k.Proven = []qa.Finding{defect}, []Proven{{Finding: "1"}} }, "f1"},
		"nothing knows the lines":           {func(_ *Writer, k *Known) { k.Measured = func(qa.Focus) bool { return false } }, "f0 f1"},
		"nothing is known":                  {func(_ *Writer, k *Known) { k.Measured = nil }, "f0 f1"},
		"no model read it":                  {func(_ *Writer, k *Known) { k.Read = func(string) bool { return false } }, "f0 f1"},
		"no scan":                           {func(_ *Writer, k *Known) { k.Read = nil }, "f0 f1"},
		"lines of it are gone":              {func(w *Writer, _ *Known) { w.Change.Files[0].Gaps = []int{4, 6, 8} }, "f1"},
		"no wrong version can be made of it": {func(w *Writer, k *Known) {
			w.Change.Files[0].Added, k.Judged = []qa.Range{{Start: 1, End: 5}}, k.Judged[:2]
		}, ""},
		"it did not change": {func(w *Writer, _ *Known) { w.Change.Files = nil }, "f0 f1"},
	} {
		w, k := changed(t, 2)
		c.alter(&w, &k)
		got, left := w.chosen(qa.L1, 0, k)
		assert.Equal(t, symbols(got), c.want, name)
		want := map[string]string{"": "2 functions not asked about", "f1": "1 function not asked about", "f0 f1": ""}[c.want]
		assert.Assert(t, strings.HasPrefix(strings.Join(left, "; "), want) && (want != "" || len(left) == 0), "%s: %q", name, left)
	}
}

// TestChosen: of more functions than a round asks about none is left out that has a
// finding, a line that no test runs or a living mutant while one without is asked about;
// those that are left are counted, and the order stays that of the risk.
func TestChosen(t *testing.T) {
	t.Parallel()
	w, k := changed(t, 9)
	k.Measured = nil
	k.Living = []mutant.Mutant{k.Judged[17]}
	k.Strategy.Focus[7].Uncovered = []qa.Range{{Start: 30, End: 30}}
	got, left := w.chosen(qa.L1, 0, k)
	assert.Equal(t, symbols(got), "f7 f8 f0 f1 f2 f3")
	assert.DeepEqual(t, left, []string{"3 functions more than a round asks about"})
	k.Strategy.Focus = slices.Delete(k.Strategy.Focus, 1, 4)
	got, left = w.chosen(qa.L1, 0, k)
	assert.Equal(t, symbols(got), "f0 f4 f5 f6 f7 f8")
	assert.Equal(t, len(left), 0)
}

// TestNothingIsAsked: where nothing is left to gain no request goes out; there is no client.
func TestNothingIsAsked(t *testing.T) {
	t.Parallel()
	w, k := changed(t, 2)
	out, err := w.Write(t.Context(), qa.L1, 0, k)
	assert.NilError(t, err)
	assert.Equal(t, len(out.Tests), 0)
	assert.DeepEqual(t, out.Left, []string{"2 functions not asked about, whose tests notice all that was tried"})
}
