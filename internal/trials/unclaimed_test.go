package trials

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

// TestUnclaimedStandsAtItsTarget: a difference of something that no test was asked for, as
// of a class without a method, stands at its lines.
func TestUnclaimedStandsAtItsTarget(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(root, "a.py"), []byte("def first():\n    pass\n\n\nclass Closed(Event):\n    pass\n"), 0o600))
	s := Proofs{
		Code: related.New(checkout.Checkout{Root: root}), Focus: []qa.Focus{{Path: "a.py", Symbol: "first", Lines: qa.Range{Start: 1, End: 2}}},
		All: []Proof{{Proof: qa.Proof{Test: "test_hash", Path: "test_a.py", Base: qa.Passed, Head: qa.Failed, Regression: true}, Source: "a.py", Target: "Closed"}},
	}
	got := s.Show(nil)
	assert.Equal(t, len(got), 1)
	assert.Equal(t, got[0].Symbol, "Closed")
	assert.Equal(t, got[0].Lines, qa.Range{Start: 5, End: 5})
}
