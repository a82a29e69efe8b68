package mutant

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// javaMutator keeps to what most likely compiles: values by the declared result type,
// no sums of what may be text, and nothing behind which code could not be reached.
type javaMutator struct{ *syntax.Tree }

func newJavaMutator(t *syntax.Tree) mutator { return javaMutator{t} }

func (m javaMutator) standalone(text []byte) []byte { return text }

var (
	javaLogging = pattern.New(`(?i)^((this\.)?_?(log|logger)\.\w+|System\.(out|err)\.\w+)$`)
	// Taking a lock or a resource away shows only by chance.
	javaLocking = pattern.New(`\.(lock|unlock|close|flush|shutdown|countDown|release|notify|notifyAll)$`)
)

func (m javaMutator) arid(n *syntax.Node) bool {
	switch n.Kind {
	case "import_declaration", "package_declaration", "comment", "modifiers", "assert_statement", "switch_label", "explicit_constructor_invocation",
		"type_arguments", "type_parameters", "formal_parameters", "dimensions_expr":
		return true
	case "method_invocation":
		return javaLogging.MatchString(outline.Java(m).Callee(n))
	case "method_declaration":
		return outline.Java(m).IsTest(n)
	}
	return n.Parent.Is("throw_statement") // the words of an error
}

func (m javaMutator) at(n *syntax.Node) []mutation {
	switch n.Kind {
	case "binary_expression":
		return m.binary(n)
	case "if_statement", "while_statement", "do_statement", "ternary_expression":
		return m.condition(n.At("condition").Unwrapped())
	case "unary_expression":
		if n.At("operator").Is("!") {
			return replace(conditionalNegation, n, m.Text(n.At("operand")))
		}
	case "assignment_expression":
		if op := n.At("operator"); !op.Is("+=") || !m.textual(n.At("right")) {
			return swap(op, op.Kind)
		}
	case "update_expression":
		for _, c := range n.Children {
			if c.Is("++", "--") {
				return swap(c, c.Kind)
			}
		}
	case "return_statement":
		out := m.returned(n)
		if n.Parent.Parent.Is("if_statement") && !m.last(n) {
			out = append(out, replace(earlyReturn, n, ";")...) // the if goes on
		}
		return out
	case "throw_statement":
		if !m.last(n) {
			return replace(removedError, n, ";")
		}
	case "break_statement", "continue_statement":
		return m.jump(n)
	case "expression_statement":
		return m.statement(n)
	case "decimal_integer_literal", "decimal_floating_point_literal", "true", "false", "string_literal":
		return m.constant(n)
	}
	return nil
}

func (m javaMutator) binary(n *syntax.Node) []mutation {
	op, right := n.At("operator"), n.At("right")
	switch {
	case op.Is("+") && (m.textual(n) || n.Parent.Is("binary_expression") && m.textual(n.Parent)), op.Is("*", "%") && m.Text(right) == "0":
		return nil
	}
	return swap(op, op.Kind)
}

var javaWords = pattern.New(`(^|\.)(toString|getName|name|trim|substring|format|join|valueOf|getMessage|toLowerCase|toUpperCase|strip|repeat|concat|replace)$`)

// textual is true for what a sum with it cannot be one of numbers.
func (m javaMutator) textual(n *syntax.Node) bool {
	n = n.Unwrapped()
	switch {
	case n.Is("string_literal"):
		return true
	case n.Is("binary_expression"):
		return m.textual(n.At("left")) || m.textual(n.At("right"))
	}
	return n.Is("method_invocation") && javaWords.MatchString(outline.Java(m).Callee(n))
}

func (m javaMutator) condition(cond *syntax.Node) []mutation {
	if cond == nil || cond.Is("binary_expression", "unary_expression", "true", "false") {
		return nil
	}
	return replace(conditionalNegation, cond, "!("+m.Text(cond)+")")
}

// last is true for what a method or a case cannot do without at its end.
func (m javaMutator) last(n *syntax.Node) bool {
	block := n.Parent
	parts := block.Parts()
	if block.Is("switch_rule") || len(parts) > 0 && parts[len(parts)-1] == n && !block.Parent.Is("if_statement") {
		return true
	}
	// The only way out of an if that returns on its other side.
	return block.Parent.Is("if_statement") && block.Parent.At("alternative") != nil
}

// jump goes on where a loop ended, and ends it where it went on.
func (m javaMutator) jump(n *syntax.Node) []mutation {
	within := n.Within("for_statement", "enhanced_for_statement", "while_statement", "do_statement", "switch_block", "lambda_expression")
	endless := within.Is("for_statement") && within.At("condition") == nil || within.Is("while_statement", "do_statement") && m.Text(within.At("condition").Unwrapped()) == "true"
	switch text := m.Text(n); {
	case within.Is("switch_block", "lambda_expression"), within == nil:
	case text == "continue;" && !endless:
		return replace(jump, n, "break;")
	case text == "break;" && !endless:
		return replace(jump, n, ";")
	}
	return nil
}

func (m javaMutator) returned(n *syntax.Node) []mutation {
	parts := n.Parts()
	fn := n.Within("method_declaration", "lambda_expression", "constructor_declaration")
	if len(parts) != 1 || !fn.Is("method_declaration") || parts[0].Is("true", "false", "null_literal", "string_literal", "decimal_integer_literal") {
		return nil
	}
	value := parts[0]
	switch kind := fn.At("type"); {
	case kind.Is("boolean_type"):
		return m.condition(value.Unwrapped())
	case kind.Is("integral_type", "floating_point_type"):
		return replace(ReturnValue, value, "0")
	case m.Text(kind) == "String":
		return replace(ReturnValue, value, `""`)
	default:
		return replace(ReturnValue, value, "null")
	}
}

// statement takes away calls whose result nobody takes, and assignments to parts: but
// not what a constructor has to give a value.
func (m javaMutator) statement(n *syntax.Node) []mutation {
	parts := n.Parts()
	if len(parts) != 1 || n.Parent.Is("switch_rule") {
		return nil
	}
	switch at := parts[0]; {
	case at.Is("method_invocation"):
		if !m.arid(at) && !javaLocking.MatchString(outline.Java(m).Callee(at)) {
			return replace(RemovedCall, n, ";")
		}
	case at.Is("assignment_expression") && at.At("operator").Is("=") && at.At("left").Is("field_access", "array_access"):
		if at.At("left").Is("array_access") || n.Within("method_declaration", "constructor_declaration", "compact_constructor_declaration").Is("method_declaration") {
			return replace(removedStatement, n, ";")
		}
	}
	return nil
}

func (m javaMutator) constant(n *syntax.Node) []mutation {
	text := m.Text(n)
	if n.Is("string_literal") {
		callee := ""
		if n.Parent.Is("argument_list") {
			callee = outline.Java(m).Callee(n.Parent.Parent)
		}
		switch {
		case strings.HasPrefix(text, `"""`):
			return nil
		case callee == "Pattern.compile" || callee == "Pattern.matches" || strings.HasSuffix(callee, ".replaceAll") || strings.HasSuffix(callee, ".split"):
			return expression(n, text)
		case text == `""`:
			return replace(stringLiteral, n, `"mutated"`)
		}
		return replace(stringLiteral, n, `""`)
	}
	if n.Parent.Parent.Is("while_statement", "do_statement") { // what is never reached does not compile
		return nil
	}
	number := strings.TrimRight(text, "lLfFdD")
	if n.Is("true", "false") {
		number = text
	}
	out := literal(n, number, "true", "false")
	for i := range out {
		if !n.Is("true", "false") {
			out[i].replacement += text[len(number):]
		}
	}
	return out
}
