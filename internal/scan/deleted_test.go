package scan

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// What a deleted file took along can be missed: a claim about it is a finding of the
// change, without a line. A line of it is none, and what is excluded stays so.
func TestFindingsOfDeletedFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit  func(*qa.FileChange, *Request)
		lines qa.Range
		want  int
	}{
		"deleted":   {func(*qa.FileChange, *Request) {}, qa.Range{}, 1},
		"a line":    {func(*qa.FileChange, *Request) {}, qa.Range{Start: 3, End: 3}, 0},
		"excluded":  {func(f *qa.FileChange, r *Request) { r.Exclude = []string{"*.go"} }, qa.Range{}, 0},
		"generated": {func(f *qa.FileChange, r *Request) { f.Generated = true }, qa.Range{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := changed(t, "app.go", app, qa.Range{Start: 1, End: 9})
			gone := qa.FileChange{Path: "guard.go", Status: qa.Deleted, Kind: qa.KindSource, Language: "go", Removed: 9}
			c.edit(&gone, &req)
			req.Change.Files = append(req.Change.Files, gone)
			res := settled(t, req, engine.Hit{Rule: "model/lost-check", Engine: "model", Path: "guard.go", Lines: c.lines, Severity: qa.High, Perspectives: []qa.Perspective{qa.Bug}, Message: "nobody checks any more"})
			assert.Equal(t, len(res.Findings), c.want, "%v", res.Folded)
			if c.want > 0 {
				assert.Equal(t, res.Findings[0].Status, qa.StatusNew)
				assert.Equal(t, res.Findings[0].Lines, qa.Range{})
			}
		})
	}
}
