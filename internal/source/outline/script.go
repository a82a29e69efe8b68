package outline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// Script reads nodes of JavaScript and TypeScript, JSX included.
type Script struct{ *syntax.Tree }

func newScriptGrammar(t *syntax.Tree) grammar { return Script{t} }

// ScriptFunction reports whether n is a function that has a body.
func ScriptFunction(n *syntax.Node) bool {
	return n.Is("function_declaration", "generator_function_declaration", "function_expression",
		"generator_function", "arrow_function", "method_definition") && n.At("body") != nil
}

func (g Script) function(n *syntax.Node, in frame) *found {
	if !ScriptFunction(n) {
		return nil
	}
	f := &found{node: n, start: n.Start, body: n.At("body"), params: g.params(n)}
	if n.Is("method_definition") {
		g.member(f, n)
	} else if f.name = g.Text(n.At("name")); n.Is("function_declaration", "generator_function_declaration") {
		f.start = exportStart(n)
		f.public = in.fn < 0 && n.Parent.Is("export_statement")
		if f.name == "" && f.public {
			f.name = "default"
		}
	} else if !g.held(f, n, in) {
		return nil
	}
	f.doc = g.comment(f.start)
	return f
}

// member fills in a method of a class or of an object literal.
func (g Script) member(f *found, n *syntax.Node) {
	f.name = strings.Trim(g.Text(n.At("name")), `'"`)
	f.private = g.hidden(f.name, n)
	// Decorators of methods stand beside them in TypeScript's grammar.
	siblings := n.Parent.Children
	for i := slices.Index(siblings, n) - 1; i >= 0 && siblings[i].Is("decorator"); i-- {
		f.start = siblings[i].Start
	}
}

// hidden reports whether a member of a class cannot be reached from outside.
func (g Script) hidden(name string, member *syntax.Node) bool {
	m := member.First("accessibility_modifier")
	return strings.HasPrefix(name, "#") || m != nil && g.Text(m) != "public"
}

// held names a function expression by what holds it: a variable, a property, a
// field, a test. It is false for those that belong to the function around them
// and for the bodies of blocks of tests, which are no functions of their own.
func (g Script) held(f *found, n *syntax.Node, in frame) bool {
	holder, child := n.Parent, n
	for holder.Is("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression") {
		holder, child = holder.Parent, holder
	}
	switch {
	case holder.Is("arguments"):
		call := holder.Parent
		if kind, title := g.TestCall(call); kind == TestCase {
			f.test, f.name = true, g.Titles(call, title)
			f.start = call.Start
			return true
		} else if kind == TestBlock {
			return false
		}
		if in.fn < 0 {
			return g.wrapped(f, n, call)
		}
		return false
	case holder.Is("variable_declarator") && child.Field == "value":
		f.name, f.start = g.Text(holder.At("name")), declaratorStart(holder)
		f.public = in.fn < 0 && holder.Parent.Parent.Is("export_statement")
	case holder.Is("assignment_expression") && child.Field == "right":
		name, exported := g.assignee(g.Text(holder.At("left")))
		if name == "exports" && f.name != "" {
			name = f.name
		}
		f.name, f.public, f.start = name, exported, holder.Start
	case holder.Is("pair") && child.Field == "value":
		f.name, f.start = strings.Trim(g.Text(holder.At("key")), `'"`), holder.Start
	case holder.Is("public_field_definition", "field_definition"):
		g.field(f, holder)
	case holder.Is("export_statement"):
		if f.name == "" {
			f.name = "default"
		}
		f.public, f.start = true, holder.Start
	case in.fn >= 0:
		return false
	case f.name == "":
		f.name = fmt.Sprintf("anonymous@%d", g.Line(n.Start))
	}
	return f.name != ""
}

func (g Script) field(f *found, holder *syntax.Node) {
	name := holder.At("name")
	if name == nil {
		name = holder.At("property")
	}
	f.name = g.Text(name)
	f.start = holder.Start
	f.private = g.hidden(f.name, holder)
}

// wrapped names a module-level callback by the variable that its call fills
// (const Button = memo(() => …)), else by its line.
func (g Script) wrapped(f *found, n, call *syntax.Node) bool {
	holder := call.Parent
	for holder.Is("arguments", "call_expression", "parenthesized_expression", "as_expression") {
		holder = holder.Parent
	}
	switch {
	case holder.Is("variable_declarator"):
		f.name, f.start = g.Text(holder.At("name")), declaratorStart(holder)
		f.public = holder.Parent.Parent.Is("export_statement")
	case holder.Is("export_statement"):
		f.name, f.public = "default", true
	case f.name == "":
		f.name = fmt.Sprintf("anonymous@%d", g.Line(n.Start))
	}
	return true
}

var exportsPrefix = pattern.New(`^(module\.exports|exports)(\.|$)`)

// assignee turns the left side of an assignment into a name, and says whether
// the assignment exports it.
func (g Script) assignee(left string) (name string, exported bool) {
	name = exportsPrefix.ReplaceAllString(left, "")
	exported = name != left
	if name == "" {
		name = "exports"
	}
	name = strings.TrimPrefix(name, "this.")
	return wording.Bytes(wording.Fold(strings.Replace(name, ".prototype.", ".", 1)), 100), exported
}

func exportStart(n *syntax.Node) int {
	if n.Parent.Is("export_statement") {
		return n.Parent.Start
	}
	return n.Start
}

// declaratorStart is where the statement of a single variable starts; one of
// several variables starts at its own name.
func declaratorStart(declarator *syntax.Node) int {
	statement := declarator.Parent
	if !statement.Is("lexical_declaration", "variable_declaration") || len(statement.Parts()) > 1 {
		return declarator.Start
	}
	return exportStart(statement)
}

func (g Script) params(n *syntax.Node) []string {
	if p := n.At("parameter"); p != nil {
		return []string{g.Text(p)}
	}
	var out []string
	for _, p := range n.At("parameters").Parts() {
		if pattern := p.At("pattern"); pattern != nil {
			p = pattern
		} else if left := p.At("left"); left != nil {
			p = left
		}
		if name := g.Text(p); name != "this" {
			out = append(out, wording.Fold(name))
		}
	}
	return out
}

// comment is the JSDoc that ends right before offset.
func (g Script) comment(offset int) string {
	before := strings.TrimRight(string(g.Src[max(0, offset-4000):offset]), " \t\r\n")
	if !strings.HasSuffix(before, "*/") {
		return ""
	}
	i := strings.LastIndex(before, "/**")
	if i < 0 || strings.Contains(before[i:len(before)-2], "*/") {
		return ""
	}
	var lines []string
	for line := range strings.Lines(before[i+3 : len(before)-2]) {
		lines = append(lines, strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "*")))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// scope: classes, and objects by the variable or property that holds them.
func (g Script) scope(n *syntax.Node) string {
	switch n.Kind {
	case "class_declaration", "abstract_class_declaration", "internal_module", "module":
		return g.Text(n.At("name"))
	case "class", "object":
		holder := n.Parent
		for holder.Is("parenthesized_expression", "as_expression", "satisfies_expression") {
			holder = holder.Parent
		}
		switch {
		case holder.Is("variable_declarator"):
			return g.Text(holder.At("name"))
		case holder.Is("pair"):
			return strings.Trim(g.Text(holder.At("key")), `'"`)
		case holder.Is("assignment_expression"):
			if name, _ := g.assignee(g.Text(holder.At("left"))); name != "exports" {
				return name
			}
		}
		if name := n.At("name"); name != nil {
			return g.Text(name)
		}
		if n.Is("class") && holder.Is("export_statement") {
			return "default"
		}
	}
	return ""
}

func (g Script) effect(n *syntax.Node) (int, string) {
	switch n.Kind {
	case "if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement",
		"switch_case", "catch_clause", "ternary_expression":
		return 1, ""
	case "binary_expression", "augmented_assignment_expression":
		if f := g.Generic(n); f != nil {
			return 0, g.Callee(f)
		}
		if n.At("operator").Is("&&", "||", "??", "&&=", "||=", "??=") {
			return 1, ""
		}
	case "call_expression":
		return 0, g.Callee(n.At("function"))
	case "new_expression":
		return 0, g.Callee(n.At("constructor"))
	}
	return 0, ""
}

// Generic is the callee of a call with type arguments that the parser took for
// two comparisons, (await f<T>(x)), which happens inside of parentheses.
func (g Script) Generic(n *syntax.Node) *syntax.Node {
	left, right := n.At("left"), n.At("right")
	if !n.Is("binary_expression") || !n.At("operator").Is(">") || !right.Is("parenthesized_expression") {
		return nil
	}
	for left.Is("await_expression") && len(left.Parts()) == 1 {
		left = left.Parts()[0]
	}
	if !left.Is("binary_expression") || !left.At("operator").Is("<") {
		return nil
	}
	return left.At("left")
}

// Callee is "f", "a.b.f" (with ?. as .), or ".f" when it hangs on an expression.
func (g Script) Callee(n *syntax.Node) string {
	switch {
	case n.Is("identifier", "this", "super"):
		return g.Text(n)
	case n.Is("member_expression"):
		object := g.Callee(n.At("object"))
		if strings.HasPrefix(object, ".") || n.At("object").Is("call_expression") {
			object = ""
		}
		return object + "." + g.Text(n.At("property"))
	case n.Is("parenthesized_expression", "non_null_expression", "await_expression"):
		// The last stands here where the parser reads await f<T>(x) as (await f)<T>(x).
		if parts := n.Parts(); len(parts) == 1 {
			return g.Callee(parts[0])
		}
	}
	return ""
}
