package generator

import (
	"context"
	"os"
	"path/filepath"
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

// What is shown has no line numbers, so a mutant is told by the line that it is in.
func TestWrongVersions(t *testing.T) {
	t.Parallel()
	lines := []string{"func Take(n int) int {", "\tif n > 3 {", "\t\tclose()", "\t}", "}", "\treturn a < 1 && b < 1"}
	file := shownLines(related.Side{Path: "take.go", Source: strings.Join(lines, "\n")})
	for want, m := range map[string]mutant.Mutant{
		"if n > 3 { with >= in place of >":                     {Line: 2, Original: ">", Replacement: ">="},
		"close() becomes ;":                                    {Line: 3, Original: "close()", Replacement: ";"},
		"if n > 3 { with nothing in place of n > 3":            {Line: 2, Original: "n > 3"},
		" with >= in place of > that is somewhere":             {Line: 99, Original: "> that is somewhere", Replacement: ">="},
		"return a < 1 && b < 1 becomes return a < 1 && b <= 1": {Line: 6, Column: 20, Original: "<", Replacement: "<="},
		"return a < 1 && b < 1 with <= in place of <":          {Line: 6, Column: 900, Original: "<", Replacement: "<="},
	} {
		assert.Equal(t, wrong(m, file, qa.Range{Start: 1, End: 6}), want)
	}
}

// A finding about a check that is gone is shown with it, and not with the line that stands
// in its place.
func TestFindingsOfLinesThatAreGone(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(root, "a.js"), []byte("export function half(n) {\n  return n / 2\n}\n"), 0o600))
	in := checkout.Checkout{
		Root: root, Change: qa.Change{Base: "base", Files: []qa.FileChange{{Path: "a.js", Status: qa.Modified, Added: []qa.Range{{Start: 3, End: 3}}}}},
		Content: func(context.Context, string, string) ([]byte, error) {
			return []byte("export function half(n) {\n  if (m < 0) {\n    throw new Error()\n  }\n  return n / 2\n}\n"), nil
		},
	}
	w := Writer{Checkout: in}
	f := qa.Finding{Path: "a.js", Lines: qa.Range{Start: 2, End: 2}, Quote: "return n / 2"}
	assert.Equal(t, w.quote(t.Context(), f), "- if (m < 0) {\n- throw new Error()\n- }")
	f.Lines = qa.Range{Start: 2, End: 3}
	assert.Equal(t, w.quote(t.Context(), f), f.Quote)
	f.Path = "b.js"
	assert.Equal(t, w.quote(t.Context(), f), f.Quote)
}

// oneSubject is what is asked of a function in a file of its own, which is new.
func oneSubject(t *testing.T, text string, f qa.Focus, k Known) Subject {
	t.Helper()
	root := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(root, f.Path), []byte(text), 0o600))
	in := checkout.Checkout{Root: root, Change: qa.Change{Files: []qa.FileChange{{Path: f.Path, Status: qa.Added, Added: []qa.Range{{Start: 1, End: strings.Count(text, "\n")}}}}}}
	w := Writer{Checkout: in, Config: &config.Config{}, Code: related.New(in)}
	k.Strategy = &qa.Strategy{Focus: []qa.Focus{f}}
	k.Suite = func(string) (Suite, bool) { return Suite{Target: "unit", Framework: "vitest"}, true }
	s, err := w.subject(t.Context(), qa.L1, f, k)
	assert.NilError(t, err)
	return s
}

// TestEqualLines: of a line that the function has more than once the question says which
// one is meant, of a mutant and of a finding alike, and of no other line.
func TestEqualLines(t *testing.T) {
	t.Parallel()
	text := "export function other(n) {\n  return n\n}\n" +
		"export function take(n, most) {\n  if (n > most) {\n    n -= 1\n    return n\n  }\n  if (n < 0) {\n    return n\n  }\n  return n\n}\n"
	f := qa.Focus{Path: "a.js", Symbol: "take", Lines: qa.Range{Start: 4, End: 13}}
	at := func(line int) mutant.Mutant {
		return mutant.Mutant{Path: "a.js", Line: line, Column: 5, Original: "return n", Replacement: "return"}
	}
	claim := func(id, quote string, from, to int) qa.Finding {
		return qa.Finding{ID: id, Path: "a.js", Quote: quote, Lines: qa.Range{Start: from, End: to}, Status: qa.StatusNew, Severity: qa.High, Perspectives: []qa.Perspective{qa.Bug}}
	}
	s := oneSubject(t, text, f, Known{
		Living:   []mutant.Mutant{at(7), at(10), {Path: "a.js", Line: 9, Column: 9, Original: "<", Replacement: "<="}},
		Findings: []qa.Finding{claim("1", "return n", 12, 12), claim("2", "n -= 1\nreturn n", 6, 6), claim("3", "if (n > most) {", 5, 5)},
	})
	assert.DeepEqual(t, s.Wrong, []string{
		"return n, no. 1 of 3 such lines, becomes return", "return n, no. 2 of 3 such lines, becomes return", "if (n < 0) { with <= in place of <",
	})
	assert.DeepEqual(t, each.Of(s.Findings, func(f qa.Finding) string { return f.Quote }), []string{
		"return n, no. 3 of 3 such lines", "n -= 1\nreturn n", "if (n > most) {",
	})
}

// TestMutantsOfFindings: what a finding says of a line may be mended by one of its mutants,
// so that no test is asked for that fails with it; and no round is worth it.
func TestMutantsOfFindings(t *testing.T) {
	t.Parallel()
	text := "export function take(n) {\n  if (n > 1) {\n    return 2\n  }\n  return 3\n}\n"
	f := qa.Focus{Path: "a.js", Symbol: "take", Lines: qa.Range{Start: 1, End: 6}}
	claim := qa.Finding{ID: "1", Path: "a.js", Lines: qa.Range{Start: 2, End: 2}, Status: qa.StatusNew, Severity: qa.Low, Perspectives: []qa.Perspective{qa.Bug}}
	gap := qa.Finding{ID: "2", Path: "a.js", Lines: qa.Range{Start: 5, End: 5}, Status: qa.StatusNew, Severity: qa.Low, Perspectives: []qa.Perspective{qa.TestCoverage}}
	k := Known{
		Living:   []mutant.Mutant{{ID: "a", Path: "a.js", Line: 2, Original: ">", Replacement: ">="}, {ID: "b", Path: "a.js", Line: 5, Original: "3", Replacement: "4"}},
		Findings: []qa.Finding{claim, gap},
	}
	s := oneSubject(t, text, f, k)
	assert.DeepEqual(t, each.Of(s.Survivors, func(m mutant.Mutant) string { return m.ID }), []string{"b"})
	k.Strategy = &qa.Strategy{Focus: []qa.Focus{f}}
	assert.Equal(t, k.Open(), 1)
	k.Living, k.Judged = k.Living[:1], k.Living
	assert.Equal(t, k.Open(), 0)
	assert.Assert(t, !k.settled(f), "one lives all the same")
	assert.Equal(t, len(k.round(1, func(qa.Focus) bool { return true })), 0)
}
