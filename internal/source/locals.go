package source

// locals are the names that a subtree declares: variables and parameters.
func locals(t *tree, scope *node) map[string]bool {
	out := map[string]bool{}
	add := func(n *node) {
		n.walk(func(c *node) bool {
			if c.is("identifier", "shorthand_property_identifier_pattern", "Ident") {
				out[t.text(c)] = true
			}
			return !c.is("attribute", "subscript", "member_expression", "subscript_expression", "SelectorExpr", "IndexExpr", "call") &&
				c.field != "value" && c.field != "type"
		})
	}
	scope.walk(func(n *node) bool {
		switch n.kind {
		case "variable_declarator", "catch_clause", "for_in_statement":
			for _, field := range []string{"name", "parameter", "left"} {
				add(n.at(field))
			}
		case "formal_parameters", "parameters", "lambda_parameters", "as_pattern_target":
			add(n)
		case "arrow_function":
			add(n.at("parameter"))
		case "assignment", "for_statement", "for_in_clause", "named_expression":
			if left := n.at("left"); left != nil {
				add(left)
			}
			if n.is("named_expression") {
				add(n.at("name"))
			}
		case "AssignStmt", "RangeStmt":
			if n.at("tok").is(":=") {
				for _, field := range []string{"lhs", "key", "value"} {
					for _, c := range n.all(field) {
						if c.is("Ident") {
							out[t.text(c)] = true
						}
					}
				}
			}
		case "ValueSpec", "Field":
			for _, c := range n.all("names") {
				out[t.text(c)] = true
			}
		}
		return true
	})
	delete(out, "_")
	return out
}
