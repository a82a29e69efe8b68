package builtin

import (
	"errors"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// TestCoverageGapReadsWhatItNeeds: structure is read where a changed line is missed, and
// nowhere else; what is beyond the reader is told there, for it may have a gap.
func TestCoverageGapReadsWhatItNeeds(t *testing.T) {
	t.Parallel()
	const src = "package a\n\nfunc A(n int) int {\n\tn++\n\tn++\n\tn++\n\treturn n\n}\n"
	hit := func(taken ...uint32) (out []qa.LineHit) {
		for i, n := range taken {
			out = append(out, qa.LineHit{Line: int32(4 + i), Hits: n}) //nolint:gosec // few
		}
		return out
	}
	for name, c := range map[string]struct {
		lines      []qa.LineHit
		all        bool
		kind       qa.Kind
		read, gaps int
	}{
		"all of it runs":           {hit(1, 1, 1, 1), false, qa.KindSource, 0, 0},
		"nothing runs":             {hit(0, 0, 0, 0), false, qa.KindSource, 1, 1},
		"what did not change":      {hit(1, 1, 1, 0), false, qa.KindSource, 0, 0},
		"that, of all":             {hit(0, 0, 0, 1), true, qa.KindSource, 1, 1},
		"one line of several":      {hit(0, 1, 1, 1), false, qa.KindSource, 1, 0},
		"a branch":                 {[]qa.LineHit{{Line: 4, Hits: 1, Branches: 2, BranchesTaken: 1}}, false, qa.KindSource, 1, 0},
		"it is a test":             {hit(0, 0, 0, 0), false, qa.KindTest, 0, 0},
		"of it nothing is counted": {nil, false, qa.KindSource, 0, 0},
	} {
		reads, beyond := 0, error(nil)
		run := func() ([]engine.Hit, error) {
			change := qa.FileChange{Path: "a.go", Language: "go", Kind: c.kind, Status: qa.Modified, Added: []qa.Range{{Start: 4, End: 6}}}
			s := engine.Subject{Change: qa.Change{All: c.all, Files: []qa.FileChange{change}}, Coverage: &qa.Coverage{}, Outline: func(path string, src []byte) (qa.Outline, error) {
				if reads++; beyond != nil {
					return qa.Outline{}, beyond
				}
				return outline.Parse(path, src)
			}}
			if c.lines != nil {
				s.Coverage.Files = []qa.FileCoverage{{Path: "a.go", Lines: c.lines}}
			}
			return runCoverageGap(t.Context(), &engine.Pass{Subject: s, Files: []*engine.File{s.File(change, []byte(src))}})
		}
		hits, err := run()
		assert.NilError(t, err, name)
		assert.Equal(t, reads, c.read, name)
		assert.Equal(t, len(hits), c.gaps, name)
		beyond = &syntax.UnreadError{Path: "a.go", Err: errors.New("too deep")}
		_, err = run()
		assert.Equal(t, err != nil, c.read > 0, "%s: %v", name, err)
	}
}
