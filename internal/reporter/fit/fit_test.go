package fit

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestEveryCutIsCounted: a list that is cut says k of n and shows k.
func TestEveryCutIsCounted(t *testing.T) {
	t.Parallel()
	s := Section{Title: "list", Noun: "things", Open: "open\n", Close: "close\n"}
	for i := range 300 {
		s.Items = append(s.Items, Item{Full: fmt.Sprintf("- thing %03d\n", i)})
	}
	whole := len(s.rendered(300))
	for budget := 300; budget < whole+200; budget += 7 {
		out := Sections([]Section{s}, budget)
		assert.Assert(t, len(out) <= budget)
		shown := strings.Count(out, "- thing")
		switch {
		case shown == 300:
			assert.Assert(t, !strings.Contains(out, " of 300"))
		case shown == 0:
			assert.Assert(t, strings.Contains(out, "Left out for length (0 of 1 parts shown): list."), out)
		default:
			assert.Assert(t, strings.Contains(out, fmt.Sprintf("%d of 300 things shown", shown)), out)
			assert.Assert(t, strings.HasSuffix(out, "close\n"), out)
		}
	}
}
