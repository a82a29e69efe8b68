package related

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/org/qa-action/internal/qa"
)

// fewestLetters is how many letters and digits an edit has that says something by itself:
// brackets and short words are everywhere.
const fewestLetters = 12

// Edits gives what the change did within lines of a file, white space aside: lines that
// it took away and lines that it wrote, in order. It is empty where that says too little
// to be known again elsewhere.
func Edits(ctx context.Context, c *Code, path string) func(within qa.Range) string {
	file, ok := c.o.Change.File(path)
	src, err := c.o.Read(path)
	before := c.o.Before(ctx, file)
	if !ok || err != nil || before == nil {
		return func(qa.Range) string { return "" }
	}
	s := Side{Path: path, Source: string(src), Before: string(before)}
	return func(within qa.Range) string { return s.edit(within) }
}

// edit is what the change did within lines.
func (s Side) edit(within qa.Range) string {
	gone, written := s.compared()
	lines := strings.Split(s.Source, "\n")
	var out []string
	for n := within.Start; n <= within.End; n++ {
		for _, g := range gone {
			if g.At == n {
				out = append(out, marked(g.Lines, "-")...)
			}
		}
		if _, ok := slices.BinarySearch(written, n); ok && n <= len(lines) {
			out = append(out, marked(lines[n-1:n], "+")...)
		}
	}
	text := strings.Join(out, "\n")
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
	if len(letters) < fewestLetters {
		return ""
	}
	return text
}

// marked are lines with a mark and one space between their words; those without words say
// nothing.
func marked(lines []string, mark string) (out []string) {
	for _, line := range lines {
		if text := strings.Join(strings.Fields(line), " "); text != "" {
			out = append(out, mark+text)
		}
	}
	return out
}
