package mutant

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// rustMutator keeps to what most likely compiles: values by the declared result type,
// and no sums of what may be text. What does not compile is found out when it is tried.
type rustMutator struct{ *syntax.Tree }

func newRustMutator(t *syntax.Tree) mutator { return rustMutator{t} }

func (m rustMutator) standalone(text []byte) []byte { return text }

var (
	rustLogging = pattern.New(`^((log|tracing)\.)?(trace|debug|info|warn|error)$|^e?print(ln)?$|^dbg$`)
	rustFailing = pattern.New(`^(panic|todo|unimplemented|unreachable|(debug_)?assert(_eq|_ne)?)$`)
	// Taking a lock or an owner away is no wrong result.
	rustOwning = pattern.New(`(^|\.)(drop|forget|lock|unlock|join|flush)$`)
)

func (m rustMutator) arid(n *syntax.Node) bool {
	switch n.Kind {
	case "use_declaration", "comment", "attribute_item", "inner_attribute_item", "macro_invocation", "macro_definition", "where_clause",
		"type_arguments", "type_parameters", "array_type", "struct_item", "enum_item", "type_item", "match_pattern", "token_tree", "parameters":
		return true
	case "mod_item", "impl_item", "function_item":
		return outline.Rust(m).TestOnly(n)
	case "call_expression":
		callee := outline.Rust(m).Callee(n.At("function"))
		return rustLogging.MatchString(callee) || rustFailing.MatchString(callee)
	}
	return n.Field == "pattern"
}

func (m rustMutator) at(n *syntax.Node) []mutation {
	switch n.Kind {
	case "binary_expression":
		return m.binary(n)
	case "if_expression", "while_expression":
		cond := n.At("condition")
		if cond == nil || cond.Is("binary_expression", "unary_expression", "let_condition", "let_chain", "boolean_literal") {
			return nil
		}
		return replace(conditionalNegation, cond, "!("+m.Text(cond)+")")
	case "unary_expression":
		if parts := n.Parts(); len(parts) == 1 && m.Src[n.Start] == '!' {
			return replace(conditionalNegation, n, m.Text(parts[0]))
		}
	case "compound_assignment_expr":
		if op := n.At("operator"); !op.Is("+=") || !m.textual(n.At("right")) {
			return swap(op, op.Kind)
		}
	case "range_expression":
		return m.span(n)
	case "break_expression", "continue_expression":
		return m.jump(n)
	case "return_expression":
		out := m.returned(n)
		if at := n.Within("if_expression"); at != nil && n.Parent.Is("expression_statement") && n.Parent.Parent == at.At("consequence") && at.At("alternative") == nil {
			out = append(out, replace(earlyReturn, n, "()")...) // the if goes on
		}
		return out
	case "block":
		return m.last(n)
	case "expression_statement":
		return m.statement(n)
	case "integer_literal", "float_literal", "boolean_literal", "string_literal":
		return m.constant(n)
	}
	return nil
}

func (m rustMutator) binary(n *syntax.Node) []mutation {
	op, right := n.At("operator"), n.At("right")
	switch {
	case op.Is("+") && (m.textual(n.At("left")) || m.textual(right)), op.Is("*", "%") && m.Text(right) == "0":
		return nil
	}
	return swap(op, op.Kind)
}

// textual is true for what a sum with it cannot be one of numbers.
func (m rustMutator) textual(n *syntax.Node) bool {
	switch {
	case n.Is("string_literal", "raw_string_literal", "reference_expression"):
		return true
	case n.Is("binary_expression"):
		return m.textual(n.At("left")) || m.textual(n.At("right"))
	case n.Is("call_expression"):
		callee := outline.Rust(m).Callee(n.At("function"))
		last := callee[strings.LastIndexByte(callee, '.')+1:]
		return last == "to_string" || last == "to_owned" || last == "format" || last == "as_str"
	}
	return false
}

// span makes a range one longer, or one shorter, where both kinds of it fit.
func (m rustMutator) span(n *syntax.Node) []mutation {
	if !n.Parent.Is("for_expression", "index_expression") || len(n.Parts()) != 2 {
		return nil
	}
	for _, c := range n.Children {
		switch c.Kind {
		case "..":
			return replace(ConditionalBoundary, c, "..=")
		case "..=":
			return replace(ConditionalBoundary, c, "..")
		}
	}
	return nil
}

// jump goes on where a loop ended, and ends it where it went on.
func (m rustMutator) jump(n *syntax.Node) []mutation {
	within := n.Within("for_expression", "while_expression", "loop_expression", "closure_expression")
	switch text := m.Text(n); {
	case !within.Is("for_expression", "while_expression"):
	case text == "continue":
		return replace(jump, n, "break")
	case text == "break" && n.Parent.Is("expression_statement"):
		return replace(jump, n, "()")
	}
	return nil
}

func (m rustMutator) returned(n *syntax.Node) []mutation {
	parts := n.Parts()
	if len(parts) != 1 {
		return nil
	}
	if parts[0].Is("call_expression") && m.Text(parts[0].At("function")) == "Err" {
		if n.Parent.Is("expression_statement") {
			return replace(removedError, n, "()")
		}
		return nil
	}
	return m.value(parts[0])
}

// last is the value that a function's body ends with.
func (m rustMutator) last(n *syntax.Node) []mutation {
	parts := n.Parts()
	if !n.Parent.Is("function_item") || len(parts) == 0 {
		return nil
	}
	tail := parts[len(parts)-1]
	if !strings.HasSuffix(tail.Kind, "_expression") && !tail.Is("identifier") || tail.Is("if_expression", "match_expression", "loop_expression", "while_expression", "for_expression", "return_expression") {
		return nil
	}
	return m.value(tail)
}

// value is another value of the type that the function says it returns.
func (m rustMutator) value(n *syntax.Node) []mutation {
	fn := n.Within("function_item", "closure_expression")
	if !fn.Is("function_item") || m.arid(n) {
		return nil
	}
	kind, text := fn.At("return_type"), m.Text(n)
	name := m.Text(kind)
	if kind.Is("generic_type") {
		name = m.Text(kind.At("type"))
	}
	other := ""
	switch name {
	case "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize":
		other = "0"
	case "f32", "f64":
		other = "0.0"
	case "bool":
		if n.Is("binary_expression", "unary_expression") {
			return nil // its operators are mutated
		}
		other = "!(" + text + ")"
	case "String", "Vec", "HashMap", "HashSet", "BTreeMap", "BTreeSet":
		other = name + "::new()"
	case "Option":
		other = "None"
	case "&str", "&'static str":
		other = `""`
	}
	if other == "" || other == text {
		return nil
	}
	return replace(ReturnValue, n, other)
}

// statement takes away calls whose result nobody takes, and assignments to parts.
func (m rustMutator) statement(n *syntax.Node) []mutation {
	parts := n.Parts()
	if len(parts) != 1 || !strings.HasSuffix(m.Text(n), ";") {
		return nil
	}
	switch at := parts[0]; {
	case at.Is("call_expression"):
		if !m.arid(at) && !rustOwning.MatchString(outline.Rust(m).Callee(at.At("function"))) {
			return replace(RemovedCall, at, "()")
		}
	case at.Is("assignment_expression") && at.At("left").Is("field_expression", "index_expression"):
		return replace(removedStatement, at, "()")
	}
	return nil
}

func (m rustMutator) constant(n *syntax.Node) []mutation {
	text := m.Text(n)
	switch {
	case n.Is("boolean_literal"):
		return replace(constantChange, n, map[string]string{"true": "false", "false": "true"}[text])
	case n.Is("string_literal"):
		return m.words(n, text)
	}
	number, suffix := text, ""
	if i := strings.IndexAny(text, "iuf"); i > 0 {
		number, suffix = text[:i], text[i:]
	}
	if next, ok := nextNumber(number); ok {
		return replace(constantChange, n, next+suffix)
	}
	return nil
}

// words leaves out formats, of which the compiler counts the places.
func (m rustMutator) words(n *syntax.Node, text string) []mutation {
	call := n.Parent.Parent
	macro := n.Parent.Is("arguments") && call.Is("call_expression") && m.Src[call.At("function").End] == '!'
	switch {
	case macro, text[0] != '"':
		return nil
	case n.Parent.Is("arguments") && call.Is("call_expression") && strings.HasSuffix(m.Text(call.At("function")), "Regex::new"):
		return expression(n, text)
	case text == `""`:
		return replace(stringLiteral, n, `"mutated"`)
	}
	return replace(stringLiteral, n, `""`)
}
