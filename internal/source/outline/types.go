package outline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// This file notes what a text says of the types of its variables, as far as that is sure
// without a compiler: what they are declared as, and what makes them.

// typed is a variable with its type. One of an object ("self.conn") is a field.
type typed struct {
	name string
	qa.Bound
}

// typing is what a grammar says of types.
type typing interface {
	// types are the variables that n declares or fills.
	types(n *syntax.Node) []typed
	// bases are a class that n declares and what it is derived from.
	bases(n *syntax.Node) (class string, from []string)
}

type (
	goTyping     struct{ Go }
	pythonTyping struct{ Python }
	scriptTyping struct{ Script }
)

// note keeps what a node says of types.
func (o *outliner) note(n *syntax.Node, in frame) {
	var g typing
	switch of := o.grammar.(type) {
	case Go:
		g = goTyping{of}
	case Python:
		g = pythonTyping{of}
	case Script:
		g = scriptTyping{of}
	default:
		return
	}
	if class, from := g.bases(n); class != "" {
		if o.out.Bases == nil {
			o.out.Bases = map[string][]string{}
		}
		o.out.Bases[class] = append(o.out.Bases[class], from...)
	}
	for _, v := range g.types(n) {
		into := &o.out.Types
		if field, own := ownField(v.name); own {
			class := in.scope
			if in.fn >= 0 {
				class, _, _ = strings.Cut(class, ".")
			}
			v.name = class + "." + field
		} else if in.fn >= 0 && !strings.Contains(v.name, ".") {
			into = &o.out.Functions[in.fn].Types
		}
		if *into == nil {
			*into = map[string]qa.Bound{}
		}
		if was, known := (*into)[v.name]; known && was != v.Bound {
			v.Bound = qa.Bound{}
		}
		(*into)[v.name] = v.Bound
	}
}

func ownField(name string) (field string, own bool) {
	for _, self := range []string{"self.", "this."} {
		if field, own = strings.CutPrefix(name, self); own {
			return field, !strings.Contains(field, ".")
		}
	}
	return "", false
}

func (g goTyping) bases(*syntax.Node) (class string, from []string) { return "", nil }

func (g goTyping) types(n *syntax.Node) []typed {
	var out []typed
	fields := func(list *syntax.Node, prefix string) {
		if list == nil {
			return
		}
		for _, f := range list.All("list") {
			for _, name := range f.All("names") {
				out = append(out, typed{prefix + g.Text(name), g.declared(f.At("type"))})
			}
		}
	}
	switch n.Kind {
	case "FuncDecl":
		fields(n.At("recv"), "")
		fields(n.At("type").At("params"), "")
		results := n.At("type").At("results")
		fields(results, "")
		if results != nil && len(results.All("list")) > 0 {
			out = append(out, typed{given, g.declared(results.All("list")[0].At("type"))})
		}
	case "FuncLit":
		fields(n.At("type").At("params"), "")
	case "TypeSpec":
		if s := n.At("type"); s.Is("StructType") {
			fields(s.At("fields"), g.Text(n.At("name"))+".")
		}
	case "ValueSpec":
		values := n.All("values")
		for i, name := range n.All("names") {
			kind := g.declared(n.At("type"))
			if n.At("type") == nil && i < len(values) {
				kind = g.made(values[i])
			}
			out = append(out, typed{g.Text(name), kind})
		}
	case "AssignStmt":
		left, right := n.All("lhs"), n.All("rhs")
		for i, to := range left {
			if !to.Is("Ident") || !n.At("tok").Is(":=") {
				continue // what is assigned to has been declared
			}
			kind := qa.Bound{}
			if i < len(right) {
				kind = g.made(right[i])
			}
			out = append(out, typed{g.Text(to), kind})
		}
	case "RangeStmt":
		for _, to := range append(n.All("key"), n.All("value")...) {
			out = append(out, typed{g.Text(to), qa.Bound{}})
		}
	}
	return out
}

// declared is a type as it is written. A pointer leads to no interface.
func (g goTyping) declared(n *syntax.Node) qa.Bound {
	switch {
	case n.Is("StarExpr"):
		return qa.Bound{Type: g.declared(n.At("x")).Type, Exact: true}
	case n.Is("IndexExpr", "IndexListExpr"):
		return g.declared(n.At("x"))
	case n.Is("Ident", "SelectorExpr"):
		return qa.Bound{Type: g.Text(n)}
	}
	return qa.Bound{}
}

// given is behind the name of a function that gives a value of what it is declared to, and
// the name of that among its variables.
const given = "()"

// made is what an expression makes: T{}, &T{}, new(T), what NewT() gives.
func (g goTyping) made(n *syntax.Node) qa.Bound {
	switch {
	case n.Is("CompositeLit"):
		return qa.Bound{Type: g.declared(n.At("type")).Type, Exact: true}
	case n.Is("UnaryExpr"):
		return g.made(n.At("x"))
	case n.Is("CallExpr"):
		callee := g.Callee(n.At("fun"))
		if args := n.All("args"); callee == "new" && len(args) == 1 {
			return qa.Bound{Type: g.declared(args[0]).Type, Exact: true}
		}
		if callee != "" && !strings.HasPrefix(callee, ".") {
			return qa.Bound{Type: callee + given}
		}
	}
	return qa.Bound{}
}

func (g pythonTyping) bases(n *syntax.Node) (class string, from []string) {
	if !n.Is("class_definition") {
		return "", nil
	}
	for _, b := range n.At("superclasses").Parts() {
		if b.Is("subscript") {
			b = b.At("value")
		}
		if b.Is("identifier", "attribute") {
			from = append(from, last(g.Text(b)))
		}
	}
	return g.Text(n.At("name")), from
}

func (g pythonTyping) types(n *syntax.Node) []typed {
	switch n.Kind {
	case "typed_parameter", "typed_default_parameter":
		name := n.At("name")
		if name == nil {
			name = n.First("identifier")
		}
		if name != nil {
			return []typed{{g.Text(name), className(g.Text(n.At("type")))}}
		}
	case "assignment":
		left := n.At("left")
		if !left.Is("identifier", "attribute") {
			return g.unknown(left)
		}
		if kind := n.At("type"); kind != nil {
			return []typed{{g.Text(left), className(g.Text(kind))}}
		}
		return []typed{{g.Text(left), g.made(n.At("right"))}}
	case "for_statement", "for_in_clause", "named_expression":
		if left := n.At("left"); left != nil {
			return g.unknown(left)
		}
		return g.unknown(n.At("name"))
	case "as_pattern_target":
		return g.unknown(n)
	}
	return nil
}

// unknown are names that get a value of which nothing is said.
func (g pythonTyping) unknown(n *syntax.Node) []typed {
	var out []typed
	n.Walk(func(c *syntax.Node) bool {
		if c.Is("identifier") {
			out = append(out, typed{g.Text(c), qa.Bound{}})
		}
		return !c.Is("attribute", "subscript")
	})
	return out
}

// made is what an expression makes: T(), where T is called as classes are.
func (g pythonTyping) made(n *syntax.Node) qa.Bound {
	if n.Is("call") {
		kind := className(g.Text(n.At("function")))
		kind.Exact = kind.Type != ""
		return kind
	}
	return qa.Bound{}
}

var plainType = pattern.New(`^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$`)

// className is a type as it is written, with its own name in upper case as classes have
// it; none of anything else.
func className(text string) qa.Bound {
	text = strings.TrimSpace(strings.Trim(strings.TrimPrefix(text, ":"), `"' `))
	if r, _ := utf8.DecodeRuneInString(strings.TrimLeft(last(text), "_$")); !plainType.MatchString(text) || !unicode.IsUpper(r) {
		return qa.Bound{}
	}
	return qa.Bound{Type: text}
}

func (g scriptTyping) bases(n *syntax.Node) (class string, from []string) {
	if !n.Is("class_declaration", "abstract_class_declaration", "class") {
		return "", nil
	}
	if h := n.First("class_heritage"); h != nil {
		h.Walk(func(c *syntax.Node) bool {
			if c.Is("identifier", "type_identifier", "property_identifier") {
				from = append(from, g.Text(c))
			}
			return !c.Is("type_arguments", "arguments")
		})
	}
	return g.scope(n), from
}

func (g scriptTyping) types(n *syntax.Node) []typed {
	switch n.Kind {
	case "variable_declarator", "public_field_definition", "field_definition":
		name := n.At("name")
		if name == nil {
			name = n.At("property")
		}
		prefix := ""
		if !n.Is("variable_declarator") {
			prefix = "this."
		}
		kind := className(g.Text(n.At("type")))
		if n.At("type") == nil {
			kind = g.made(n.At("value"))
		}
		if name.Is("identifier", "property_identifier", "private_property_identifier") {
			return []typed{{prefix + g.Text(name), kind}}
		}
	case "assignment_expression":
		if left := n.At("left"); left.Is("identifier") || left.Is("member_expression") && left.At("object").Is("this") {
			return []typed{{g.Text(left), g.made(n.At("right"))}}
		}
	case "required_parameter", "optional_parameter":
		if name := n.At("pattern"); name.Is("identifier") {
			return []typed{{g.Text(name), className(g.Text(n.At("type")))}}
		}
	}
	return nil
}

// made is what an expression makes: new T().
func (g scriptTyping) made(n *syntax.Node) qa.Bound {
	if n.Is("new_expression") {
		kind := className(g.Text(n.At("constructor")))
		kind.Exact = kind.Type != ""
		return kind
	}
	return qa.Bound{}
}
