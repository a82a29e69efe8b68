package declared

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
)

// Bounds of what is told of a declaration.
const (
	// Long is how many lines one has at most that is told whole.
	Long    = 12
	longest = 400 // lines of one whose members are looked for
)

// Declaration is one outside of functions. One that is too long is its first line, and has
// what it declares itself, such as fields, each with the comment above it.
type Declaration struct {
	qa.Range
	Name, Text string
	Members    []Declaration
}

// Told are the parts of a declaration that are shown beside lines with some words.
func (d Declaration) Told(words []string) []Declaration {
	return append([]Declaration{d}, each.Where(d.Members, func(m Declaration) bool { return slices.Contains(words, m.Name) })...)
}

// In are the declarations of a file, by line.
func In(o qa.Outline, src string) (out []Declaration) {
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
			d := Declaration{Range: at, Name: name, Text: strings.Join(lines[i:at.End], "\n")}
			switch {
			case o.Language == "python" && strings.HasPrefix(text, "class "):
				d.fields(o, lines)
			case at.Len() == 1:
				d.Members = members(lines, i)
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
	for i, line := range lines[from:min(len(lines), from+Long)] {
		depth += Grows(line)
		if depth <= 0 {
			return from + i + 1
		}
	}
	return from + 1
}

// members are what a declaration declares whose brackets stay open in its first line.
func members(lines []string, from int) (out []Declaration) {
	depth := Grows(lines[from])
	begin := from + 1 // of the comment above, or of the member
	for i := from + 1; depth > 0 && i < min(len(lines), from+longest); i++ {
		text := strings.TrimSpace(lines[i])
		if language.Comment(text) {
			continue // brackets in prose are none
		}
		inner := depth > 1
		if depth += Grows(lines[i]); depth == 1 && !inner {
			if m := member.FindStringSubmatch(text); m != nil {
				at := qa.Range{Start: begin + 1, End: i + 1}
				out = append(out, Declaration{Range: at, Name: m[1], Text: strings.Join(lines[begin:at.End], "\n")})
			}
		}
		begin = i + 1
	}
	return out
}

// member is how a field of one line begins.
var member = pattern.New(`^(?:(?:readonly|public|private|protected|static)\s+)*["']?([A-Za-z_$][\w$]*)["']?\??(?:\s*[:,=]|\s+[\w*\[(<]|$)`)

// Grows is how many more brackets a line opens than it closes.
func Grows(line string) int {
	return len(opened.FindAllString(line, -1)) - len(closed.FindAllString(line, -1))
}

var opened, closed = pattern.New(`[({\[]`), pattern.New(`[)}\]]`)

// pythonField is what a class of Python declares in its body: with a type, or with a value.
var pythonField = pattern.New(`^([A-Za-z_]\w*)\s*(?::\s*[^=]|=[^=])`)

// fields adds to a class of Python what its body declares: all of it where that is little.
func (d *Declaration) fields(o qa.Outline, lines []string) {
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
	body, prose := 0, ""
	for i := d.End; i < min(len(lines), d.End+longest); i++ {
		text, depth := strings.TrimSpace(lines[i]), indent(lines[i])
		if prose = remarked(text, prose); prose != "" || text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if depth <= indent(lines[d.Start-1]) {
			break
		}
		if body == 0 {
			body = depth
		}
		m := pythonField.FindStringSubmatch(text)
		if m == nil || depth != body || slices.ContainsFunc(o.Functions, func(f qa.Function) bool { return f.Lines.Contains(i + 1) }) {
			continue
		}
		at := qa.Range{Start: i + 1, End: declaredTo(lines, i)}
		d.Members = append(d.Members, Declaration{Range: at, Name: m[1], Text: strings.Join(lines[i:at.End], "\n")})
	}
	whole := each.Of(d.Members, func(m Declaration) string { return m.Text })
	if text := strings.Join(append([]string{d.Text}, whole...), "\n"); len(whole) > 0 && strings.Count(text, "\n") < Long {
		d.Text, d.Members = text, nil
	}
}
