package related

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/source/declared"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/wording"
)

// This file shows of a test file what matters for a function.

// Bounds of what is shown.
const (
	shownHead  = 2000 // characters before the first test
	shownNames = 1500 // characters of names of tests that are not shown
)

// Shown is what of a test file matters for functions: its head, the tests that call them or
// that the change altered as far as they fit, those of which both is true and those named
// after them first, and the names of the others, whose behaviour need not be tested again. A file that fits is shown whole where none calls
// them, else without these others.
func Shown(c *Code, file string, src []byte, symbols []string, most int) string {
	text, others := excerpted(c, file, src, symbols, most)
	if len(others) > 0 {
		text += "\n\n… and tests that are not shown: " + listed(others, shownNames)
	}
	return text
}

// listed are names, whole ones as far as they fit, and how many more there are.
func listed(names []string, most int) string {
	var b strings.Builder
	for i, name := range names {
		if b.Len()+len(name) > most {
			fmt.Fprintf(&b, "and %d more", len(names)-i)
			break
		}
		b.WriteString(name)
		if i < len(names)-1 {
			b.WriteString("; ")
		}
	}
	return b.String()
}

// Example is what of a test file shows how tests are written here, of a function's where
// there are some.
func Example(c *Code, file string, src []byte, symbol string, most int) string {
	text, _ := excerpted(c, file, src, []string{symbol}, most)
	return text
}

func excerpted(c *Code, file string, src []byte, symbols []string, most int) (text string, others []string) {
	all, err := edit.Tests(file, src)
	if err != nil || len(all) == 0 {
		return wording.Excerpt(string(src), most), nil
	}
	points := speaking(c, file, src, all, symbols)
	if len(src) <= most {
		return without(src, all, points)
	}
	head := wording.Excerpt(strings.TrimRight(string(src[:all[0].Start]), " \t\n"), shownHead)
	fits, room := fitting(all, points, most-len(head))
	holders := newHolders(src)
	head = holders.begin(head, all, fits)
	var pieces, around outside
	for i, t := range all {
		if !fits[i] {
			others = append(others, t.Name)
			continue
		}
		pieces = append(pieces, declared.Declaration{Range: t.Lines, Text: whole(src, t)})
		for _, n := range holders.around(t.Lines.Start) {
			around = append(around, declared.Declaration{Text: holders.lines[n-1]})
		}
	}
	pieces = append(pieces, helpers(file, src, all, holders).namedIn(append(around, pieces...), head, room)...)
	slices.SortStableFunc(pieces, func(a, b declared.Declaration) int { return cmp.Compare(a.Start, b.Start) })
	out := []string{head}
	for _, p := range pieces {
		out = append(out, holders.of(p.Start)+p.Text)
	}
	return strings.Join(out, "\n\n"), others
}

// speaking are points of the tests of a file for how much each says of some functions. A
// test named after one is its own, and what the change altered shows what it is about, most
// where it calls one; in a file without any that calls one the first ones show the style.
func speaking(c *Code, file string, src []byte, all []edit.Test, symbols []string) []int {
	calls := each.Of(symbols, calling)
	changed, _ := c.o.Change.File(file)
	return each.Of(all, func(t edit.Test) int {
		points := 0
		for i, symbol := range symbols {
			if !calls[i].Match(src[t.Start:t.End]) {
				if changed.Alters(t.Lines) {
					points = max(points, 1)
				}
				continue
			}
			points = max(points, 1)
			if name := plain(symbol[strings.LastIndexByte(symbol, '.')+1:]); len(name) >= shortestName && strings.Contains(plain(t.Name), name) {
				points = 2
			}
			if changed.Alters(t.Lines) {
				points = 3
			}
		}
		return points
	})
}

// fitting are the tests with most points that fit into so many characters, and what is
// left of these.
func fitting(all []edit.Test, points []int, room int) (fits map[int]bool, left int) {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(points[b], points[a]) })
	fits = map[int]bool{}
	for n, i := range order {
		if size := all[i].End - all[i].Start; size <= room && (n == 0 || points[i] > 0) {
			fits[i] = true
			room -= size
		}
	}
	return fits, room
}

// outside is what a test file has outside of its tests.
type outside []declared.Declaration

// helpers are the functions of a test file that are no tests, and what is declared
// outside of functions.
func helpers(file string, src []byte, all []edit.Test, around holders) (out outside) {
	parsed, err := outline.Parse(file, src)
	if err != nil {
		return nil
	}
	lines := around.lines
	for _, f := range parsed.Functions {
		if !f.Test && f.Lines.Len() <= namedBody && f.Lines.Start >= 1 && f.Lines.End <= len(lines) {
			out = append(out, declared.Declaration{Range: f.Lines, Name: spoken(f.Name), Text: strings.Join(lines[f.Lines.Start-1:f.Lines.End], "\n")})
		}
	}
	for _, d := range declared.In(parsed, string(src)) {
		if d.Len() == 1 && declared.Grows(lines[d.Start-1]) > 0 { // a long table: how it begins
			d.End = min(len(lines), d.Start+declared.Long-1)
			d.Text = strings.Join(lines[d.Start-1:d.End], "\n") + "\n…"
		}
		out = append(out, d)
	}
	return slices.DeleteFunc(out, func(d declared.Declaration) bool {
		return slices.ContainsFunc(all, func(t edit.Test) bool {
			return t.Lines.Overlaps(d.Range) || slices.Contains(around.around(t.Lines.Start), d.Start)
		})
	})
}

// namedIn are those that texts name, and those that these name, as far as they fit: a test
// says little without its table, nor a check of the project's own without what it checks.
func (o outside) namedIn(texts []declared.Declaration, head string, room int) (out outside) {
	var words []string
	for from := 0; from < len(texts); {
		for _, t := range texts[from:] {
			words = each.Added(words, named.FindAllString(t.Text, -1)...)
		}
		from = len(texts)
		for _, d := range o {
			if slices.Contains(words, d.Name) && len(d.Text) <= room && !strings.Contains(head, d.Text) && !slices.ContainsFunc(texts, func(t declared.Declaration) bool { return t.Overlaps(d.Range) }) {
				room -= len(d.Text)
				texts, out = append(texts, d), append(out, d)
			}
		}
	}
	return out
}

// whole is a test from the beginning of its line.
func whole(src []byte, t edit.Test) string {
	start := strings.LastIndexByte(string(src[:t.Start]), '\n') + 1
	return string(src[start:t.End])
}
