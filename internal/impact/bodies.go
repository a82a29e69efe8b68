package impact

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// Bodies selects by what a whole run of base executed: of a file of Python, JavaScript or
// TypeScript in which nothing but bodies of functions changed, the units that entered one of
// those. Who does not enter a function cannot tell what its body is, but by its text.
type Bodies struct {
	Executed *qa.Execution
	// Before and Now are a file on base and on head.
	Before, Now func(f qa.FileChange) []byte
	// Text is a file of head.
	Text func(name string) []byte
	// Ran reports whether the whole run of base has a test by that name; nil has no single
	// test left out of a unit that runs.
	Ran func(id string) bool
	// Graph is what loads what on head, asked for where it is needed; without it nothing is
	// told of JavaScript.
	Graph func() *Graph
}

// reach is what a change reaches: whole units, and single tests of others.
type reach struct {
	units map[string]bool
	tests map[string]map[string]bool
	known map[string][]string // all tests of those others
}

// add has some tests of a unit run.
func (r *reach) add(unit string, tests []string) {
	if r.tests[unit] == nil {
		r.tests[unit] = map[string]bool{}
	}
	for _, name := range tests {
		r.tests[unit][name] = true
	}
}

func noReach() reach {
	return reach{units: map[string]bool{}, tests: map[string]map[string]bool{}, known: map[string][]string{}}
}

// executed takes the files out of the change of which it is known which units executed
// what changed in them, and gives those units, with all of which nothing is known.
func (c Change) executed(units []string) (rest Change, reached reach) {
	rest, reached = c, noReach()
	if c.Bodies == nil {
		return c, reached
	}
	rest.Files, rest.Bodies = nil, nil
	for _, f := range c.Files {
		if c.Steers(f.Path) || !c.Bodies.of(f, &reached) {
			rest.Files = append(rest.Files, f)
		}
	}
	if len(rest.Files) == len(c.Files) {
		return c, noReach()
	}
	for u := range reached.units {
		if !slices.Contains(units, u) { // by another name than its tests are reported with
			return c, noReach()
		}
	}
	for u := range reached.tests {
		if !slices.Contains(units, u) {
			return c, noReach()
		}
	}
	for _, u := range units {
		reached.units[u] = reached.units[u] || !c.Bodies.known(u)
	}
	return rest, reached
}

// Executed is the selection for a change of which every file is one in which only bodies
// of functions changed, or one that nobody reads; ok is false for any other.
func (c Change) Executed(units []string) (s Selection, ok bool) {
	rest, reached := c.executed(units)
	if len(rest.Files) == len(c.Files) || slices.ContainsFunc(rest.Files, func(f qa.FileChange) bool {
		return f.Submodule || f.Status != qa.Modified || c.Steers(f.Path) || !c.Unread(f.Path)
	}) {
		return Selection{}, false
	}
	return choose(units, reached, nil), true
}

// of adds what a changed file can reach; false, and nothing added, where what was executed
// does not tell.
func (b *Bodies) of(f qa.FileChange, reached *reach) bool {
	e := b.Executed
	if f.Status != qa.Modified || f.Kind != qa.KindSource || slices.Contains(e.Before, f.Path) {
		return false
	}
	before, now := b.Before(f), b.Now(f)
	was, is := partsOf(f.Path, before), partsOf(f.Path, now)
	changed, ok := changedBodies(was, is)
	if !ok || len(changed) == 0 {
		return false
	}
	more := noReach()
	looking := b.look(looks, lines, bytes.Count(before, []byte("\n")) != bytes.Count(now, []byte("\n")))
	if isScript(f.Path) {
		if !b.follows(f.Path, was.starts, &more) {
			return false
		}
		looking = b.look(scriptLooks, scriptLines, moved(was, is))
	}
	whole := slices.Concat(e.Read[f.Path], looking)
	var entered [][]string
	for _, lines := range changed {
		units := e.Within(f.Path, lines)
		if len(units) == 0 { // it may be executed in a way that is not seen
			return false
		}
		entered = append(entered, units)
	}
	if slices.Contains(whole, "") || slices.ContainsFunc(entered, func(units []string) bool { return slices.Contains(units, "") }) {
		return false // which belongs to all of them
	}
	for u, yes := range more.units {
		reached.units[u] = reached.units[u] || yes
	}
	for _, u := range whole {
		reached.units[u] = true
	}
	for _, u := range e.Always {
		b.part(u, e.Tests[u].Unknown(), reached)
	}
	for i, lines := range changed {
		for _, u := range entered[i] {
			b.part(u, e.Tests[u].Within(f.Path, lines), reached)
		}
	}
	return true
}

// part has those tests of a unit run that are reached; the whole unit where they are not
// known one by one.
func (b *Bodies) part(unit string, tests []string, reached *reach) {
	known := b.Executed.Tests[unit].Names
	if len(tests) == 0 || !b.ran(unit, known) {
		reached.units[unit] = true
		return
	}
	reached.known[unit] = known
	reached.add(unit, tests)
}

// ran reports whether the run of base has tests by these names.
func (b *Bodies) ran(unit string, names []string) bool {
	return b.Ran != nil && !slices.ContainsFunc(names, func(name string) bool { return !b.Ran(unit + " > " + name) })
}

var (
	looks = pattern.New(`\b__code__\b|\bco_[a-z]+\b|\bdis\b`)
	lines = pattern.New(`(?i)lineno|\bline[ :]+[\d%{]|traceback|getsourcelines|frame|\bstack\(|stacklevel|\.pyw?:\d`)
)

// look are the units that look at code without entering it, as far as they, or snapshots of
// theirs, say: at what it is compiled to, and where lines moved, at their numbers.
func (b *Bodies) look(looks, lines *pattern.Pattern, moved bool) (units []string) {
	for _, u := range b.Executed.Units {
		src := b.Text(u)
		if src == nil || looks.Match(src) || moved && (lines.Match(src) || lines.Match(b.Text(path.Join(path.Dir(u), "__snapshots__", path.Base(u)+".snap")))) {
			units = append(units, u)
		}
	}
	return units
}

// known reports whether the run of base tells what a unit executes.
func (b *Bodies) known(unit string) bool {
	_, ran := slices.BinarySearch(b.Executed.Units, unit)
	return ran
}

// changedBodies are the lines, on base, of the functions whose body is another one now; ok
// is false where anything else of the file changed.
func changedBodies(was, is *parts) (changed []qa.Range, ok bool) {
	if was == nil || is == nil || len(was.bodies) != len(is.bodies) || !bytes.Equal(was.rest, is.rest) || was.kept != is.kept {
		return nil, false
	}
	for i, f := range was.bodies {
		g := is.bodies[i]
		switch {
		case f.text == g.text:
		case f.doc != g.doc || f.yields != g.yields: // to call one that yields enters none of it
			return nil, false
		case was.starts != nil && (beyond.MatchString(f.text) || beyond.MatchString(g.text)):
			return nil, false
		default:
			changed = append(changed, f.lines)
		}
	}
	return changed, true
}

// moved reports whether anything that stands behind a body has another line or column.
func moved(was, is *parts) bool {
	shape := func(text string) (lines, last int) {
		return strings.Count(text, "\n"), len(text) - strings.LastIndexByte(text, '\n')
	}
	for i, f := range was.bodies {
		lines, last := shape(f.text)
		if l, c := shape(is.bodies[i].text); l != lines || c != last {
			return true
		}
	}
	return false
}

// parts are what a file is made of.
type parts struct {
	bodies []body // of functions that lie in no other, in order
	rest   []byte // what is left of the file without them
	kept   string // what of the bodies belongs to the rest
	starts map[int]bool
}

// body is that of a function which lies in no other.
type body struct {
	lines     qa.Range // of the whole function, with its decorators
	text, doc string
	yields    bool
}

// partsOf takes a file apart; nil where it cannot be read.
func partsOf(name string, src []byte) *parts {
	switch {
	case path.Ext(name) == ".py":
		return outermost(name, src)
	case isScript(name):
		return scripted(name, src)
	}
	return nil
}

// outermost are the parts of a file of Python.
func outermost(name string, src []byte) *parts {
	t, err := syntax.ParseWhole(name, src)
	if err != nil {
		return nil
	}
	end := 0
	p := &parts{rest: []byte{0}}
	t.Root.Walk(func(n *syntax.Node) bool {
		block := n.At("body")
		if !n.Is("function_definition") || block == nil {
			return true
		}
		start := n.Start
		if n.Parent.Is("decorated_definition") {
			start = n.Parent.Start
		}
		b := body{lines: t.Span(start, n.End), text: t.Text(block), yields: yields(block)}
		if said := block.Parts(); len(said) > 0 && said[0].Is("expression_statement", "string", "concatenated_string", "parenthesized_expression") && has(said[0], "string") && !has(said[0], "identifier") {
			b.doc = t.Text(said[0])
		}
		p.bodies = append(p.bodies, b)
		p.rest, end = append(append(p.rest, src[end:block.Start]...), 0), block.End
		return false
	})
	p.rest = append(p.rest, src[end:]...)
	return p
}

// has reports whether a node is of a kind, or holds one that is.
func has(n *syntax.Node, kind string) bool {
	return n.Find(func(c *syntax.Node) bool { return c.Is(kind) }) != nil
}

// yields reports whether a function yields by itself, and is a generator therefore.
func yields(block *syntax.Node) bool {
	found := false
	block.Walk(func(n *syntax.Node) bool {
		found = found || n.Is("yield")
		return !n.Is("function_definition", "lambda", "class_definition")
	})
	return found
}
