package related

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
)

// This file shows what changed lines name and what is declared outside of functions: what
// a comparison does hangs on the value of the constant in it.

// Bounds of what is shown of it.
const (
	mostNamed       = 8  // declarations
	longDeclaration = 12 // lines of one
)

// words are the names in lines that a change wrote or took away within functions of a
// name, or anywhere without one.
func (s Side) words(symbol string) []string {
	within := func(int) bool { return true }
	if symbol != "" {
		parsed, err := outline.Parse(s.Path, []byte(s.Source))
		if err != nil {
			return nil
		}
		own := each.Where(parsed.Functions, func(f qa.Function) bool { return f.Name == symbol })
		within = func(line int) bool {
			return slices.ContainsFunc(own, func(f qa.Function) bool { return f.Lines.Contains(line) })
		}
	}
	lines := strings.Split(s.Source, "\n")
	at, texts := s.altered(lines)
	var out []string
	for i, text := range texts {
		if within(at[i]) {
			out = each.Added(out, named.FindAllString(text, -1)...)
		}
	}
	return out
}

// declaring are the lines of a file outside of functions that declare a name that is wanted.
func declaring(o qa.Outline, src string, wanted func(name string) bool) []qa.Range {
	lines := strings.Split(src, "\n")
	var out []qa.Range
	for i, line := range lines {
		n := i + 1
		text := strings.TrimLeft(line, " \t")
		name := declares(text, len(line)-len(text))
		if name == "" || len(out) == mostNamed || !wanted(name) {
			continue
		}
		if at := (qa.Range{Start: n, End: declaredTo(lines, i)}); !slices.ContainsFunc(o.Functions, func(f qa.Function) bool { return f.Lines.Overlaps(at) }) {
			out = append(out, at)
		}
	}
	return out
}

// declaredTo is the number of the line with which a declaration ends whose brackets close
// before it is too long, else of its first line.
func declaredTo(lines []string, from int) int {
	depth := 0
	for i, line := range lines[from:min(len(lines), from+longDeclaration)] {
		depth += len(opened.FindAllString(line, -1)) - len(closed.FindAllString(line, -1))
		if depth <= 0 {
			return from + i + 1
		}
	}
	return from + 1
}

var opened, closed = pattern.New(`[({\[]`), pattern.New(`[)}\]]`)

// namedElsewhere are declarations of other files that lines of a change name: those of its
// package, and what its file imports.
func namedElsewhere(c *Code, seen Side, words []string) (out []string) {
	if len(words) == 0 {
		return nil
	}
	said := func(form string) bool {
		return !slices.ContainsFunc(strings.Split(form, "."), func(part string) bool { return !slices.Contains(words, part) })
	}
	view := c.graph().View(seen.Path)
	for _, file := range view.Files() {
		o, src, err := c.parse(file)
		if err != nil {
			continue
		}
		lines := strings.Split(string(src), "\n")
		for _, at := range declaring(o, string(src), func(name string) bool {
			return slices.ContainsFunc(view.Names(file, name), said)
		}) {
			if len(out) < mostNamed {
				out = append(out, file+": "+strings.Join(lines[at.Start-1:at.End], "\n"))
			}
		}
	}
	return out
}
