package mutant

import (
	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// scriptMutator makes mutants of JavaScript and TypeScript. A TypeScript one
// type-checks where a plain one would: what is put in place of a value is of
// type never.
type scriptMutator struct {
	*syntax.Tree
	typed bool
}

func newScriptMutator(t *syntax.Tree) mutator { return scriptMutator{Tree: t} }

func newTypedMutator(t *syntax.Tree) mutator { return scriptMutator{Tree: t, typed: true} }

func (m scriptMutator) standalone(text []byte) []byte { return text }

var scriptLogging = pattern.New(`^(console|process\.(stdout|stderr)|(this\.)?_?(log|logger|debug|winston|pino))\.\w+$` +
	`|^(debug|warn|log|trace|invariant|assert|deprecate)$`)

func (m scriptMutator) arid(n *syntax.Node) bool {
	switch n.Kind {
	case "import_statement", "comment", "decorator",
		"type_annotation", "type_arguments", "type_parameters", "interface_declaration",
		"type_alias_declaration", "ambient_declaration", "asserts_annotation", "type_predicate_annotation":
		return true
	case "call_expression":
		if _, required := (outline.Script{Tree: m.Tree}).Requires(n); required {
			return true
		}
		return scriptLogging.MatchString(outline.Script{Tree: m.Tree}.Callee(n.At("function")))
	case "new_expression":
		return errorType.MatchString(m.Text(n.At("constructor")))
	case "binary_expression":
		return outline.Script{Tree: m.Tree}.Generic(n) != nil
	}
	if n.Parent.Is("throw_statement") { // the words of an error
		return true
	}
	// The right side of "x as T" and "x satisfies T" is a type.
	if p := n.Parent; p.Is("as_expression", "satisfies_expression") && n.Named && n != p.Parts()[0] {
		return true
	}
	return false
}

// exported is what a module hands out: without it no test gets as far as its assertion.
var exported = pattern.New(`^(module\.)?exports\b`)

// rejection is a promise that fails.
var rejection = pattern.New(`^Promise\s*\.\s*reject\(`)

var errorType = pattern.New(`(Error|Exception|Warning)$`)

func (m scriptMutator) at(n *syntax.Node) []mutation {
	switch n.Kind {
	case "binary_expression":
		return m.binary(n)
	case "augmented_assignment_expression", "update_expression":
		op := n.At("operator")
		if op.Is("+=") && n.At("right").Is("string", "template_string") {
			return nil
		}
		return swap(op, op.Kind)
	case "if_statement", "while_statement", "ternary_expression":
		return m.condition(n.At("condition"))
	case "unary_expression":
		if n.At("operator").Is("!") && !n.At("argument").Is("unary_expression") {
			return replace(conditionalNegation, n, m.Text(n.At("argument")))
		}
	case "return_statement":
		var out []mutation
		if parts := n.Parts(); len(parts) == 1 {
			out = m.value(parts[0])
		}
		return append(out, m.early(n)...)
	case "arrow_function":
		if body := n.At("body"); !body.Is("statement_block") {
			return m.value(body)
		}
	case "expression_statement":
		return m.statement(n)
	case "call_expression":
		return m.propagated(n)
	case "throw_statement":
		return replace(removedError, n, "void 0;")
	case "break_statement", "continue_statement":
		return m.jump(n)
	case "regex_pattern":
		if other, ok := otherExpression(m.Text(n)); ok {
			return replace(regularExpression, n, other)
		}
	case "number", "true", "false", "string":
		return m.constant(n)
	}
	return nil
}

// early goes on where an if left the function.
func (m scriptMutator) early(n *syntax.Node) []mutation {
	within := n.Parent
	if within.Is("statement_block") {
		within = within.Parent
	}
	if within.Is("if_statement") && within.At("alternative") == nil {
		return replace(earlyReturn, n, "void 0;")
	}
	return nil
}

// jump goes on where a loop ended, and ends it where it went on. What leaves a case of a
// switch runs into the next one; what leaves a named block is left alone.
func (m scriptMutator) jump(n *syntax.Node) []mutation {
	within := n.Within("for_statement", "for_in_statement", "while_statement", "do_statement", "switch_statement", "function_declaration", "arrow_function", "function_expression", "method_definition")
	switch {
	case len(n.Parts()) > 0, within == nil:
		return nil
	case within.Is("switch_statement") && !m.runsOn(n):
		return nil
	case n.Is("continue_statement"):
		return replace(jump, n, "break;")
	}
	return replace(jump, n, "void 0;")
}

// runsOn reports that a break of a switch stands at the end of a case that another follows.
func (m scriptMutator) runsOn(n *syntax.Node) bool {
	at := n.Within("switch_case", "switch_default")
	cases := at.Within("switch_body").Parts()
	body := at.Parts()
	if n.Parent.Is("statement_block") && n.Parent.Parent == at {
		body = n.Parent.Parts()
	}
	return n.Is("break_statement") && len(cases) > 0 && cases[len(cases)-1] != at && len(body) > 1 && body[len(body)-1] == n
}

func (m scriptMutator) binary(n *syntax.Node) []mutation {
	op := n.At("operator")
	switch op.Kind {
	case "??":
		// a && b ?? c is a syntax error.
		if n.Parent.Is("binary_expression") || n.At("left").Is("binary_expression") || n.At("right").Is("binary_expression") {
			return nil
		}
	case "+":
		if textual(n.At("left")) || textual(n.At("right")) {
			return nil
		}
	case "in", "instanceof":
		return replace(conditionalNegation, n, "!("+m.Text(n)+")")
	}
	return swap(op, op.Kind)
}

// textual is true for a sum that joins strings as far as can be seen.
func textual(n *syntax.Node) bool {
	return n.Is("string", "template_string") ||
		n.Is("binary_expression") && n.At("operator").Is("+") && (textual(n.At("left")) || textual(n.At("right")))
}

func (m scriptMutator) condition(cond *syntax.Node) []mutation {
	inner := cond
	for inner.Is("parenthesized_expression") && len(inner.Parts()) == 1 {
		inner = inner.Parts()[0]
	}
	if inner == nil || inner.Is("binary_expression", "unary_expression", "true", "false") {
		return nil
	}
	return replace(conditionalNegation, inner, "!("+m.Text(inner)+")")
}

// value puts an empty value in place of what a function gives back.
func (m scriptMutator) value(n *syntax.Node) []mutation {
	switch {
	case rejection.MatchString(m.Text(n)):
		return replace(removedError, n, "undefined")
	case m.arid(n), n.Is("undefined", "null", "true", "false", "number", "string"):
		return nil
	case n.Is("array") && len(n.Parts()) > 0:
		return replace(ReturnValue, n, "[]")
	case n.Is("jsx_element", "jsx_self_closing_element", "jsx_fragment"):
		return replace(ReturnValue, n, "null")
	case m.typed:
		return replace(ReturnValue, n, "(undefined as never)")
	}
	return replace(ReturnValue, n, "undefined")
}

func (m scriptMutator) statement(n *syntax.Node) []mutation {
	parts := n.Parts()
	if len(parts) != 1 {
		return nil
	}
	call := parts[0]
	if call.Is("assignment_expression") || call.Is("unary_expression") && call.At("operator").Is("delete") {
		if n.Parent.Is("statement_block", "program", "if_statement", "else_clause") && !exported.MatchString(m.Text(call)) {
			return replace(removedStatement, call, "void 0")
		}
		return nil
	}
	if call.Is("await_expression") && len(call.Parts()) == 1 {
		call = call.Parts()[0]
	}
	if !call.Is("call_expression") || m.arid(call) || call.At("function").Is("super", "parenthesized_expression", "function_expression") {
		return nil
	}
	return replace(RemovedCall, parts[0], "void 0")
}

// propagated puts what a function is given in place of what it gives back.
func (m scriptMutator) propagated(n *syntax.Node) []mutation {
	arguments := n.At("arguments").Parts()
	if n.Parent.Is("expression_statement", "await_expression") || n.At("function").Is("super", "import") ||
		len(arguments) != 1 || !arguments[0].Is("identifier", "member_expression", "subscript_expression", "call_expression") {
		return nil
	}
	value := m.Text(arguments[0])
	if m.typed {
		value = "(" + value + " as never)"
	}
	return replace(propagation, n, value)
}

func (m scriptMutator) constant(n *syntax.Node) []mutation {
	switch p := n.Parent; {
	case p.Is("pair", "public_field_definition", "field_definition", "method_definition") && n.Field != "value",
		p.Is("jsx_attribute", "literal_type", "enum_assignment", "enum_body", "export_statement", "expression_statement"):
		return nil
	}
	if n.Kind != "string" {
		return literal(n, m.Text(n), "true", "false")
	}
	if made := n.Parent.Parent; n.Parent.Is("arguments") && n.Parent.Parts()[0] == n && made.Is("new_expression", "call_expression") {
		if callee := m.Text(made.At("constructor")) + m.Text(made.At("function")); builds.MatchString(callee) {
			return expression(n, m.Text(n))
		}
	}
	if n.End-n.Start == 2 {
		return replace(stringLiteral, n, `"mutated"`)
	}
	return replace(stringLiteral, n, `""`)
}
