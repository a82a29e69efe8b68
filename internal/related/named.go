package related

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/declared"
	"github.com/org/qa-action/internal/source/outline"
)

// This file shows what changed lines name and what is declared outside of functions: what
// a comparison does hangs on the value of the constant in it.

// mostNamed is how many declarations are shown.
const mostNamed = 8

// words are the names in lines that a change wrote or took away within functions of a
// name, or anywhere without one.
func (s Side) words(symbol string) (out []string) {
	written, gone := s.alteredIn(symbol)
	for _, text := range slices.Concat(written, gone) {
		out = each.Added(out, named.FindAllString(text, -1)...)
	}
	return out
}

// alteredIn are the lines that a change wrote and took away within functions of a name, or
// anywhere without one.
func (s Side) alteredIn(symbol string) (written, gone []string) {
	own := each.Where(s.functions, func(f qa.Function) bool { return f.Name == symbol })
	at, texts, most := s.altered(strings.Split(s.Source, "\n"))
	for i, text := range texts {
		switch {
		case symbol != "" && !slices.ContainsFunc(own, func(f qa.Function) bool { return f.Lines.Contains(at[i]) }):
		case i < most:
			written = append(written, text)
		default:
			gone = append(gone, text)
		}
	}
	return written, gone
}

// Named is where a file has a function, or declares something, of a name.
func Named(file string, src []byte, name string) (at qa.Range, ok bool) {
	parsed, err := outline.Parse(file, src)
	if err != nil || name == "" {
		return at, false
	}
	if f, ok := each.First(parsed.Functions, func(f qa.Function) bool { return f.Name == name }); ok {
		return f.Lines, true
	}
	if d, ok := each.First(declared.In(parsed, string(src)), func(d declared.Declaration) bool { return d.Name == name }); ok {
		return d.Range, true
	}
	f, ok := each.First(parsed.Functions, func(f qa.Function) bool { return strings.HasPrefix(f.Name, name+".") })
	return f.Lines, ok // of a class its first method
}

// Place is [Named] of a file of head.
func Place(c *Code, file, name string) qa.Range {
	src, err := c.o.Read(file)
	if err != nil {
		return qa.Range{}
	}
	at, _ := Named(file, src, name)
	return at
}

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
	known := view.Known(words)
	for _, file := range view.Files() {
		for _, d := range outer(c, file) {
			if len(out) < mostNamed && known[d.Name] && slices.ContainsFunc(view.Names(file, d.Name), said) {
				parts := each.Of(d.Told(words), func(part declared.Declaration) string { return part.Text })
				out = append(out, file+": "+strings.Join(parts, "\n…\n"))
			}
		}
	}
	return out
}

// outer are the declarations of a file, which is read once: many functions of a change
// name those of one package.
func outer(c *Code, file string) []declared.Declaration {
	if known, ok := c.declarations.Load(file); ok {
		return known.([]declared.Declaration)
	}
	var out []declared.Declaration
	if o, src, err := c.parse(file); err == nil {
		out = declared.In(o, string(src))
	}
	c.declarations.Store(file, out)
	return out
}
