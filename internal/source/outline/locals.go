package outline

import (
	"cmp"

	"github.com/org/qa-action/internal/source/syntax"
)

// Locals are the names that a subtree declares: variables and parameters.
func Locals(t *syntax.Tree, scope *syntax.Node) map[string]bool {
	out := map[string]bool{}
	add := func(n *syntax.Node) {
		n.Walk(func(c *syntax.Node) bool {
			if c.Is("identifier", "shorthand_property_identifier_pattern", "Ident") {
				out[t.Text(c)] = true
			}
			return !c.Is("attribute", "subscript", "member_expression", "subscript_expression", "SelectorExpr", "IndexExpr", "call") &&
				c.Field != "value" && c.Field != "type"
		})
	}
	scope.Walk(func(n *syntax.Node) bool {
		switch n.Kind {
		case "variable_declarator", "catch_clause", "for_in_statement":
			for _, field := range []string{"name", "parameter", "left"} {
				add(n.At(field))
			}
		case "formal_parameters", "parameters", "lambda_parameters", "closure_parameters", "as_pattern_target":
			add(n)
		case "enhanced_for_statement", "catch_formal_parameter", "instanceof_expression", "resource":
			add(n.At("name"))
		case "lambda_expression", "inferred_parameters":
			if p := n.At("parameters"); p.Is("identifier") || n.Is("inferred_parameters") {
				add(cmp.Or(p, n))
			}
		case "let_declaration", "let_condition", "for_expression", "match_arm":
			add(n.At("pattern"))
		case "arrow_function":
			add(n.At("parameter"))
		case "assignment", "for_statement", "for_in_clause", "named_expression":
			if left := n.At("left"); left != nil {
				add(left)
			}
			if n.Is("named_expression") {
				add(n.At("name"))
			}
		case "AssignStmt", "RangeStmt":
			if n.At("tok").Is(":=") {
				for _, field := range []string{"lhs", "key", "value"} {
					for _, c := range n.All(field) {
						if c.Is("Ident") {
							out[t.Text(c)] = true
						}
					}
				}
			}
		case "ValueSpec", "Field":
			for _, c := range n.All("names") {
				out[t.Text(c)] = true
			}
		}
		return true
	})
	delete(out, "_")
	return out
}
