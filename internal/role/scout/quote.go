package scout

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Bounds of what a quote must have to be found.
const (
	shortestQuote = 3 // characters in all
	shortestPart  = 6 // characters of a line of which only a part is quoted
)

// place finds a quote in the file, with the marks of our own rendering or without
// them. Of several lines those that the change wrote are meant; what it took away is
// placed where it stood, also where the same stands elsewhere still, and nowhere where
// the whole file is gone.
func place(f shownFile, quote string) (qa.Range, bool) {
	lines := strings.Split(f.Source, "\n")
	for _, text := range []string{quote, plus.ReplaceAllString(quote, ""), plus.ReplaceAllString(withoutGone(quote), "")} {
		if at, ok := find(lines, text, f.Added); ok && !f.Deleted {
			if was, ok := lacking(f, quote); ok && writtenIn(f.Added, at) == 0 {
				return was, true
			}
			return narrowed(at, f), true
		}
	}
	if was, ok := lacking(f, quote); ok || f.Before == "" || f.Deleted {
		return was, ok
	}
	return across(f, quote)
}

// lacking is where lines stood that a quote repeats and that the change took away.
func lacking(f shownFile, quote string) (qa.Range, bool) {
	if f.Before == "" {
		return qa.Range{}, false
	}
	before := strings.Split(f.Before, "\n")
	removed := change.Removed([]byte(f.Before), []byte(f.Source))
	var gone []qa.Range
	for _, g := range removed {
		gone = append(gone, qa.Range{Start: g.First, End: g.First + len(g.Lines) - 1})
	}
	was, ok := find(before, quote, gone)
	if !ok {
		was, ok = find(before, unmarked.ReplaceAllString(quote, ""), gone)
	}
	if f.Deleted || !ok {
		return qa.Range{}, ok
	}
	last := len(strings.Split(strings.TrimSuffix(f.Source, "\n"), "\n"))
	for i, g := range removed {
		if was.Overlaps(gone[i]) {
			at := min(g.At, last)
			return qa.Range{Start: at, End: at}, true
		}
	}
	return qa.Range{}, false
}

// across finds a quote that goes from lines which the change took away to those that it
// wrote, as they are shown: each below what stood in its place.
func across(f shownFile, quote string) (qa.Range, bool) {
	var texts []string
	var at []int
	var fresh []qa.Range // by rows
	for i, row := range f.Rows() {
		for line := range strings.Lines(row) {
			texts, at = append(texts, line[2:]), append(at, i+1)
			if line[0] == '+' {
				fresh = append(fresh, qa.Range{Start: len(texts), End: len(texts)})
			}
		}
	}
	for _, text := range []string{quote, marks.ReplaceAllString(quote, "")} {
		if rows, ok := find(texts, text, fresh); ok {
			last := len(strings.Split(strings.TrimSuffix(f.Source, "\n"), "\n"))
			return narrowed(qa.Range{Start: min(at[rows.Start-1], last), End: min(at[rows.End-1], last)}, f), true
		}
	}
	return qa.Range{}, false
}

// The marks with which files are shown.
var (
	plus     = pattern.New(`(?m)^\s*\+ ?`)
	unmarked = pattern.New(`(?m)^\s*- ?`)
	marks    = pattern.New(`(?m)^\s*[-+] ?`)
)

// withoutGone are the lines of a quote that are not marked as taken away.
func withoutGone(quote string) string {
	kept := slices.DeleteFunc(strings.Split(quote, "\n"), func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "- ") })
	return strings.Join(kept, "\n")
}

// narrowed are the lines from the first to the last that the change wrote of some: the
// others were quoted to tell the place.
func narrowed(at qa.Range, f shownFile) qa.Range {
	out := qa.Range{}
	for n := at.Start; n <= at.End; n++ {
		if f.Wrote(n) {
			if out.Start == 0 {
				out.Start = n
			}
			out.End = n
		}
	}
	if out.Start == 0 {
		return at
	}
	return out
}

// find finds the lines that a quote repeats, white space aside. Where they stand
// several times, those are meant of which the change wrote most, then the first ones.
// A part of a line is found only where it can be nothing else: in one line, or in one
// that the change wrote.
func find(lines []string, quote string, added []qa.Range) (qa.Range, bool) {
	var want []string
	for line := range strings.Lines(quote) {
		if line = wording.Fold(line); line != "" {
			want = append(want, line)
		}
	}
	if len(want) == 0 || len(strings.Join(want, "")) < shortestQuote {
		return qa.Range{}, false
	}
	have := make([]string, len(lines))
	for i, line := range lines {
		have[i] = wording.Fold(line)
	}
	best, most := qa.Range{}, -1
	for i := range have {
		if end := repeats(have[i:], want); end > 0 {
			at := qa.Range{Start: i + 1, End: i + end}
			if n := writtenIn(added, at); n > most {
				best, most = at, n
			}
		}
	}
	if most < 0 && len(want) == 1 && len(want[0]) >= shortestPart {
		return part(have, want[0], added)
	}
	return best, most >= 0
}

// repeats is how many lines the text takes at the beginning of lines, 0 when it does
// not stand there. Empty lines between its lines do not count.
func repeats(lines, text []string) int {
	matched := 0
	for i, line := range lines {
		switch {
		case matched == len(text):
			return i
		case line == "" && matched > 0:
		case line != text[matched]:
			return 0
		default:
			matched++
		}
	}
	if matched < len(text) {
		return 0
	}
	return len(lines)
}

// part finds the one line that holds a text, or the one of those that do which the
// change wrote.
func part(lines []string, text string, added []qa.Range) (qa.Range, bool) {
	var all, fresh []qa.Range
	for i, line := range lines {
		if at := (qa.Range{Start: i + 1, End: i + 1}); strings.Contains(line, text) {
			if all = append(all, at); writtenIn(added, at) > 0 {
				fresh = append(fresh, at)
			}
		}
	}
	switch {
	case len(fresh) == 1:
		return fresh[0], true
	case len(all) == 1:
		return all[0], true
	}
	return qa.Range{}, false
}

// writtenIn counts the lines of a range that the change wrote.
func writtenIn(added []qa.Range, at qa.Range) (n int) {
	for line := at.Start; line <= at.End; line++ {
		for _, a := range added {
			if a.Contains(line) {
				n++
				break
			}
		}
	}
	return n
}
