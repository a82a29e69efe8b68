package mutant

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// pythonMutator makes mutants of Python.
type pythonMutator struct{ *syntax.Tree }

func newPythonMutator(t *syntax.Tree) mutator { return pythonMutator{t} }

func (m pythonMutator) standalone(text []byte) []byte { return append(text, '\n') }

var (
	pythonLogging = pattern.New(`^(print|(self\.|cls\.)?_?(log|logger|logging|LOG|LOGGER|warnings)\.\w+|warn)$`)
	pythonGuard   = pattern.New(`^(__name__\s*==.*|(typing\.)?TYPE_CHECKING|sys\.version_info.*)$`)
)

func (m pythonMutator) arid(n *syntax.Node) bool {
	switch n.Kind {
	case "import_statement", "import_from_statement", "future_import_statement", "comment",
		"assert_statement", "decorator", "type", "type_alias_statement":
		return true
	case "call":
		callee := outline.Python(m).Callee(n.At("function"))
		return pythonLogging.MatchString(callee) || errorType.MatchString(callee)
	case "if_statement":
		return pythonGuard.MatchString(m.Text(n.At("condition")))
	case "assignment":
		left := m.Text(n.At("left"))
		return strings.HasPrefix(left, "__") && strings.HasSuffix(left, "__")
	}
	return n.Parent.Is("raise_statement") // the words of an error
}

func (m pythonMutator) at(n *syntax.Node) []mutation {
	switch n.Kind {
	case "comparison_operator":
		var out []mutation
		for _, op := range n.All("operators") {
			out = append(out, swap(op, m.operator(op))...)
		}
		return out
	case "boolean_operator":
		return swap(n.At("operator"), n.At("operator").Kind)
	case "binary_operator":
		if op := n.At("operator"); !op.Is("+", "%") || !pythonTextual(n.At("left")) && !pythonTextual(n.At("right")) {
			return swap(op, op.Kind)
		}
	case "augmented_assignment":
		if op := n.At("operator"); !op.Is("+=") || !pythonTextual(n.At("right")) {
			return swap(op, op.Kind)
		}
	case "if_statement", "elif_clause", "while_statement":
		return m.condition(n.At("condition"))
	case "conditional_expression":
		if parts := n.Parts(); len(parts) == 3 {
			return m.condition(parts[1])
		}
	case "not_operator":
		return replace(conditionalNegation, n, m.Text(n.At("argument")))
	case "return_statement":
		return m.returned(n)
	case "call", "await":
		return append(m.statement(n), m.propagated(n)...)
	case "decorated_definition":
		return m.decorated(n)
	case "raise_statement":
		return replace(removedError, n, "pass")
	case "break_statement":
		return replace(jump, n, "pass")
	case "continue_statement":
		return replace(jump, n, "break")
	case "delete_statement":
		return replace(removedStatement, n, "pass")
	case "assignment":
		if n.Parent.Is("block", "expression_statement") && n.At("left").Is("attribute", "subscript") && n.At("right") != nil {
			return replace(removedStatement, n, "pass")
		}
	case "integer", "true", "false", "string":
		return m.constant(n)
	}
	return nil
}

// pythonOpening begins a text, or bytes, of one line.
var pythonOpening = pattern.New(`^[bB]?["']$`)

// operator is a comparison without the spaces in the middle of "not  in".
func (m pythonMutator) operator(op *syntax.Node) string { return wording.Fold(m.Text(op)) }

// pythonTextual is true for what a sum with it cannot be one of numbers.
func pythonTextual(n *syntax.Node) bool {
	return n.Is("string", "concatenated_string", "list", "tuple", "list_comprehension") ||
		n.Is("binary_operator") && (pythonTextual(n.At("left")) || pythonTextual(n.At("right")))
}

func (m pythonMutator) condition(cond *syntax.Node) []mutation {
	if cond == nil || cond.Is("comparison_operator", "boolean_operator", "not_operator", "true", "false", "named_expression") {
		return nil
	}
	return replace(conditionalNegation, cond, "not ("+m.Text(cond)+")")
}

func (m pythonMutator) returned(n *syntax.Node) []mutation {
	var out []mutation
	if parts := n.Parts(); len(parts) == 1 && !parts[0].Is("none", "true", "false", "integer", "string") {
		out = replace(ReturnValue, parts[0], "None")
	}
	// An if that left the function goes on.
	if within := n.Parent.Parent; n.Parent.Is("block") && within.Is("if_statement") && within.At("alternative") == nil {
		out = append(out, replace(earlyReturn, n, "pass")...)
	}
	return out
}

// statement takes away calls whose result nobody takes.
func (m pythonMutator) statement(n *syntax.Node) []mutation {
	if !n.Parent.Is("block", "module", "expression_statement") || n.Field != "" {
		return nil
	}
	call := n
	if call.Is("await") && len(call.Parts()) == 1 {
		call = call.Parts()[0]
	}
	if !call.Is("call") || m.arid(call) || bareSuper.MatchString(m.Text(call)) {
		return nil
	}
	return replace(RemovedCall, n, "pass")
}

// bareSuper hands a constructor on to a class that most often has none of its own.
var bareSuper = pattern.New(`^super\(\)\.__init__\(\s*\)$`)

// propagated puts what a function is given in place of what it gives back.
func (m pythonMutator) propagated(n *syntax.Node) []mutation {
	if !n.Is("call") || n.Parent.Is("block", "module", "expression_statement", "await") {
		return nil
	}
	arguments := n.At("arguments").Parts()
	if len(arguments) != 1 || !arguments[0].Is("identifier", "attribute", "subscript", "call") {
		return nil
	}
	return replace(propagation, n, m.Text(arguments[0]))
}

var written = pattern.New(`^(init|repr|eq)\s*=`)

// decorated turns what a decorator is told to do: of its other arguments nobody knows
// whether a wrong one shows. What a data class is not to write itself it does not write
// either where the class has it.
func (m pythonMutator) decorated(n *syntax.Node) []mutation {
	var out []mutation
	for _, part := range n.Parts() {
		if !part.Is("decorator") {
			continue
		}
		part.Walk(func(c *syntax.Node) bool {
			if c.Parent.Is("keyword_argument") && c.Is("true", "false") && !written.MatchString(m.Text(c.Parent)) {
				out = append(out, literal(c, "", "True", "False")...)
			}
			return true
		})
	}
	return out
}

func (m pythonMutator) constant(n *syntax.Node) []mutation {
	if n.Kind != "string" {
		return literal(n, m.Text(n), "True", "False")
	}
	if call := n.Parent.Parent; n.Parent.Is("argument_list") && n.Parent.Parts()[0] == n && call.Is("call") && builds.MatchString(outline.Python(m).Callee(call.At("function"))) {
		return expression(n, m.Text(n))
	}
	start := n.First("string_start")
	switch {
	case n.Parent.Is("block", "module", "expression_statement", "concatenated_string", "case_pattern"),
		n.First("interpolation") != nil, start == nil, !pythonOpening.MatchString(m.Text(start)):
		return nil // documentation, pieces of texts, and those that are no plain text
	}
	kind := strings.TrimRight(m.Text(start), `"'`)
	if n.End-n.Start == len(kind)+2 {
		return replace(stringLiteral, n, kind+`"mutated"`)
	}
	return replace(stringLiteral, n, kind+`""`)
}
