package scout

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

// A rewrite of a large file is shown in pieces that together have every line once,
// beside the head; a small change of it in one.
func TestPieces(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	for n := 1; n <= 9000; n++ {
		fmt.Fprintf(&source, "const line%d = %d;\n", n, n)
	}
	f := shownFile{Side: related.Side{Path: "big.js", Source: source.String(), Added: []qa.Range{{Start: 1, End: 9000}}}}
	notes := unseen{}
	pieces := f.pieces(notes)
	var all strings.Builder
	for _, p := range pieces {
		text := marked(p)
		assert.Assert(t, len(text) <= maxExcerpt+100, "%d characters", len(text))
		all.WriteString(text)
	}
	for n := 1; n <= 9000; n++ {
		assert.Equal(t, strings.Count(all.String(), fmt.Sprintf("+ const line%d = %d;\n", n, n)), 1, n)
	}
	assert.Assert(t, len(pieces) > 1 && len(notes) == 0)
	f.Added = []qa.Range{{Start: 8000, End: 8001}}
	assert.Equal(t, len(f.pieces(notes)), 1)
	assert.Assert(t, strings.Contains(marked(f), "+ const line8001 = 8001;"))

	// A line that cannot be shown whole is said.
	f.Source += strings.Repeat("x", 2001) + "\n"
	f.Added = append(f.Added, qa.Range{Start: 9001, End: 9001})
	assert.Equal(t, len(f.pieces(notes)), 1)
	assert.Equal(t, notes["big.js"], "a changed line is too long to be shown whole")

	notes = unseen{}
	notes.without(pieces, pieces[1:], "no tokens")
	assert.DeepEqual(t, notes, unseen{"big.js": "no tokens"})
}
