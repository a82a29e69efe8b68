package related

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
)

// What of a long function is shown.
const (
	longBody    = 120 // lines; a shorter function is shown whole
	signature   = 3   // lines at its beginning
	fewMentions = 12  // lines with a word of the change; a word with more of them says nothing
	smallGap    = 2   // lines between two parts that are shown all the same
)

var named = pattern.New(`[\pL_$][\pL\pN_$]+`)

// sliced is what of a long function a reader needs for a change in it: how it begins
// and ends, what stands around the changed lines and encloses them, and the lines that
// name what they name, each with the one that encloses it. A function that the change
// wrote more than half of is shown whole.
func (s Side) sliced(fn qa.Range) []qa.Range {
	lines := strings.Split(s.Source, "\n")
	if fn.Len() <= longBody || fn.End > len(lines) {
		return []qa.Range{fn}
	}
	changed, texts, _ := s.altered(lines)
	inside := slices.DeleteFunc(slices.Clone(changed), func(n int) bool { return !fn.Contains(n) })
	if 2*len(inside) > fn.Len() {
		return []qa.Range{fn}
	}
	wanted := map[int]bool{fn.End: true}
	want := func(from, to int) {
		for n := max(from, fn.Start); n <= min(to, fn.End); n++ {
			wanted[n] = true
		}
	}
	want(fn.Start, fn.Start+signature-1)
	for _, n := range inside {
		want(n-nearChange, n+nearChange)
		for _, outer := range enclosing(lines, fn, n) {
			wanted[outer] = true
		}
	}
	for _, n := range mentioning(strings.Split(string(Proseless(s.Path, []byte(s.Source))), "\n"), fn, texts) {
		wanted[n] = true
		// A line alone, such as "rest = next()", does not say of what case it is.
		if outer := enclosing(lines, fn, n); len(outer) > 0 {
			wanted[outer[0]] = true
		}
	}
	return Filled(wanted, fn)
}

// enclosing are the lines above one that are indented less than all between them.
func enclosing(lines []string, fn qa.Range, line int) []int {
	var out []int
	least := indent(lines[line-1])
	for n := line - 1; n >= fn.Start; n-- {
		if text := lines[n-1]; strings.TrimSpace(text) != "" && indent(text) < least {
			least = indent(text)
			out = append(out, n)
		}
	}
	return out
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// mentioning are lines of a function whose code has a word of the changed lines that is
// not everywhere in it.
func mentioning(lines []string, fn qa.Range, texts []string) []int {
	places := map[string][]int{}
	for n := fn.Start; n <= fn.End; n++ {
		for _, w := range named.FindAllString(lines[n-1], -1) {
			if at := places[w]; len(at) == 0 || at[len(at)-1] != n {
				places[w] = append(at, n)
			}
		}
	}
	var out []int
	for _, text := range texts {
		for _, w := range named.FindAllString(text, -1) {
			if len(places[w]) <= fewMentions {
				out = append(out, places[w]...)
			}
		}
	}
	return out
}

// Filled are lines that are wanted, with the small gaps between them, as ranges.
func Filled(wanted map[int]bool, fn qa.Range) []qa.Range {
	var out []qa.Range
	for n := fn.Start; n <= fn.End; n++ {
		switch last := len(out) - 1; {
		case !wanted[n]:
		case last >= 0 && n-out[last].End <= smallGap+1:
			out[last].End = n
		default:
			out = append(out, qa.Range{Start: n, End: n})
		}
	}
	return out
}

// altered are the lines that a change wrote and those before which it took lines away,
// once for each that it took, and what they say or said: first those that it wrote.
func (s Side) altered(lines []string) (at []int, texts []string, written int) {
	var gone []change.Gone
	if s.Before == "" {
		for _, r := range s.Added {
			for n := r.Start; n <= r.End; n++ {
				at = append(at, n)
			}
		}
	} else {
		gone, at = s.compared()
	}
	at = slices.DeleteFunc(at, func(n int) bool { return n > len(lines) })
	for _, n := range at {
		texts = append(texts, lines[n-1])
	}
	written = len(texts)
	for _, g := range gone {
		for _, text := range g.Lines {
			at, texts = append(at, g.At), append(texts, text)
		}
	}
	return at, texts, written
}
