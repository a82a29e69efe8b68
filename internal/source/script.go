package source

import (
	"fmt"
	"regexp"
	"strings"
)

// scriptGrammar reads outlines of JavaScript and TypeScript, JSX included.
type scriptGrammar struct{ *tree }

func newScriptGrammar(t *tree) grammar { return scriptGrammar{t} }

func scriptFunction(n *node) bool {
	return n.is("function_declaration", "generator_function_declaration", "function_expression",
		"generator_function", "arrow_function", "method_definition") && n.at("body") != nil
}

func (g scriptGrammar) function(n *node, in frame) *found {
	if !scriptFunction(n) {
		return nil
	}
	f := &found{node: n, start: n.start, body: n.at("body"), params: g.params(n)}
	if n.is("method_definition") {
		g.member(f, n)
	} else if f.name = g.text(n.at("name")); n.is("function_declaration", "generator_function_declaration") {
		f.start = exportStart(n)
		f.public = in.fn < 0 && n.parent.is("export_statement")
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
func (g scriptGrammar) member(f *found, n *node) {
	f.name = strings.Trim(g.text(n.at("name")), `'"`)
	f.private = strings.HasPrefix(f.name, "#")
	if m := n.first("accessibility_modifier"); m != nil && g.text(m) != "public" {
		f.private = true
	}
	// Decorators of methods stand beside them in TypeScript's grammar.
	siblings := n.parent.children
	for i := range siblings {
		if siblings[i] == n {
			for j := i - 1; j >= 0 && siblings[j].is("decorator"); j-- {
				f.start = siblings[j].start
			}
		}
	}
}

// held names a function expression by what holds it: a variable, a property, a
// field, a test. It is false for those that belong to the function around them
// and for the bodies of blocks of tests, which are no functions of their own.
func (g scriptGrammar) held(f *found, n *node, in frame) bool {
	holder, child := n.parent, n
	for holder.is("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression") {
		holder, child = holder.parent, holder
	}
	switch {
	case holder.is("arguments"):
		call := holder.parent
		if kind, title := g.testCall(call); kind == testCase {
			f.test, f.name = true, g.titles(call, title)
			f.start = call.start
			return true
		} else if kind == testBlock {
			return false
		}
		if in.fn < 0 {
			return g.wrapped(f, n, call)
		}
		return false
	case holder.is("variable_declarator") && child.field == "value":
		f.name, f.start = g.text(holder.at("name")), declaratorStart(holder)
		f.public = in.fn < 0 && holder.parent.parent.is("export_statement")
	case holder.is("assignment_expression") && child.field == "right":
		name, exported := g.assignee(g.text(holder.at("left")))
		if name == "exports" && f.name != "" {
			name = f.name
		}
		f.name, f.public, f.start = name, exported, holder.start
	case holder.is("pair") && child.field == "value":
		f.name, f.start = strings.Trim(g.text(holder.at("key")), `'"`), holder.start
	case holder.is("public_field_definition", "field_definition"):
		g.field(f, holder)
	case holder.is("export_statement"):
		if f.name == "" {
			f.name = "default"
		}
		f.public, f.start = true, holder.start
	case in.fn >= 0:
		return false
	case f.name == "":
		f.name = fmt.Sprintf("anonymous@%d", g.line(n.start))
	}
	return f.name != ""
}

func (g scriptGrammar) field(f *found, holder *node) {
	name := holder.at("name")
	if name == nil {
		name = holder.at("property")
	}
	f.name = g.text(name)
	f.start = holder.start
	f.private = strings.HasPrefix(f.name, "#")
	if m := holder.first("accessibility_modifier"); m != nil && g.text(m) != "public" {
		f.private = true
	}
}

// wrapped names a module-level callback by the variable that its call fills
// (const Button = memo(() => …)), else by its line.
func (g scriptGrammar) wrapped(f *found, n, call *node) bool {
	holder := call.parent
	for holder.is("arguments", "call_expression", "parenthesized_expression", "as_expression") {
		holder = holder.parent
	}
	switch {
	case holder.is("variable_declarator"):
		f.name, f.start = g.text(holder.at("name")), declaratorStart(holder)
		f.public = holder.parent.parent.is("export_statement")
	case holder.is("export_statement"):
		f.name, f.public = "default", true
	case f.name == "":
		f.name = fmt.Sprintf("anonymous@%d", g.line(n.start))
	}
	return true
}

var exportsPrefix = regexp.MustCompile(`^(module\.exports|exports)(\.|$)`)

// assignee turns the left side of an assignment into a name, and says whether
// the assignment exports it.
func (g scriptGrammar) assignee(left string) (name string, exported bool) {
	name = exportsPrefix.ReplaceAllString(left, "")
	exported = name != left
	if name == "" {
		name = "exports"
	}
	name = strings.TrimPrefix(name, "this.")
	return cut(oneLine([]byte(strings.Replace(name, ".prototype.", ".", 1))), 100), exported
}

func exportStart(n *node) int {
	if n.parent.is("export_statement") {
		return n.parent.start
	}
	return n.start
}

// declaratorStart is where the statement of a single variable starts; one of
// several variables starts at its own name.
func declaratorStart(declarator *node) int {
	statement := declarator.parent
	if !statement.is("lexical_declaration", "variable_declaration") || len(statement.parts()) > 1 {
		return declarator.start
	}
	return exportStart(statement)
}

func (g scriptGrammar) params(n *node) []string {
	if p := n.at("parameter"); p != nil {
		return []string{g.text(p)}
	}
	var out []string
	for _, p := range n.at("parameters").parts() {
		if pattern := p.at("pattern"); pattern != nil {
			p = pattern
		} else if left := p.at("left"); left != nil {
			p = left
		}
		if name := g.text(p); name != "this" {
			out = append(out, oneLine([]byte(name)))
		}
	}
	return out
}

// comment is the JSDoc that ends right before offset.
func (g scriptGrammar) comment(offset int) string {
	before := strings.TrimRight(string(g.src[max(0, offset-4000):offset]), " \t\r\n")
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
func (g scriptGrammar) scope(n *node) string {
	switch n.kind {
	case "class_declaration", "abstract_class_declaration", "internal_module", "module":
		return g.text(n.at("name"))
	case "class", "object":
		holder := n.parent
		for holder.is("parenthesized_expression", "as_expression", "satisfies_expression") {
			holder = holder.parent
		}
		switch {
		case holder.is("variable_declarator"):
			return g.text(holder.at("name"))
		case holder.is("pair"):
			return strings.Trim(g.text(holder.at("key")), `'"`)
		case holder.is("assignment_expression"):
			if name, _ := g.assignee(g.text(holder.at("left"))); name != "exports" {
				return name
			}
		}
		if name := n.at("name"); name != nil {
			return g.text(name)
		}
		if n.is("class") && holder.is("export_statement") {
			return "default"
		}
	}
	return ""
}

func (g scriptGrammar) effect(n *node) (int, string) {
	switch n.kind {
	case "if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement",
		"switch_case", "catch_clause", "ternary_expression":
		return 1, ""
	case "binary_expression", "augmented_assignment_expression":
		if f := g.generic(n); f != nil {
			return 0, g.callee(f)
		}
		if n.at("operator").is("&&", "||", "??", "&&=", "||=", "??=") {
			return 1, ""
		}
	case "call_expression":
		return 0, g.callee(n.at("function"))
	case "new_expression":
		return 0, g.callee(n.at("constructor"))
	}
	return 0, ""
}

// generic is the callee of a call with type arguments that the parser took for
// two comparisons, (await f<T>(x)), which happens inside of parentheses.
func (g scriptGrammar) generic(n *node) *node {
	left, right := n.at("left"), n.at("right")
	if !n.is("binary_expression") || !n.at("operator").is(">") || !right.is("parenthesized_expression") {
		return nil
	}
	for left.is("await_expression") && len(left.parts()) == 1 {
		left = left.parts()[0]
	}
	if !left.is("binary_expression") || !left.at("operator").is("<") {
		return nil
	}
	return left.at("left")
}

// callee is "f", "a.b.f" (with ?. as .), or ".f" when it hangs on an expression.
func (g scriptGrammar) callee(n *node) string {
	switch {
	case n.is("identifier", "this", "super"):
		return g.text(n)
	case n.is("member_expression"):
		object := g.callee(n.at("object"))
		if strings.HasPrefix(object, ".") || n.at("object").is("call_expression") {
			object = ""
		}
		return object + "." + g.text(n.at("property"))
	case n.is("parenthesized_expression", "non_null_expression", "await_expression"):
		// The last stands here where the parser reads await f<T>(x) as (await f)<T>(x).
		if parts := n.parts(); len(parts) == 1 {
			return g.callee(parts[0])
		}
	}
	return ""
}
