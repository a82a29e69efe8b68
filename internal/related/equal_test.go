package related

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestEdit: the same edit is the same text wherever it stands, white space aside; what is
// but brackets and short words says nothing.
func TestEdit(t *testing.T) {
	t.Parallel()
	s := Side{
		Path:   "a.py",
		Before: "def a(x):\n    return legacy(x)\n\ndef b(x):\n    if x:\n        return  legacy(x)\n\ndef c(x):\n    return legacy(x, 1)\n\ndef d(x):\n    if x:\n        y()\n",
		Source: "def a(x):\n    return modern(x)\n\ndef b(x):\n    if x:\n        return modern(x)\n\ndef c(x):\n    return modern(x, 1)\n\ndef d(x):\n    if 1:\n        y()\n",
	}
	at := func(from, to int) string { return s.edit(qa.Range{Start: from, End: to}) }
	assert.Equal(t, at(1, 2), "-return legacy(x)\n+return modern(x)")
	assert.Equal(t, at(4, 6), at(1, 2))
	assert.Assert(t, at(8, 9) != at(1, 2))
	assert.Equal(t, at(11, 13), "")
}
