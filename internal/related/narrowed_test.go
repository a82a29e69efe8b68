package related

import (
	"context"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestNarrowed: of a file are shown the functions that a claim is about, those of the change
// that have to do with them, and constants that the change names; a short one stays whole.
func TestNarrowed(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("    n += 1\n", 30)
	const names = "LIMIT = 3\n\n\n"
	text := names + "def claimed(n):\n    n = helper(n)\n    return n + LIMIT\n\n\ndef other(n):\n" + body + "    return n + 2\n\n\ndef helper(n):\n" + body + "    return n\n\n\ndef user(n):\n" + body + "    return claimed(n)\n"
	before := strings.NewReplacer("n = helper(n)", "n = n", "return n + 2", "return n", body+"    return n\n", body+"    return n - 1\n", "return claimed(n)", "return claimed(n) + 1").Replace(text)
	var added []qa.Range
	for i, line := range strings.Split(text, "\n") {
		if line != strings.Split(before, "\n")[i] {
			added = append(added, qa.Range{Start: i + 1, End: i + 1})
		}
	}
	file := qa.FileChange{Path: "a.py", Status: qa.Modified, Kind: qa.KindSource, Added: added}
	c := code(t, map[string]string{"a.py": text}, qa.Change{Base: "base", Files: []qa.FileChange{file}})
	c.o.Content = func(context.Context, string, string) ([]byte, error) { return []byte(before), nil }
	side, _ := c.Side(t.Context(), file, []byte(text))
	for _, all := range []string{"def claimed", "def other", "def helper", "def user"} {
		assert.Assert(t, strings.Contains(side.Text(), all), side.Text())
	}
	narrow, about := Narrowed(c, side, []qa.Range{{Start: 5, End: 5}})
	assert.DeepEqual(t, about, []string{"claimed"})
	shown := narrow.Text()
	for _, want := range []string{"+     n = helper(n)", "def helper", "def user", "+     return claimed(n)"} {
		assert.Assert(t, strings.Contains(shown, want), shown)
	}
	assert.Assert(t, !strings.Contains(shown, "other"), shown)

	short := Side{Path: "a.py", Source: "a = 1\n"}
	whole, _ := Narrowed(c, short, []qa.Range{{Start: 1, End: 1}})
	assert.Equal(t, whole.Text(), short.Text())
}
