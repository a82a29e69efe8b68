package edit

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// rustTests reads tests of the standard library's kind: a function with an attribute,
// macros that assert.
type rustTests struct {
	*syntax.Tree
	outline.Rust
	modules []*syntax.Node // those for tests, where the file has some
}

func newRustTests(t *syntax.Tree) Reader {
	r := rustTests{Tree: t, Rust: outline.Rust{Tree: t}}
	r.modules = r.TestModules()
	return r
}

// RustPanics is the attribute of a test that has to panic.
var RustPanics = pattern.New(`^#\[\s*should_panic\b`)

func (r rustTests) Tests() []Case {
	var out []Case
	r.Root.Walk(func(n *syntax.Node) bool {
		if !r.IsTest(n) {
			return true
		}
		name := r.Text(n.At("name"))
		for m := n.Within("mod_item"); m != nil; m = m.Within("mod_item") {
			name = r.Text(m.At("name")) + "::" + name
		}
		c := Case{Name: name, Node: n, Body: n.At("body"), Head: []*syntax.Node{n.At("name")}}
		if r.Attribute(n, RustPanics) != nil {
			c.Body = n // what it asserts stands above it
		}
		out = append(out, c)
		return false
	})
	return out
}

func (r rustTests) Check(n *syntax.Node) *Check {
	switch n.Kind {
	case "attribute_item":
		if RustPanics.MatchString(r.Text(n)) {
			return &Check{Node: n, negate: []edit{{n.Start, n.End, ""}}}
		}
	case "macro_invocation": // one whose arguments could not be read
		if name := r.Text(n.At("macro")); rustAsserts.MatchString(name) {
			return &Check{Node: n, Custom: true}
		}
	case "call_expression":
		return r.call(n)
	}
	return nil
}

var rustAsserts = pattern.New(`^(debug_)?assert(_\w+)?$|^(panic|unreachable)$`)

func (r rustTests) call(n *syntax.Node) *Check {
	fun, args := n.At("function"), n.Arguments()
	if !fun.Is("identifier") || fun.End >= len(r.Src) || r.Src[fun.End] != '!' {
		return nil
	}
	c := &Check{Node: n}
	switch name := strings.TrimPrefix(r.Text(fun), "debug_"); {
	case name == "panic" || name == "unreachable": // fails wherever it is reached
		return c
	case name == "assert" && len(args) > 0:
		cond := args[0]
		c.Subject, c.negate = cond, []edit{{cond.Start, cond.End, "!(" + r.Text(cond) + ")"}}
		if cond.Is("binary_expression") && cond.At("operator").Is("==") {
			c.Subject, c.Expected, c.Equal = cond.At("left"), cond.At("right"), true
		}
		return c
	case (name == "assert_eq" || name == "assert_ne") && len(args) > 1:
		c.Subject, c.Expected, c.Equal = args[0], args[1], name == "assert_eq"
		c.negate = []edit{{fun.End - len("eq"), fun.End, map[bool]string{true: "ne", false: "eq"}[c.Equal]}}
		return c
	}
	return nil
}

// helper leaves the product's own functions out that stand in the same file.
func (r rustTests) helper(n *syntax.Node) (declares string, body *syntax.Node, calls string) {
	switch n.Kind {
	case "function_item":
		if len(r.modules) == 0 || r.TestOnly(n) {
			return r.Text(n.At("name")), n.At("body"), ""
		}
	case "call_expression":
		return "", nil, r.Callee(n.At("function"))
	}
	return "", nil, ""
}
