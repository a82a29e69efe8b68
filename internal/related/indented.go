package related

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/language"
)

// braced are the languages in which the space that a line begins with says nothing.
var braced = []string{"javascript", "typescript", "go", "java", "rust"}

// compared is what the change took away and wrote, by one comparison. Lines that only
// stand further in or out than before, around which something else changed, are no part
// of it where their language has braces: what moved them is shown, and they are not shown
// twice.
func (s Side) compared() (gone []change.Gone, written []int) {
	gone, written = change.Compared([]byte(s.Before), []byte(s.Source))
	if !slices.Contains(braced, language.Of(s.Path).Name) {
		return gone, written
	}
	less, fewer := change.Compared([]byte(unindented(s.Before)), []byte(unindented(s.Source)))
	before := strings.Split(s.Before, "\n")
	for i, g := range less { // with the space that they had
		less[i].Lines = before[g.First-1 : g.First-1+len(g.Lines)]
	}
	var outGone []change.Gone
	var outWritten []int
	placed := 0 // the two comparisons may take different lines for equal ones
	for _, b := range blocks(gone, written) {
		left := block{from: b.from, to: b.to}
		left.gone = slices.DeleteFunc(slices.Clone(less), func(g change.Gone) bool { return g.At < b.from || g.At > b.to })
		left.written = slices.DeleteFunc(slices.Clone(fewer), func(n int) bool { return n < b.from || n >= b.to })
		placed += len(left.gone) + len(left.written)
		if left.growth() != b.growth() {
			return gone, written
		}
		if len(left.gone)+len(left.written) == 0 {
			left = b // nothing but the space changed, which may be a text's
		}
		outGone, outWritten = append(outGone, left.gone...), append(outWritten, left.written...)
	}
	if placed != len(less)+len(fewer) {
		return gone, written
	}
	return outGone, outWritten
}

// block is a place of a file that changed: what was taken away before the lines from one
// to another, and what was written there.
type block struct {
	from, to int // the line behind the last one
	gone     []change.Gone
	written  []int
}

// growth is how many lines the place has more than before.
func (b block) growth() int {
	n := len(b.written)
	for _, g := range b.gone {
		n -= len(g.Lines)
	}
	return n
}

// blocks are the places that changed, in their order.
func blocks(gone []change.Gone, written []int) []block {
	var out []block
	for _, n := range written {
		if last := len(out) - 1; last >= 0 && out[last].to == n {
			out[last].to, out[last].written = n+1, append(out[last].written, n)
		} else {
			out = append(out, block{from: n, to: n + 1, written: []int{n}})
		}
	}
	for _, g := range gone {
		at := slices.IndexFunc(out, func(b block) bool { return g.At >= b.from && g.At <= b.to })
		if at < 0 {
			out = append(out, block{from: g.At, to: g.At, gone: []change.Gone{g}})
			continue
		}
		out[at].gone = append(out[at].gone, g)
	}
	slices.SortStableFunc(out, func(a, b block) int { return a.from - b.from })
	return out
}

// unindented is a text without the space that its lines begin with.
func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, " \t")
	}
	return strings.Join(lines, "\n")
}
