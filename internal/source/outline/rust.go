package outline

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// Rust reads nodes of Rust.
type Rust struct{ *syntax.Tree }

func newRustGrammar(t *syntax.Tree) grammar { return Rust{t} }

var (
	rustTest = pattern.New(`^#\[\s*(\w+::)*(test|rstest|test_case|quickcheck)\b`)
	// rustOnly is on what is compiled for tests alone.
	rustOnly = pattern.New(`^#\[\s*cfg\(\s*(all\(\s*)?test\b`)
)

// has reports an attribute of an item.
func (g Rust) has(n *syntax.Node, what *pattern.Pattern) bool { return g.Attribute(n, what) != nil }

// Attribute is the first attribute of an item that is like that.
func (g Rust) Attribute(n *syntax.Node, what *pattern.Pattern) *syntax.Node {
	for _, c := range n.Children {
		if c.Is("attribute_item") && what.MatchString(g.Text(c)) {
			return c
		}
	}
	return nil
}

// IsTest goes by the attribute.
func (g Rust) IsTest(fn *syntax.Node) bool {
	return fn.Is("function_item") && fn.At("body") != nil && g.has(fn, rustTest)
}

// TestOnly reports code that stands in a module, or is an item, for tests alone.
func (g Rust) TestOnly(n *syntax.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Is("mod_item", "function_item", "impl_item", "use_declaration") && g.has(n, rustOnly) || g.IsTest(n) {
			return true
		}
	}
	return false
}

// TestModules are the modules of a file that are there for its tests.
func (g Rust) TestModules() []*syntax.Node {
	var out []*syntax.Node
	g.Root.Walk(func(n *syntax.Node) bool {
		if n.Is("mod_item") && n.At("body") != nil && g.has(n, rustOnly) {
			out = append(out, n)
			return false
		}
		return true
	})
	return out
}

func (g Rust) function(n *syntax.Node, in frame) *found {
	if !n.Is("function_item") || n.At("body") == nil {
		return nil
	}
	f := &found{name: g.Text(n.At("name")), node: n, start: n.Start, body: n.At("body"), params: g.params(n.At("parameters")), doc: g.doc(n)}
	if f.test = g.TestOnly(n); f.test {
		f.name = strings.ReplaceAll(join(in.scope, f.name), ".", "::")
	}
	owner := n.Within("impl_item")
	f.public = in.fn < 0 && (g.Text(n.First("visibility_modifier")) == "pub" || owner != nil && owner.At("trait") != nil)
	return f
}

func (g Rust) params(list *syntax.Node) []string {
	var out []string
	for _, p := range list.Parts() {
		if name := p.At("pattern").Find(func(c *syntax.Node) bool { return c.Is("identifier") }); name != nil {
			out = append(out, g.Text(name))
		}
	}
	return out
}

// doc is the comment for readers of the documentation, above an item or its attributes.
func (g Rust) doc(n *syntax.Node) string {
	if n.Parent == nil {
		return ""
	}
	var lines []string
	for _, c := range n.Parent.Children {
		text := g.Text(c)
		switch {
		case c == n:
			return strings.Join(lines, "\n")
		case c.Is("comment") && strings.HasPrefix(text, "///"):
			lines = append(lines, strings.TrimSpace(text[3:]))
		case c.Is("comment") && strings.HasPrefix(text, "/**"):
			lines = append(lines, strings.Trim(text, "/* \n"))
		default:
			lines = nil
		}
	}
	return ""
}

func (g Rust) scope(n *syntax.Node) string {
	switch n.Kind {
	case "mod_item", "trait_item":
		return g.Text(n.At("name"))
	case "impl_item":
		return g.typeName(n.At("type"))
	}
	return ""
}

// typeName is the bare name of a type: "Span" for &shop::Span<T>.
func (g Rust) typeName(n *syntax.Node) string {
	for n.Is("generic_type", "reference_type", "scoped_type_identifier") {
		if n.Is("scoped_type_identifier") {
			n = n.At("name")
		} else {
			n = n.At("type")
		}
	}
	if n.Is("type_identifier", "primitive_type") {
		return g.Text(n)
	}
	return ""
}

func (g Rust) effect(n *syntax.Node) (int, string) {
	switch n.Kind {
	case "if_expression", "while_expression", "for_expression":
		return 1, ""
	case "match_arm":
		if strings.TrimSpace(g.Text(n.At("pattern"))) != "_" {
			return 1, ""
		}
	case "binary_expression":
		if n.At("operator").Is("&&", "||") {
			return 1, ""
		}
	case "call_expression":
		return 0, g.Callee(n.At("function"))
	}
	return 0, ""
}

// Callee is "f", "a.b.f" for a::b::f and for methods, or ".f" when it hangs on an
// expression.
func (g Rust) Callee(n *syntax.Node) string {
	switch {
	case n.Is("identifier", "self", "crate", "super", "type_identifier", "primitive_type"):
		return g.Text(n)
	case n.Is("scoped_identifier", "scoped_type_identifier"):
		return g.below(n.At("path"), n.At("name"))
	case n.Is("generic_function"):
		return g.Callee(n.At("function"))
	case n.Is("generic_type"):
		return g.Callee(n.At("type"))
	case n.Is("field_expression"):
		return g.below(n.At("value"), n.At("field"))
	}
	return ""
}

func (g Rust) below(object, name *syntax.Node) string {
	text := g.Callee(object)
	if strings.HasPrefix(text, ".") {
		text = ""
	}
	return text + "." + g.Text(name)
}

func (g Rust) ImportsAt(n *syntax.Node) []qa.Import { return g.module(n).imports }

func (g Rust) module(n *syntax.Node) declared {
	switch {
	case n.Is("use_declaration"):
		return declared{imports: g.uses(n.At("argument"), "", g.Line(n.Start))}
	case n.Is("mod_item") && n.At("body") == nil:
		name := g.Text(n.At("name"))
		return declared{imports: []qa.Import{{Path: "self::" + name, Names: []string{name}, From: []string{"*"}, Line: g.Line(n.Start)}}}
	}
	return declared{}
}

// uses are the names that a use binds, one import each: its path is the whole of what
// the name stands for.
func (g Rust) uses(n *syntax.Node, within string, line int) []qa.Import {
	whole := func(n *syntax.Node) string {
		text := strings.Join(strings.Fields(g.Text(n)), "")
		switch {
		case within == "":
			return strings.TrimPrefix(text, "::")
		case n.Is("self"):
			return within
		case text == "":
			return within
		}
		return within + "::" + text
	}
	one := func(path, name string) []qa.Import {
		return []qa.Import{{Path: path, Names: []string{name}, From: []string{path[strings.LastIndexByte(path, ':')+1:]}, Line: line}}
	}
	switch {
	case n == nil:
	case n.Is("use_list"):
		var out []qa.Import
		for _, c := range n.Parts() {
			out = append(out, g.uses(c, within, line)...)
		}
		return out
	case n.Is("scoped_use_list"):
		return g.uses(n.At("list"), whole(n.At("path")), line)
	case n.Is("use_wildcard"):
		path := within
		if parts := n.Parts(); len(parts) > 0 {
			path = whole(parts[0])
		}
		return []qa.Import{{Path: path, Names: []string{"*"}, From: []string{"*"}, Line: line}}
	case n.Is("use_as_clause"):
		return one(whole(n.At("path")), g.Text(n.At("alias")))
	default:
		path := whole(n)
		return one(path, path[strings.LastIndexByte(path, ':')+1:])
	}
	return nil
}

func (g Rust) Assigned(n *syntax.Node) ([]*syntax.Node, *syntax.Node) {
	switch n.Kind {
	case "let_declaration", "let_condition", "for_expression":
		return []*syntax.Node{n.At("pattern")}, n.At("value")
	case "assignment_expression", "compound_assignment_expr":
		return []*syntax.Node{n.At("left")}, n.At("right")
	case "const_item", "static_item":
		return []*syntax.Node{n.At("name")}, n.At("value")
	case "match_arm": // a name in a pattern holds a part of what is looked at
		if body := n.Parent; body.Is("match_block") {
			return []*syntax.Node{n.At("pattern")}, body.Parent.At("value")
		}
	case "function_item":
		return []*syntax.Node{n.At("name")}, n.At("body")
	case "struct_item", "enum_item", "trait_item", "type_item":
		return []*syntax.Node{n.At("name")}, n
	}
	return nil, nil
}
