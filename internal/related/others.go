package related

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
)

// leaveOut decides what is shown of functions that the change did not touch, beside those
// that it did: of the same class how they begin, which tells what there is to call, and its
// constructor, which tells what an object holds; of others nothing, as what is called of
// them is told by itself.
func (s *Side) leaveOut(others, touched []qa.Function) {
	lines := strings.Split(s.Source, "\n")
	for _, fn := range others {
		if slices.ContainsFunc(s.Whole, func(r qa.Range) bool { return r.Start <= fn.Lines.Start && fn.Lines.End <= r.End }) {
			continue
		}
		at := qa.Range{Start: documented(lines, fn.Lines.Start), End: fn.Lines.End}
		for at.End < len(lines) && strings.TrimSpace(lines[at.End]) == "" {
			at.End++ // one sign stands for several that follow each other
		}
		class := holder(fn.Name)
		switch {
		case class == "" || !slices.ContainsFunc(touched, func(t qa.Function) bool { return holder(t.Name) == class }):
			s.Hidden = append(s.Hidden, at)
		case outline.CalledAs(fn.Name) != fn.Name && fn.Lines.Len() <= namedBody:
			s.Whole = append(s.Whole, fn.Lines)
		default:
			s.Hidden = append(s.Hidden, qa.Range{Start: at.Start, End: fn.Lines.Start - 1}, qa.Range{Start: fn.Lines.Start + 1, End: at.End})
		}
	}
}

// holder is what a function stands in: a class, a type or another function; empty for one
// that stands alone.
func holder(name string) string { return name[:max(0, strings.LastIndexByte(name, '.'))] }

// documented is the first line of the comment right above a line, or that line.
func documented(lines []string, line int) int {
	for line > 1 && line <= len(lines) && language.Comment(lines[line-2]) {
		line--
	}
	return line
}
