package related

import (
	"context"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/wrote"
)

// Edits gives what the change did within lines of a file, white space aside: lines that
// it took away and lines that it wrote, in order. It is empty where that says too little
// to be known again elsewhere.
func Edits(ctx context.Context, c *Code, path string) func(within qa.Range) string {
	return told(ctx, c, path, Side.edit)
}

// Forms is [Edits] for who asks about an edit once: where in all lines that the change wrote
// nothing but names became others, in code too and each alone, it is these names with what
// became of each, whatever else the lines say.
func Forms(ctx context.Context, c *Code, path string) func(within qa.Range) string {
	return told(ctx, c, path, func(s Side, within qa.Range) string {
		return s.form(within, func() []string { return codeLines(c, path, qa.Range{Start: 1, End: strings.Count(s.Source, "\n") + 1}) })
	})
}

func told(ctx context.Context, c *Code, path string, tell func(Side, qa.Range) string) func(within qa.Range) string {
	file, ok := c.o.Change.File(path)
	src, err := c.o.Read(path)
	before := c.o.Before(ctx, file)
	if !ok || err != nil || before == nil {
		return func(qa.Range) string { return "" }
	}
	s := Side{Path: path, Source: string(src), Before: string(before)}
	return func(within qa.Range) string { return tell(s, within) }
}

// edit is what the change did within lines.
func (s Side) edit(within qa.Range) string {
	gone, written := s.compared()
	lines := strings.Split(s.Source, "\n")
	var out []string
	for n := within.Start; n <= min(within.End, len(lines)+1); n++ {
		for _, g := range gone {
			if g.At == n {
				out = append(out, wrote.Marked(g.Lines, "-")...)
			}
		}
		if _, ok := slices.BinarySearch(written, n); ok && n <= len(lines) {
			out = append(out, wrote.Marked(lines[n-1:n], "+")...)
		}
	}
	return wrote.Telling(out)
}

// form is the edit within lines, and where it only gives names in place of others these, each
// once. Code are the lines of the file without comments and texts.
func (s Side) form(within qa.Range, code func() []string) string {
	gone, written := s.compared()
	lines := strings.Split(s.Source, "\n")
	var all wrote.Renames
	for _, b := range blocks(gone, written) {
		var was, is, bare []string
		for _, g := range b.gone {
			if within.Contains(g.At) {
				was = append(was, wrote.Marked(g.Lines, "")...)
			}
		}
		for _, n := range b.written {
			if within.Contains(n) && n <= len(lines) && strings.TrimSpace(lines[n-1]) != "" {
				is, bare = append(is, wrote.Marked(lines[n-1:n], "")...), append(bare, code()[n-1])
			}
		}
		if !all.Add(was, is, bare) {
			return s.edit(within)
		}
	}
	if text, ok := all.Told(); ok {
		return text
	}
	return s.edit(within)
}
