package impact

import (
	"bytes"
	"maps"
	"path"
	"slices"

	"github.com/org/qa-action/internal/each"
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
}

// executed takes the files out of the change of which it is known which units executed
// what changed in them, and gives those units, with all of which nothing is known.
func (c Change) executed(units []string) (rest Change, reached map[string]bool) {
	rest, reached = c, map[string]bool{}
	if c.Bodies == nil {
		return c, reached
	}
	rest.Files, rest.Bodies = nil, nil
	for _, f := range c.Files {
		ran, ok := c.Bodies.of(f)
		if !ok || c.Steers(f.Path) {
			rest.Files = append(rest.Files, f)
			continue
		}
		maps.Copy(reached, each.Set(ran))
	}
	for u := range reached {
		if !slices.Contains(units, u) { // by another name than its tests are reported with
			return c, map[string]bool{}
		}
	}
	if len(rest.Files) == len(c.Files) {
		return c, reached
	}
	for _, u := range units {
		reached[u] = reached[u] || !c.Bodies.known(u)
	}
	return rest, reached
}

// Executed is the selection for a change of which every file is one in which only bodies
// of functions changed, or one that nobody reads; ok is false for any other.
func (c Change) Executed(units []string) (s Selection, ok bool) {
	rest, reached := c.executed(units)
	if len(reached) == 0 || slices.ContainsFunc(rest.Files, func(f qa.FileChange) bool {
		return f.Submodule || f.Status != qa.Modified || c.Steers(f.Path) || !c.Unread(f.Path)
	}) {
		return Selection{}, false
	}
	return choose(units, reached, nil), true
}

// of are the units that a changed file can reach; ok is false where what was executed does
// not tell.
func (b *Bodies) of(f qa.FileChange) (units []string, ok bool) {
	e := b.Executed
	if f.Status != qa.Modified || f.Kind != qa.KindSource || path.Ext(f.Path) != ".py" || slices.Contains(e.Before, f.Path) {
		return nil, false
	}
	before, now := b.Before(f), b.Now(f)
	changed, ok := changedBodies(f.Path, before, now)
	if !ok || len(changed) == 0 {
		return nil, false
	}
	units = slices.Concat(e.Always, e.Read[f.Path], b.look(bytes.Count(before, []byte("\n")) != bytes.Count(now, []byte("\n"))))
	for _, lines := range changed {
		entered := e.Within(f.Path, lines)
		if len(entered) == 0 { // it may be executed in a way that is not seen
			return nil, false
		}
		units = append(units, entered...)
	}
	return units, !slices.Contains(units, "") // which belongs to all of them
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
