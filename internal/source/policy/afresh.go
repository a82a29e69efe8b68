package policy

import (
	"strings"
	"unicode"

	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/syntax"
)

// afresh reports an assertion that holds two objects against each other which the same call
// makes: whether they are equal is for the code under test to say, and it need not be so.
// Of other calls two equal ones give the same whatever the code does.
func (p provenance) afresh(c edit.Check, derived map[string]bool) bool {
	return c.Expected != nil && mentions(p.Tree, c.Subject, derived) && p.makes(c.Subject.Unwrapped(), derived)
}

// makes reports a call of a class of the code under test, or of a function of the test file
// that calls one.
func (p provenance) makes(call *syntax.Node, derived map[string]bool) bool {
	if p.constructs(call, derived) {
		return true
	}
	for _, f := range p.functions[p.flow.called(call)] {
		if f.At("body").Find(func(n *syntax.Node) bool { return p.constructs(n, derived) }) != nil {
			return true
		}
	}
	return false
}

func (p provenance) constructs(n *syntax.Node, derived map[string]bool) bool {
	callee := p.flow.called(n)
	name := strings.TrimPrefix(callee, "new ")
	from, _, _ := strings.Cut(name, ".")
	capital := unicode.IsUpper([]rune(name[strings.LastIndexByte(name, '.')+1:] + " ")[0])
	return callee != "" && derived[from] && (n.Is("new_expression", "object_creation_expression") || capital && n.Is("call"))
}
