package related

import (
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/edit"
)

// holders are the lines with which classes and blocks begin that hold tests, and which of
// them are shown.
type holders struct {
	lines []string
	shown map[int]bool
}

func newHolders(src []byte) holders {
	return holders{strings.Split(string(src), "\n"), map[int]bool{}}
}

// around are the lines that one stands within, the inner ones first.
func (h holders) around(line int) []int {
	if line < 1 || line > len(h.lines) {
		return nil
	}
	return enclosing(h.lines, qa.Range{Start: 1, End: len(h.lines)}, line)
}

// begin is what is shown before the first test: without the class or block that it stands
// in where no test of that is shown.
func (h holders) begin(head string, all []edit.Test, fits map[int]bool) string {
	around := h.around(all[0].Lines.Start)
	if len(around) == 0 {
		return head
	}
	outer := around[len(around)-1]
	for i, t := range all {
		if in := h.around(t.Lines.Start); fits[i] && len(in) > 0 && in[len(in)-1] == outer {
			for _, n := range around {
				h.shown[n] = true
			}
			return head
		}
	}
	before := strings.TrimRight(strings.Join(h.lines[:outer-1], "\n"), " \t\n")
	if len(before) < len(head) {
		return before
	}
	return head
}

// of are the lines that one stands within and that were not shown yet.
func (h holders) of(line int) string {
	text := ""
	for _, n := range h.around(line) {
		if !h.shown[n] {
			h.shown[n] = true
			text = h.lines[n-1] + "\n" + text
		}
	}
	return text
}
