package source

import (
	"regexp"
	"strings"
)

// pythonMutator makes mutants of Python.
type pythonMutator struct{ *tree }

func newPythonMutator(t *tree) mutator { return pythonMutator{t} }

func (m pythonMutator) standalone(text []byte) []byte { return append(text, '\n') }

var (
	pythonLogging = regexp.MustCompile(`^(print|(self\.|cls\.)?_?(log|logger|logging|LOG|LOGGER|warnings)\.\w+|warn)$`)
	pythonGuard   = regexp.MustCompile(`^(__name__\s*==.*|(typing\.)?TYPE_CHECKING|sys\.version_info.*)$`)
)

func (m pythonMutator) arid(n *node) bool {
	switch n.kind {
	case "import_statement", "import_from_statement", "future_import_statement", "comment",
		"raise_statement", "assert_statement", "decorator", "type", "type_alias_statement":
		return true
	case "call":
		callee := pythonGrammar(m).callee(n.at("function"))
		return pythonLogging.MatchString(callee) || errorType.MatchString(callee)
	case "if_statement":
		return pythonGuard.MatchString(m.text(n.at("condition")))
	case "assignment":
		left := m.text(n.at("left"))
		return strings.HasPrefix(left, "__") && strings.HasSuffix(left, "__")
	}
	return false
}

func (m pythonMutator) at(n *node) []mutation {
	switch n.kind {
	case "comparison_operator":
		var out []mutation
		for _, op := range n.all("operators") {
			out = append(out, swap(op, m.operator(op))...)
		}
		return out
	case "boolean_operator":
		return swap(n.at("operator"), n.at("operator").kind)
	case "binary_operator":
		if op := n.at("operator"); !op.is("+", "%") || !pythonTextual(n.at("left")) && !pythonTextual(n.at("right")) {
			return swap(op, op.kind)
		}
	case "augmented_assignment":
		if op := n.at("operator"); !op.is("+=") || !pythonTextual(n.at("right")) {
			return swap(op, op.kind)
		}
	case "if_statement", "elif_clause", "while_statement":
		return m.condition(n.at("condition"))
	case "conditional_expression":
		if parts := n.parts(); len(parts) == 3 {
			return m.condition(parts[1])
		}
	case "not_operator":
		return replace(conditionalNegation, n, m.text(n.at("argument")))
	case "return_statement":
		return m.returned(n)
	case "call", "await":
		return m.statement(n)
	case "integer", "true", "false", "string":
		return m.constant(n)
	}
	return nil
}

// operator is a comparison without the spaces in the middle of "not  in".
func (m pythonMutator) operator(op *node) string { return oneLine([]byte(m.text(op))) }

// pythonTextual is true for what a sum with it cannot be one of numbers.
func pythonTextual(n *node) bool {
	return n.is("string", "concatenated_string", "list", "tuple", "list_comprehension") ||
		n.is("binary_operator") && (pythonTextual(n.at("left")) || pythonTextual(n.at("right")))
}

func (m pythonMutator) condition(cond *node) []mutation {
	if cond == nil || cond.is("comparison_operator", "boolean_operator", "not_operator", "true", "false", "named_expression") {
		return nil
	}
	return replace(conditionalNegation, cond, "not ("+m.text(cond)+")")
}

func (m pythonMutator) returned(n *node) []mutation {
	parts := n.parts()
	if len(parts) != 1 || parts[0].is("none", "true", "false", "integer", "string") {
		return nil
	}
	return replace(ReturnValue, parts[0], "None")
}

// statement takes away calls whose result nobody takes.
func (m pythonMutator) statement(n *node) []mutation {
	if !n.parent.is("block", "module", "expression_statement") || n.field != "" {
		return nil
	}
	call := n
	if call.is("await") && len(call.parts()) == 1 {
		call = call.parts()[0]
	}
	if !call.is("call") || m.arid(call) {
		return nil
	}
	return replace(RemovedCall, n, "pass")
}

func (m pythonMutator) constant(n *node) []mutation {
	switch n.kind {
	case "true":
		return replace(constantChange, n, "False")
	case "false":
		return replace(constantChange, n, "True")
	case "integer":
		if next, ok := nextNumber(m.text(n)); ok {
			return replace(constantChange, n, next)
		}
		return nil
	}
	start := n.first("string_start")
	switch {
	case n.parent.is("block", "module", "expression_statement", "concatenated_string", "case_pattern"),
		n.first("interpolation") != nil, start == nil || len(m.text(start)) > 1:
		return nil // documentation, pieces of texts, and those with prefixes
	case n.end-n.start == 2:
		return replace(stringLiteral, n, `"mutated"`)
	}
	return replace(stringLiteral, n, `""`)
}
