package impact

import (
	"bytes"
	"path"
	"slices"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// Bodies selects by what a whole run of base executed: of a file of Python in which nothing
// but bodies of functions changed, the units that entered one of those. Who does not enter
// a function cannot tell what its body is, but by its text.
type Bodies struct {
	Executed *qa.Execution
	// Before and Now are a file on base and on head.
	Before, Now func(f qa.FileChange) []byte
	// Text is a file of head.
	Text func(name string) []byte
	// Ran reports whether the whole run of base has a test by that name; nil has no single
	// test left out of a unit that runs.
	Ran func(id string) bool
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
	if f.Status != qa.Modified || f.Kind != qa.KindSource || path.Ext(f.Path) != ".py" || slices.Contains(e.Before, f.Path) {
		return false
	}
	before, now := b.Before(f), b.Now(f)
	changed, ok := changedBodies(f.Path, before, now)
	if !ok || len(changed) == 0 {
		return false
	}
	whole := slices.Concat(e.Read[f.Path], b.look(bytes.Count(before, []byte("\n")) != bytes.Count(now, []byte("\n"))))
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
	lines = pattern.New(`(?i)lineno|\bline[ :]+[\d%{]|traceback|getsourcelines|frame|\bstack\(`)
)

// look are the units that look at code without entering it, as far as they say: at what it
// is compiled to, and where lines moved, at their numbers.
func (b *Bodies) look(moved bool) (units []string) {
	for _, u := range b.Executed.Units {
		src := b.Text(u)
		if src == nil || looks.Match(src) || moved && lines.Match(src) {
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
func changedBodies(name string, before, now []byte) (changed []qa.Range, ok bool) {
	was, oldRest := outermost(name, before)
	is, rest := outermost(name, now)
	if rest == nil || oldRest == nil || len(was) != len(is) || !bytes.Equal(oldRest, rest) {
		return nil, false
	}
	for i, f := range was {
		g := is[i]
		switch {
		case f.text == g.text:
		case f.doc != g.doc || f.yields != g.yields: // to call one that yields enters none of it
			return nil, false
		default:
			changed = append(changed, f.lines)
		}
	}
	return changed, true
}

// body is that of a function which lies in no other.
type body struct {
	lines     qa.Range // of the whole function, with its decorators
	text, doc string
	yields    bool
}

// outermost are the bodies of the functions that lie in no other, and what is left of the
// file without them; nil where it cannot be read.
func outermost(name string, src []byte) (bodies []body, rest []byte) {
	t, err := syntax.ParseWhole(name, src)
	if err != nil {
		return nil, nil
	}
	end := 0
	rest = []byte{0}
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
		bodies = append(bodies, b)
		rest, end = append(append(rest, src[end:block.Start]...), 0), block.End
		return false
	})
	return bodies, append(rest, src[end:]...)
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
