package strategist

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestAlike: an edit that stands in three functions or more is asked about once, of the
// riskiest; one with a finding is asked about by itself, and so are two.
func TestAlike(t *testing.T) {
	t.Parallel()
	of := func(symbol string, findings ...string) qa.Focus {
		return qa.Focus{Path: "a.go", Symbol: symbol, Lines: qa.Range{Start: int(symbol[0])}, Findings: findings}
	}
	edits := func(edits string) Input {
		return Input{Edits: func(string) func(qa.Range) string {
			return func(within qa.Range) string { return strings.Trim(edits[within.Start-'a':][:1], " ") }
		}}
	}
	for name, tc := range map[string]struct {
		edits string // of a, b, c, d; blank is one that says too little
		all   []qa.Focus
		want  string
	}{
		"three":               {"xxyx", []qa.Focus{of("a"), of("b"), of("c"), of("d")}, "a b<a c d<a"},
		"two":                 {"xyx ", []qa.Focus{of("a"), of("b"), of("c"), of("d")}, "a b c d"},
		"too little":          {"    ", []qa.Focus{of("a"), of("b"), of("c"), of("d")}, "a b c d"},
		"one with a finding":  {"xxxx", []qa.Focus{of("a", "F1"), of("b"), of("c"), of("d")}, "a b c<b d<b"},
		"two without finding": {"xxx ", []qa.Focus{of("a", "F1"), of("b"), of("c")}, "a b c"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range alike(edits(tc.edits), tc.all) {
				text := f.Symbol
				if f.Like != "" {
					text += "<" + strings.TrimSuffix(f.Like, " of a.go")
					assert.Assert(t, len(f.Reasons) == 1, "the report says so")
				}
				got = append(got, text)
			}
			assert.Equal(t, strings.Join(got, " "), tc.want)
		})
	}
}
