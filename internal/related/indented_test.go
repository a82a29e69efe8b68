package related

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/change"
)

// A line that only moved to the right is not told twice, where something else moved it;
// what changed in nothing but its space is told, and so is everything in Python.
func TestLinesThatMovedAreNotToldTwice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, before, after, want string }{
		"into a block":   {"a.js", "a();\nb();\nc();\n", "a();\nif (x) {\n  b();\n}\nc();\n", "  a();\n+ if (x) {\n    b();\n+ }\n  c();\n"},
		"out of a block": {"a.go", "a()\nif x {\n\tb()\n}\nc()\n", "a()\nb()\nc()\n", "  a()\n- if x {\n  b()\n- }\n  c()\n"},
		"and changed":    {"a.js", "a();\nb(1);\nc();\n", "a();\nif (x) {\n  b(2);\n}\nc();\n", "  a();\n- b(1);\n+ if (x) {\n+   b(2);\n+ }\n  c();\n"},
		"space alone":    {"a.js", "a(`\n  b`);\n", "a(`\n    b`);\n", "  a(`\n-   b`);\n+     b`);\n"},
		"python":         {"a.py", "a()\nb()\n", "if x:\n    a()\nb()\n", "- a()\n+ if x:\n+     a()\n  b()\n"},
		"its old space":  {"a.js", "  a();\n    b();\n", "x();\n    a();\n", "-     b();\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows := strings.Join(Side{Path: c.path, Before: c.before, Source: c.after}.Rows(), "")
			if name == "its old space" {
				assert.Assert(t, strings.Contains(rows, c.want), rows)
				return
			}
			assert.Equal(t, rows, c.want)
		})
	}
}

// Whatever moved, what was taken away put back in the place of what was written gives the
// file as it was, but for the space before its lines.
func TestComparedLosesNothing(t *testing.T) {
	t.Parallel()
	text := rapid.Custom(func(t *rapid.T) string {
		line := rapid.SampledFrom([]string{"a", "  a", "b", "    b", "}", "  }", "", "c {"})
		return strings.Join(rapid.SliceOfN(line, 0, 14).Draw(t, "lines"), "\n") + "\n"
	})
	rapid.Check(t, func(t *rapid.T) {
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		gone, written := Side{Path: "a.js", Before: before, Source: after}.compared()
		at := map[int][]string{}
		for _, g := range gone {
			at[g.At] = append(at[g.At], g.Lines...)
		}
		var back []string
		lines := strings.Split(strings.TrimSuffix(after, "\n"), "\n")
		for i := range len(lines) + 1 {
			back = append(back, at[i+1]...)
			if i < len(lines) && !slices.Contains(written, i+1) {
				back = append(back, lines[i])
			}
		}
		if got := unindented(strings.Join(back, "\n") + "\n"); got != unindented(before) {
			t.Fatalf("%q of %q and %q, gone %v, written %v", got, before, after, gone, written)
		}
		all, _ := change.Compared([]byte(before), []byte(after))
		if before != after && len(all) > 0 && len(gone)+len(written) == 0 {
			t.Fatal("a change that is told nowhere")
		}
	})
}
