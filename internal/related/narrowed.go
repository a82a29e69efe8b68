package related

import (
	"slices"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
)

// Narrowed is of a file what a claim about some of its lines hangs on: the functions that
// they stand in, those of the change that call these or are called by them, small ones
// beside them, and what is declared outside of functions and shown already; around lines
// outside of functions what is near. About are the functions that the lines stand in. A
// short file stays whole.
func Narrowed(c *Code, s Side, lines []qa.Range) (out Side, about []string) {
	var part []qa.Range
	graph := c.graph()
	claimed := func(fn qa.Function) bool { return slices.ContainsFunc(lines, fn.Lines.Overlaps) }
	for _, fn := range s.functions {
		if claimed(fn) {
			about = append(about, fn.Name)
			part = append(append(part, s.sliced(fn.Lines)...), beside(graph, s.Path, fn.Name)...)
		}
	}
	if s.short() {
		return s, about
	}
	for _, fn := range s.functions {
		if claimed(fn) || !slices.ContainsFunc(s.Added, fn.Lines.Overlaps) {
			continue
		}
		if slices.ContainsFunc(about, func(name string) bool {
			return calls(graph, s.Path, name, fn.Name) || calls(graph, s.Path, fn.Name, name)
		}) {
			part = append(part, s.sliced(fn.Lines)...)
		}
	}
	inFunction := func(r qa.Range) bool {
		return slices.ContainsFunc(s.functions, func(fn qa.Function) bool { return fn.Lines.Overlaps(r) })
	}
	for _, r := range lines {
		if !inFunction(r) {
			part = append(part, qa.Range{Start: max(1, r.Start-nearChange), End: r.End + nearChange})
		}
	}
	for _, r := range s.Whole {
		if !inFunction(r) {
			part = append(part, r)
		}
	}
	out = s
	out.Part = part
	return out, about
}

// calls reports whether a function of a file calls another one of it.
func calls(graph *outline.Graph, file, by, name string) bool {
	return slices.ContainsFunc(graph.Callees(file, by), func(at outline.Caller) bool { return at.Path == file && at.Function.Name == name })
}
