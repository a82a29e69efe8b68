package markdown

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestMermaidInventsNothing: what is unknown is never drawn as zero.
func TestMermaidInventsNothing(t *testing.T) {
	t.Parallel()
	n := func(v int) *int { return &v }
	half, odd := 0.5, 0.57 // of which a float's hundredths are 56.99
	head := "xychart-beta\n  title \"Score (bars) and coverage in % (line)\"\n  x-axis \"runs, 0 is this one\" [-2, -1, 0]\n  y-axis \"0 to 100\" 0 --> 100\n"
	for want, points := range map[string][]qa.TrendPoint{
		"  bar [70, 70, 0]\n  line [50, 50, 50]\n": {{}, {Score: n(70), Coverage: &half}, {Score: n(0)}},
		"  bar [1, 1, 1]\n":                        {{Score: n(1)}, {}, {}},
		"  line [57, 57, 57]\n":                    {{Coverage: &odd}, {}, {}},
		"":                                         {{}, {}, {}},
	} {
		assert.Equal(t, mermaid(points), head+want)
	}
}
