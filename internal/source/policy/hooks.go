package policy

import (
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// This file follows what the code under test calls in a test file: methods of classes
// that are derived from it, and functions that are handed to it. What these write down is
// what it did.

// ofUnit reports whether n is a class that is derived from what stands for the code under
// test.
func (p provenance) ofUnit(n *syntax.Node, derived map[string]bool) bool {
	if !n.Is("class_definition", "class_declaration", "class", "abstract_class_declaration") {
		return false
	}
	from := n.At("superclasses")
	if from == nil {
		from = n.At("superclass")
	}
	if from == nil {
		from = n.First("class_heritage")
	}
	return from != nil && mentions(p.Tree, from, derived)
}

// functions are those of a file that have a name and are no tests, by that name.
func functions(t *syntax.Tree) map[string][]*syntax.Node {
	tests := map[*syntax.Node]bool{}
	for _, c := range edit.NewReader(t).Tests() {
		tests[c.Node] = true
	}
	out := map[string][]*syntax.Node{}
	t.Root.Walk(func(n *syntax.Node) bool {
		if tests[n] {
			return true
		}
		if name := n.At("name"); name != nil && n.At("body") != nil && (n.Is("function_definition") || outline.ScriptFunction(n)) {
			out[t.Text(name)] = append(out[t.Text(name)], n)
		}
		return true
	})
	return out
}

// handed adds what the functions write down that are among the arguments of a call.
func (p provenance) handed(arguments *syntax.Node, derived map[string]bool) {
	for _, arg := range arguments.Parts() {
		if syntax.IsIdentifier(arg) {
			for _, f := range p.functions[p.Text(arg)] {
				p.written(f.At("body"), derived)
			}
		}
	}
}

// written adds what code puts into lists and variables of others.
func (p provenance) written(body *syntax.Node, to map[string]bool) {
	outer := body.Find(func(n *syntax.Node) bool { return n.Is("nonlocal_statement", "global_statement") }) != nil
	body.Walk(func(n *syntax.Node) bool {
		if object := p.filled(n); object != nil {
			p.add(object, to)
		}
		left := n.At("left")
		if n.Is("assignment_expression") || n.Is("assignment") && (outer || left.Is("subscript")) {
			p.add(left, to)
		}
		return true
	})
	p.counted(body, to)
}
