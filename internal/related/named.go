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
	longDeclaration = 12 // lines of one that is shown whole
	longest         = 400
)

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

// declaration is one outside of functions. One that is too long is its first line, and has
// what it declares itself, such as fields, each with the comment above it.
type declaration struct {
	qa.Range
	name, text string
	members    []declaration
}

// told are the parts of a declaration that are shown beside lines with some words.
func (d declaration) told(words []string) []declaration {
	return append([]declaration{d}, each.Where(d.members, func(m declaration) bool { return slices.Contains(words, m.name) })...)
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
	if d, ok := each.First(declarations(parsed, string(src)), func(d declaration) bool { return d.name == name }); ok {
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

// declarations are those of a file.
func declarations(o qa.Outline, src string) (out []declaration) {
	lines, prose := strings.Split(src, "\n"), ""
	for i, line := range lines {
		text := strings.TrimLeft(line, " \t")
		if prose = remarked(text, prose); prose != "" {
			continue
		}
		name := declares(text, len(line)-len(text))
		if name == "" {
			continue
		}
		at := qa.Range{Start: i + 1, End: declaredTo(lines, i)}
		if !slices.ContainsFunc(o.Functions, func(f qa.Function) bool { return f.Lines.Overlaps(at) }) {
			d := declaration{Range: at, name: name, text: strings.Join(lines[i:at.End], "\n")}
			if at.Len() == 1 {
				d.members = members(lines, i)
			}
			out = append(out, d)
		}
	}
	return out
}

// remarks are how comments and strings of several lines begin and end.
var remarks = [][2]string{{"/*", "*/"}, {`"""`, `"""`}, {"'''", "'''"}}

// remarked is how the comment or string ends in which the line after this one stands,
// until being that of this one; empty is none. Prose reads like declarations.
func remarked(text, until string) string {
	for _, r := range remarks {
		if rest, begins := strings.CutPrefix(text, r[0]); until == "" && begins {
			until, text = r[1], rest
		}
	}
	if until != "" && strings.Contains(text, until) {
		return ""
	}
	return until
}

// declaredTo is the number of the line with which a declaration ends whose brackets close
// before it is too long, else of its first line.
func declaredTo(lines []string, from int) int {
	depth := 0
	for i, line := range lines[from:min(len(lines), from+longDeclaration)] {
		depth += grows(line)
		if depth <= 0 {
			return from + i + 1
		}
	}
	return from + 1
}

// members are what a declaration declares whose brackets stay open in its first line.
func members(lines []string, from int) (out []declaration) {
	depth := grows(lines[from])
	begin := from + 1 // of the comment above, or of the member
	for i := from + 1; depth > 0 && i < min(len(lines), from+longest); i++ {
		text := strings.TrimSpace(lines[i])
		if comment.MatchString(text) {
			continue // brackets in prose are none
		}
		inner := depth > 1
		if depth += grows(lines[i]); depth == 1 && !inner {
			if m := member.FindStringSubmatch(text); m != nil {
				at := qa.Range{Start: begin + 1, End: i + 1}
				out = append(out, declaration{Range: at, name: m[1], text: strings.Join(lines[begin:at.End], "\n")})
			}
		}
		begin = i + 1
	}
	return out
}

// member is how a field of one line begins.
var member = pattern.New(`^(?:(?:readonly|public|private|protected|static)\s+)*["']?([A-Za-z_$][\w$]*)["']?\??(?:\s*[:,=]|\s+[\w*\[(<]|$)`)

func grows(line string) int {
	return len(opened.FindAllString(line, -1)) - len(closed.FindAllString(line, -1))
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
	known := view.Known(words)
	for _, file := range view.Files() {
		for _, d := range outer(c, file) {
			if len(out) < mostNamed && known[d.name] && slices.ContainsFunc(view.Names(file, d.name), said) {
				parts := each.Of(d.told(words), func(part declaration) string { return part.text })
				out = append(out, file+": "+strings.Join(parts, "\n…\n"))
			}
		}
	}
	return out
}

// outer are the declarations of a file, which is read once: many functions of a change
// name those of one package.
func outer(c *Code, file string) []declaration {
	if known, ok := c.declarations.Load(file); ok {
		return known.([]declaration)
	}
	var out []declaration
	if o, src, err := c.parse(file); err == nil {
		out = declarations(o, string(src))
	}
	c.declarations.Store(file, out)
	return out
}
