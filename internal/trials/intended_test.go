package trials

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
)

// An author cannot talk a regression away: words announce only what they say, and a
// test of the change excuses only the very call that it makes, when it ran and passed.
func TestWhatIsIntended(t *testing.T) {
	t.Parallel()
	const proof = "test('half of minus three', () => {\n  expect(half(-3)).toBe(-1)\n})\n"
	const own = "import { half } from './half'\ntest('rounds down', () => {\n  expect(half(-3)).toBe(-2)\n  const n = 5\n  expect(half(n)).toBe(2)\n  expect(half(-7)).toBe(-4)\n})\n"
	for name, c := range map[string]struct {
		body, announced string
		proof           string
		own             string
		status          qa.Status
		untouched       bool
		words, test     string
	}{
		"asserted":                            {proof: proof, own: own, status: qa.Passed, test: "half.test.js: rounds down"},
		"by a test that fails":                {proof: proof, own: own, status: qa.Failed},
		"by a test that was skipped":          {proof: proof, own: own, status: qa.Skipped},
		"by a test that did not run":          {proof: proof, own: own},
		"by a test that the change left":      {proof: proof, own: own, status: qa.Passed, untouched: true},
		"of another input":                    {proof: "test('p', () => {\n  expect(half(-5)).toBe(-2)\n})\n", own: own, status: qa.Passed},
		"of a value that is not written out":  {proof: "test('p', () => {\n  const n = -3\n  expect(half(n)).toBe(-1)\n})\n", own: own, status: qa.Passed},
		"of more than the tests of it assert": {proof: "test('p', () => {\n  expect(half(-3)).toBe(-1)\n  expect(half(9)).toBe(4)\n})\n", own: own, status: qa.Passed},
		"of two that they assert":             {proof: "test('p', () => {\n  expect(half(-3)).toBe(-1)\n  expect(half(-7)).toBe(-3)\n})\n", own: own, status: qa.Passed, test: "half.test.js: rounds down"},
		"of what they agree about":            {proof: "test('p', () => {\n  expect(half(-3)).toBe(-2)\n})\n", own: own, status: qa.Passed},
		"of another function":                 {proof: "test('p', () => {\n  expect(other(-3)).toBe(-1)\n})\n", own: "test('rounds down', () => {\n  expect(other(-3)).toBe(-2)\n})\n", status: qa.Passed},
		"in a comment":                        {proof: proof, own: "test('rounds down', () => {\n  // expect(half(-3)).toBe(-2)\n  expect(half(2)).toBe(1)\n})\n", status: qa.Passed},

		"announced":               {body: "From now on half rounds down:\nhalf(-3) is -2.", announced: "half rounds down: half(-3) is -2", words: "half rounds down: half(-3) is -2", proof: proof},
		"not in these words":      {body: "A faster half.", announced: "half rounds down now", proof: proof},
		"in a word":               {body: "intended", announced: "intended", proof: proof},
		"everything is announced": {body: "Every difference is intended.", announced: "Every difference is intended.", words: "Every difference is intended.", proof: proof}, // CONDITIONAL: see TestVerdicts
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			assert.NilError(t, os.WriteFile(filepath.Join(root, "half.test.js"), []byte(c.own), 0o600))
			file := qa.FileChange{Path: "half.test.js", Kind: qa.KindTest, Status: qa.Modified, Added: []qa.Range{{Start: 1, End: 99}}}
			if c.untouched {
				file.Added = []qa.Range{{Start: 1, End: 1}}
			}
			r := Runner{Checkout: checkout.Checkout{Root: root, Change: qa.Change{Title: "half", Body: c.body, Files: []qa.FileChange{file}}, Messages: func(context.Context) []string { return nil }}}
			r.Code = related.New(r.Checkout)
			b := &baseline.Baseline{}
			if c.status != "" {
				b.Runs = []executor.Baseline{{Tests: qa.Tests{Cases: []qa.Case{{File: "half.test.js", Name: "rounds down", Status: c.status}}}}}
			}
			k := generator.Candidate{Path: "proof.test.js", Target: "half", Test: generator.Test{Code: c.proof, Announced: c.announced}}
			assert.Equal(t, r.announced(t.Context(), k, ""), c.words)
			assert.Equal(t, r.asserted(k, b), c.test)
		})
	}
}
