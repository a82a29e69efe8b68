package markdown

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// A file that the model never saw is not listed as reviewed by it.
func TestReviewedByWhom(t *testing.T) {
	t.Parallel()
	m := qa.Manifest{Reviewed: []string{"a.go", "b.md", "c.go"}, Engines: []qa.Engine{{Name: "secrets", State: "ran"}}}
	assert.DeepEqual(t, reviewedWords(m), []string{"reviewed 3 files: `a.go`, `b.md`, `c.go`"})
	m.Engines = append(m.Engines, qa.Engine{Name: "model", State: "ran", Reviewed: []string{"a.go", "c.go"}})
	assert.DeepEqual(t, reviewedWords(m), []string{"reviewed 2 files by the model: `a.go`, `c.go`", "reviewed 1 file by rules alone, without the model: `b.md`"})
	m.Engines[1].Reviewed, m.Engines[1].Alike = []string{"a.go"}, map[string]string{"c.go": "a.go"}
	assert.DeepEqual(t, reviewedWords(m), []string{"reviewed 1 file by the model: `a.go`", "reviewed 1 file by the model in `a.go` alone, which has the same edit: `c.go`", "reviewed 1 file by rules alone, without the model: `b.md`"})
	m.Engines[1].Alike = nil
	m.Engines[1].Reviewed, m.Engines[1].Unseen = nil, map[string]string{"a.go": "no answer"}
	assert.DeepEqual(t, reviewedWords(m), []string{"reviewed 3 files by rules alone, without the model: `a.go`, `b.md`, `c.go`"})
	m.Engines[1].Unseen = nil // a report of earlier versions does not say
	assert.DeepEqual(t, reviewedWords(m), []string{"reviewed 3 files: `a.go`, `b.md`, `c.go`"})
	assert.Equal(t, len(reviewedWords(qa.Manifest{})), 0)
}
