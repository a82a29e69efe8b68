package source

import "regexp"

// scriptMutator makes mutants of JavaScript and TypeScript. A TypeScript one
// type-checks where a plain one would: what is put in place of a value is of
// type never.
type scriptMutator struct {
	*tree
	typed bool
}

func newScriptMutator(t *tree) mutator { return scriptMutator{tree: t} }

func newTypedMutator(t *tree) mutator { return scriptMutator{tree: t, typed: true} }

func (m scriptMutator) standalone(text []byte) []byte { return text }

var scriptLogging = regexp.MustCompile(`^(console|process\.(stdout|stderr)|(this\.)?_?(log|logger|debug|winston|pino))\.\w+$` +
	`|^(debug|warn|log|trace|invariant|assert|deprecate)$`)

func (m scriptMutator) arid(n *node) bool {
	switch n.kind {
	case "import_statement", "comment", "throw_statement", "decorator",
		"type_annotation", "type_arguments", "type_parameters", "interface_declaration",
		"type_alias_declaration", "ambient_declaration", "asserts_annotation", "type_predicate_annotation":
		return true
	case "call_expression":
		if _, required := (scriptGrammar{m.tree}).requires(n); required {
			return true
		}
		return scriptLogging.MatchString(scriptGrammar{m.tree}.callee(n.at("function")))
	case "new_expression":
		return errorType.MatchString(m.text(n.at("constructor")))
	case "binary_expression":
		return scriptGrammar{m.tree}.generic(n) != nil
	}
	// The right side of "x as T" and "x satisfies T" is a type.
	if p := n.parent; p.is("as_expression", "satisfies_expression") && n.named && n != p.parts()[0] {
		return true
	}
	return false
}

var errorType = regexp.MustCompile(`(Error|Exception|Warning)$`)

func (m scriptMutator) at(n *node) []mutation {
	switch n.kind {
	case "binary_expression":
		return m.binary(n)
	case "augmented_assignment_expression", "update_expression":
		op := n.at("operator")
		if op.is("+=") && n.at("right").is("string", "template_string") {
			return nil
		}
		return swap(op, op.kind)
	case "if_statement", "while_statement", "ternary_expression":
		return m.condition(n.at("condition"))
	case "unary_expression":
		if n.at("operator").is("!") && !n.at("argument").is("unary_expression") {
			return replace(conditionalNegation, n, m.text(n.at("argument")))
		}
	case "return_statement":
		if parts := n.parts(); len(parts) == 1 {
			return m.value(parts[0])
		}
	case "arrow_function":
		if body := n.at("body"); !body.is("statement_block") {
			return m.value(body)
		}
	case "expression_statement":
		return m.statement(n)
	case "number", "true", "false", "string":
		return m.constant(n)
	}
	return nil
}

func (m scriptMutator) binary(n *node) []mutation {
	op := n.at("operator")
	switch op.kind {
	case "??":
		// a && b ?? c is a syntax error.
		if n.parent.is("binary_expression") || n.at("left").is("binary_expression") || n.at("right").is("binary_expression") {
			return nil
		}
	case "+":
		if textual(n.at("left")) || textual(n.at("right")) {
			return nil
		}
	case "in", "instanceof":
		return replace(conditionalNegation, n, "!("+m.text(n)+")")
	}
	return swap(op, op.kind)
}

// textual is true for a sum that joins strings as far as can be seen.
func textual(n *node) bool {
	return n.is("string", "template_string") ||
		n.is("binary_expression") && n.at("operator").is("+") && (textual(n.at("left")) || textual(n.at("right")))
}

func (m scriptMutator) condition(cond *node) []mutation {
	inner := cond
	for inner.is("parenthesized_expression") && len(inner.parts()) == 1 {
		inner = inner.parts()[0]
	}
	if inner == nil || inner.is("binary_expression", "unary_expression", "true", "false") {
		return nil
	}
	return replace(conditionalNegation, inner, "!("+m.text(inner)+")")
}

// value puts an empty value in place of what a function gives back.
func (m scriptMutator) value(n *node) []mutation {
	switch {
	case m.arid(n), n.is("undefined", "null", "true", "false", "number", "string"):
		return nil
	case n.is("array") && len(n.parts()) > 0:
		return replace(ReturnValue, n, "[]")
	case n.is("jsx_element", "jsx_self_closing_element", "jsx_fragment"):
		return replace(ReturnValue, n, "null")
	case m.typed:
		return replace(ReturnValue, n, "(undefined as never)")
	}
	return replace(ReturnValue, n, "undefined")
}

func (m scriptMutator) statement(n *node) []mutation {
	parts := n.parts()
	if len(parts) != 1 {
		return nil
	}
	call := parts[0]
	if call.is("await_expression") && len(call.parts()) == 1 {
		call = call.parts()[0]
	}
	if !call.is("call_expression") || m.arid(call) || call.at("function").is("super", "parenthesized_expression", "function_expression") {
		return nil
	}
	return replace(RemovedCall, parts[0], "void 0")
}

func (m scriptMutator) constant(n *node) []mutation {
	switch p := n.parent; {
	case p.is("pair", "public_field_definition", "field_definition", "method_definition") && n.field != "value",
		p.is("jsx_attribute", "literal_type", "enum_assignment", "enum_body", "export_statement", "expression_statement"):
		return nil
	}
	switch n.kind {
	case "true":
		return replace(constantChange, n, "false")
	case "false":
		return replace(constantChange, n, "true")
	case "number":
		if next, ok := nextNumber(m.text(n)); ok {
			return replace(constantChange, n, next)
		}
		return nil
	}
	if n.end-n.start == 2 {
		return replace(stringLiteral, n, `"mutated"`)
	}
	return replace(stringLiteral, n, `""`)
}
