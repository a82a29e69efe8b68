package outline

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// Java reads nodes of Java.
type Java struct{ *syntax.Tree }

func newJavaGrammar(t *syntax.Tree) grammar { return Java{t} }

var javaTest = pattern.New(`^@(\w+\.)*(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b`)

// javaTypes are what methods stand in.
var javaTypes = []string{"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}

// Annotation is the first annotation of a declaration that is like that.
func (g Java) Annotation(n *syntax.Node, what *pattern.Pattern) *syntax.Node {
	for _, c := range n.First("modifiers").Parts() {
		if c.Is("marker_annotation", "annotation") && what.MatchString(g.Text(c)) {
			return c
		}
	}
	return nil
}

// IsTest goes by the annotation; methods of a TestCase, by the name.
func (g Java) IsTest(n *syntax.Node) bool {
	if !n.Is("method_declaration") || n.At("body") == nil {
		return false
	}
	if g.Annotation(n, javaTest) != nil {
		return true
	}
	return strings.HasPrefix(g.Text(n.At("name")), "test") && strings.HasSuffix(g.Text(n.Within(javaTypes...).At("superclass")), "TestCase")
}

// Class are the names of the types around a node, joined by points.
func (g Java) Class(n *syntax.Node) string {
	name := ""
	for c := n.Within(javaTypes...); c != nil; c = c.Within(javaTypes...) {
		name = join(g.Text(c.At("name")), name)
	}
	return name
}

func (g Java) function(n *syntax.Node, in frame) *found {
	if !n.Is("method_declaration", "constructor_declaration", "compact_constructor_declaration") || n.At("body") == nil {
		return nil
	}
	f := &found{name: g.Text(n.At("name")), node: n, start: n.Start, body: n.At("body"), params: g.params(n.At("parameters")), doc: g.doc(n)}
	if f.test = g.IsTest(n); f.test {
		f.name = join(g.Class(n), f.name)
	}
	f.public = in.fn < 0 && (g.modified(n, "public") || n.Within(javaTypes...).Is("interface_declaration"))
	return f
}

// modified reports a declaration with a word before it.
func (g Java) modified(n *syntax.Node, word string) bool {
	m := n.First("modifiers")
	return m != nil && m.First(word) != nil
}

func (g Java) params(list *syntax.Node) []string {
	var out []string
	for _, p := range list.Parts() {
		if p.Is("spread_parameter") {
			p = p.First("variable_declarator")
		}
		if name := p.At("name"); name != nil {
			out = append(out, g.Text(name))
		}
	}
	return out
}

// doc is the comment for readers of the documentation, right above a declaration.
func (g Java) doc(n *syntax.Node) string {
	if n.Parent == nil {
		return ""
	}
	var before *syntax.Node
	for _, c := range n.Parent.Children {
		if c == n {
			break
		}
		before = c
	}
	text := g.Text(before)
	if !before.Is("comment") || !strings.HasPrefix(text, "/**") {
		return ""
	}
	var lines []string
	for line := range strings.Lines(strings.TrimSuffix(text[3:], "*/")) {
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "*")))
	}
	return strings.Join(lines, "\n")
}

func (g Java) scope(n *syntax.Node) string {
	if n.Is(javaTypes...) {
		return g.Text(n.At("name"))
	}
	return ""
}

func (g Java) effect(n *syntax.Node) (int, string) {
	switch n.Kind {
	case "if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement", "catch_clause", "ternary_expression":
		return 1, ""
	case "switch_label":
		return min(len(n.Parts()), 1), "" // the default has none
	case "binary_expression":
		if n.At("operator").Is("&&", "||") {
			return 1, ""
		}
	case "method_invocation":
		return 0, g.Callee(n)
	case "object_creation_expression":
		return 0, g.typeName(n.At("type"))
	}
	return 0, ""
}

// Callee is "f", "a.b.f", or ".f" when it hangs on an expression.
func (g Java) Callee(n *syntax.Node) string {
	switch {
	case n.Is("identifier", "this", "super", "type_identifier"):
		return g.Text(n)
	case n.Is("field_access"):
		return g.below(n.At("object"), n.At("field"))
	case n.Is("method_invocation") && n.At("object") == nil:
		return g.Text(n.At("name"))
	case n.Is("method_invocation"):
		return g.below(n.At("object"), n.At("name"))
	}
	return ""
}

func (g Java) below(object, name *syntax.Node) string {
	text := ""
	if !object.Is("method_invocation") {
		text = g.Callee(object)
	}
	if strings.HasPrefix(text, ".") {
		text = ""
	}
	return text + "." + g.Text(name)
}

// typeName is the bare name of a type.
func (g Java) typeName(n *syntax.Node) string {
	if n.Is("generic_type") {
		n = n.First("type_identifier", "scoped_type_identifier")
	}
	name := g.Text(n)
	return name[strings.LastIndexByte(name, '.')+1:]
}

func (g Java) ImportsAt(n *syntax.Node) []qa.Import { return g.module(n).imports }

func (g Java) module(n *syntax.Node) declared {
	switch n.Kind {
	case "package_declaration":
		return declared{pkg: g.Text(n.First("scoped_identifier", "identifier"))}
	case "import_declaration":
		path := g.Text(n.First("scoped_identifier", "identifier"))
		if path == "" {
			return declared{}
		}
		name := path[strings.LastIndexByte(path, '.')+1:]
		if n.First("asterisk") != nil {
			name = "*"
		}
		return declared{imports: []qa.Import{{Path: path, Names: []string{name}, From: []string{name}, Line: g.Line(n.Start)}}}
	}
	return declared{}
}

func (g Java) Assigned(n *syntax.Node) ([]*syntax.Node, *syntax.Node) {
	switch n.Kind {
	case "variable_declarator", "enhanced_for_statement":
		return []*syntax.Node{n.At("name")}, n.At("value")
	case "assignment_expression":
		return []*syntax.Node{n.At("left")}, n.At("right")
	case "resource":
		return []*syntax.Node{n.At("name")}, n.At("value")
	case "instanceof_expression":
		if name := n.At("name"); name != nil {
			return []*syntax.Node{name}, n.At("left")
		}
	case "try_statement": // what is caught comes from what was tried
		var caught []*syntax.Node
		for _, c := range n.Children {
			if c.Is("catch_clause") {
				caught = append(caught, c.First("catch_formal_parameter").At("name"))
			}
		}
		return caught, n.At("body")
	case "method_declaration":
		return []*syntax.Node{n.At("name")}, n.At("body")
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration":
		return []*syntax.Node{n.At("name")}, n.At("body")
	}
	return nil, nil
}
