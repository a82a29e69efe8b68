package mutant

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestGuarded: what hangs on the interpreter or on how the file is started is out of reach.
func TestGuarded(t *testing.T) {
	t.Parallel()
	const src = "import sys\n\n\ndef a(n):\n    if sys.version_info < (3, 8):\n        return n\n    else:\n        n += 1\n    if n:\n        return 2\n    return n\n\n\nif __name__ == \"__main__\":\n    a(1)\n"
	guarded := Guarded("a.py", []byte(src))
	assert.DeepEqual(t, guarded, []qa.Range{{Start: 5, End: 8}, {Start: 14, End: 15}})
	assert.DeepEqual(t, Reachable([]qa.Range{{Start: 4, End: 6}, {Start: 10, End: 10}}, guarded), []qa.Range{{Start: 4, End: 4}, {Start: 10, End: 10}})
	assert.Equal(t, len(Guarded("a.go", []byte("package a\n"))), 0)
}
