package coverage

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestForsaken: a changed file counts of which nothing that the change wrote runs, and less
// than on base of what it left; one that always lay idle, or of which lines went, does not.
func TestForsaken(t *testing.T) {
	t.Parallel()
	of := func(covered, total int) *qa.Coverage {
		return &qa.Coverage{Files: []qa.FileCoverage{{Path: "a.ts", LineCount: &qa.Count{Covered: covered, Total: total}}}}
	}
	for name, c := range map[string]struct {
		head, base *qa.Coverage
		wrote      qa.Count
		want       int
	}{
		"something else took its place":  {of(0, 13), of(13, 13), qa.Count{Total: 1}, 1},
		"only its head is run":           {of(1, 15), of(15, 15), qa.Count{Total: 1}, 1},
		"all of it is new and idle":      {of(0, 1), of(1, 1), qa.Count{Total: 1}, 1},
		"what the change wrote runs":     {of(5, 13), of(13, 13), qa.Count{Covered: 1, Total: 1}, 0},
		"a line that no test reaches":    {of(12, 13), of(13, 13), qa.Count{Total: 1}, 0},
		"it lay idle before":             {of(0, 13), of(0, 13), qa.Count{Total: 1}, 0},
		"lines that ran were taken away": {of(3, 8), of(13, 17), qa.Count{Total: 1}, 0},
		"nothing that could run":         {of(0, 13), of(13, 13), qa.Count{}, 0},
		"base was not measured":          {of(0, 13), nil, qa.Count{Total: 1}, 0},
	} {
		patch := qa.PatchCoverage{Files: map[string]qa.Count{"a.ts": c.wrote}}
		assert.Equal(t, len(Forsaken(c.head, c.base, patch, []qa.FileChange{{Path: "a.ts", Status: qa.Modified}})), c.want, name)
	}
}
