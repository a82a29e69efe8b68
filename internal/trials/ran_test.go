package trials

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/mutant"
)

// A line of which a wrong version is noticed is one that tests run; of a line without one
// nothing is known.
func TestRan(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	src := "def one(n):\n    # a word\n    return n + 1\n\ndef two(n):\n    k = n\n    return n + 1\n"
	assert.NilError(t, os.WriteFile(filepath.Join(root, "a.py"), []byte(src), 0o600))
	one, two := qa.Range{Start: 1, End: 3}, qa.Range{Start: 5, End: 7}
	for name, c := range map[string]struct {
		path          string
		lines, added  qa.Range
		status, other string
		want          bool
	}{
		"noticed":             {"a.py", one, qa.Range{Start: 2, End: 3}, mutation.Killed, mutation.Killed, true},
		"one of two":          {"a.py", one, qa.Range{Start: 2, End: 3}, mutation.Killed, mutation.Survived, true},
		"lives":               {"a.py", one, qa.Range{Start: 2, End: 3}, mutation.Survived, mutation.Survived, false},
		"ended by its limit":  {"a.py", one, qa.Range{Start: 2, End: 3}, mutation.Timeout, mutation.Timeout, false},
		"a line without one":  {"a.py", two, qa.Range{Start: 6, End: 7}, mutation.Killed, mutation.Killed, false},
		"that did not change": {"a.py", two, qa.Range{Start: 7, End: 7}, mutation.Killed, mutation.Killed, true},
		"nothing changed":     {"a.py", two, qa.Range{Start: 4, End: 4}, mutation.Killed, mutation.Killed, false},
		"a comment alone":     {"a.py", one, qa.Range{Start: 2, End: 2}, mutation.Killed, mutation.Killed, false},
		"another file":        {"b.py", one, qa.Range{Start: 2, End: 3}, mutation.Killed, mutation.Killed, false},
	} {
		r, in := &Results{}, checkout.Checkout{Root: root, Change: qa.Change{Files: []qa.FileChange{{Path: "a.py", Added: []qa.Range{c.added}}}}}
		f := qa.Focus{Path: c.path, Lines: c.lines}
		assert.Assert(t, !r.Ran(in, f), "%s: nothing was tried", name)
		set := &mutation.Set{}
		for i, line := range []int{3, 3, 7} {
			set.Add(mutant.Mutant{ID: string(rune('a' + i)), Path: "a.py", Line: line}, []string{c.status, c.other, c.status}[i])
		}
		r.Mutated(set)
		assert.Equal(t, r.Ran(in, f), c.want, name)
	}
}
