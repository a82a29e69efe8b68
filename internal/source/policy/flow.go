package policy

import (
	"cmp"
	"maps"
	"strings"

	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// flow answers, roughly, where values in a test file come from.
type flow interface {
	// seeds are the names that stand for the code under test in the whole
	// file, or, with a test, those that do so only in it.
	seeds(tn *edit.Case, file map[string]bool) map[string]bool
	outline.Reader
	// called is the name of what a call calls, "" for other nodes.
	called(n *syntax.Node) string
	// replaced are the names of functions that the test replaces by mocks.
	replaced(n *syntax.Node) map[string]bool
}

// flows are the ones of the grammars, with the names that never stand for the
// code under test.
var flows = map[string]struct {
	of    func(*syntax.Tree) flow
	names map[string]bool
}{
	"go": {newGoFlow, goNames}, "python": {newPythonFlow, pythonNames}, "rust": {newRustFlow, rustNames}, "java": {newJavaFlow, javaNames},
	"javascript": {newScriptFlow, scriptNames}, "typescript": {newScriptFlow, scriptNames}, "tsx": {newScriptFlow, scriptNames},
}

// provenance knows which names hold something that the code under test had a
// hand in. It errs on the side of too many: scopes are not told apart.
type provenance struct {
	*syntax.Tree
	flow  flow
	never map[string]bool // names of the language and its test frameworks
	file  map[string]bool
	// functions are those of the file that may be handed to the code under test.
	functions map[string][]*syntax.Node
}

func newProvenance(t *syntax.Tree) provenance {
	f := flows[t.Grammar]
	p := provenance{Tree: t, flow: f.of(t), never: f.names, functions: functions(t)}
	p.file = p.flow.seeds(nil, nil)
	p.spread(t.Root, p.file)
	return p
}

// in is what holds in one test.
func (p provenance) in(tn edit.Case) map[string]bool {
	extra := p.flow.seeds(&tn, p.file)
	if len(extra) == 0 {
		return p.file
	}
	derived := maps.Clone(p.file)
	maps.Copy(derived, extra)
	p.spread(tn.Node, derived)
	return derived
}

// spread follows assignments and arguments below n until nothing is new.
func (p provenance) spread(in *syntax.Node, derived map[string]bool) {
	for before := -1; before != len(derived); {
		before = len(derived)
		in.Walk(func(n *syntax.Node) bool {
			left, right := p.flow.Assigned(n)
			if right != nil && mentions(p.Tree, right, derived) {
				for _, l := range left {
					p.add(l, derived)
				}
			}
			// A list that is filled with it, and what is counted while it is gone through.
			if object := p.filled(n); object != nil && p.flow.called(n) != "" && mentions(p.Tree, n, derived) && !mentions(p.Tree, object, derived) {
				p.add(object, derived)
			}
			if over, body := loop(n); over != nil && mentions(p.Tree, over, derived) {
				p.counted(body, derived)
			}
			if p.ofUnit(n, derived) {
				p.add(n.At("name"), derived)
				p.written(n.At("body"), derived)
			}
			// What is handed to the code under test may be filled or called by it.
			if p.flow.called(n) != "" && mentions(p.Tree, n.Children[0], derived) {
				p.add(n.At("arguments"), derived)
				p.handed(n.At("arguments"), derived)
				for _, arg := range n.All("args") {
					p.add(arg, derived)
				}
			}
			return true
		})
	}
}

// filled is the object of a call that puts its arguments into it; nil is none.
func (p provenance) filled(call *syntax.Node) *syntax.Node {
	called := call.At("function")
	if name := call.At("name"); call.Is("method_invocation") && fills[p.Text(name)] && syntax.IsIdentifier(call.At("object")) {
		return call.At("object")
	}
	if !called.Is("member_expression", "attribute", "field_expression") {
		return nil
	}
	method, object := called.At("property"), called.At("object")
	switch {
	case called.Is("attribute"):
		method = called.At("attribute")
	case called.Is("field_expression"):
		method, object = called.At("field"), called.At("value")
	}
	if fills[p.Text(method)] && syntax.IsIdentifier(object) {
		return object
	}
	return nil
}

var fills = set("push push_str push_back unshift append put addAll appendleft extend insert add set update write")

// loop is what a loop goes through, and what it does for each.
func loop(n *syntax.Node) (over, body *syntax.Node) {
	switch {
	case n.Is("for_in_statement", "for_statement") && n.At("right") != nil:
		return n.At("right"), n.At("body")
	case n.Is("RangeStmt"):
		return n.At("x"), n.At("body")
	case n.Is("for_expression", "enhanced_for_statement"):
		return n.At("value"), n.At("body")
	}
	return nil, nil
}

// counted adds what is changed in a loop.
func (p provenance) counted(body *syntax.Node, to map[string]bool) {
	body.Walk(func(n *syntax.Node) bool {
		switch {
		case n.Is("update_expression"): // the field is JavaScript's
			p.add(cmp.Or(n.At("argument"), n), to)
		case n.Is("augmented_assignment_expression", "augmented_assignment", "compound_assignment_expr"):
			p.add(n.At("left"), to)
		case n.Is("IncDecStmt"):
			p.add(n.At("x"), to)
		case n.Is("assignment_expression") && !n.At("operator").Is("="):
			p.add(n.At("left"), to)
		case n.Is("AssignStmt") && !n.At("tok").Is("=", ":="):
			p.add(n.At("lhs"), to)
		}
		return true
	})
}

func (p provenance) add(n *syntax.Node, to map[string]bool) {
	n.Walk(func(c *syntax.Node) bool {
		if name := p.Text(c); (syntax.IsIdentifier(c) || c.Is("shorthand_property_identifier_pattern")) && !universal(p.Tree, name) && !p.never[name] {
			to[name] = true
		}
		return true
	})
}

func mentions(t *syntax.Tree, n *syntax.Node, names map[string]bool) bool {
	return n.Find(func(c *syntax.Node) bool {
		if syntax.IsIdentifier(c) {
			return names[t.Text(c)]
		}
		return c.Is("import")
	}) != nil
}

// literalName is the name in 'obj', 'method' style arguments: the last part of
// a quoted dotted path.
func literalName(text string) string {
	text = strings.Trim(text, `'"`+"`")
	return text[strings.LastIndex(text, ".")+1:]
}
