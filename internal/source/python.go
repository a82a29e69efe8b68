package source

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// pythonGrammar reads outlines of Python.
type pythonGrammar struct{ *tree }

func newPythonGrammar(t *tree) grammar { return pythonGrammar{t} }

func (g pythonGrammar) function(n *node, in frame) *found {
	switch n.kind {
	case "function_definition":
		f := &found{name: g.text(n.at("name")), node: n, start: n.start, body: n.at("body")}
		if n.parent.is("decorated_definition") {
			f.start = n.parent.start
		}
		f.params = g.params(n.at("parameters"))
		f.doc = g.docstring(f.body)
		f.test = g.isTest(n, f.name)
		if f.test {
			f.name = join(in.scope, f.name)
		}
		f.public = in.fn < 0 && pythonPublic(join(in.scope, f.name))
		return f
	case "lambda":
		if a := n.parent; a.is("assignment") && a.at("left").is("identifier") {
			name := g.text(a.at("left"))
			return &found{
				name: name, node: n, start: a.start, body: n.at("body"), params: g.params(n.at("parameters")),
				public: in.fn < 0 && pythonPublic(join(in.scope, name)),
			}
		}
		if in.fn < 0 {
			return &found{name: fmt.Sprintf("anonymous@%d", g.line(n.start)), node: n, start: n.start, body: n.at("body")}
		}
	}
	return nil
}

// isTest goes by pytest's default names: test functions, and test methods of
// classes called Test… or derived from a TestCase.
func (g pythonGrammar) isTest(n *node, name string) bool {
	if !strings.HasPrefix(name, "test") {
		return false
	}
	switch owner := n.within("function_definition", "class_definition"); {
	case owner == nil:
		return true
	case owner.is("class_definition"):
		return strings.HasPrefix(g.text(owner.at("name")), "Test") ||
			strings.Contains(g.text(owner.at("superclasses")), "TestCase")
	}
	return false
}

// pythonPublic: no part of the name starts with an underscore, but for dunders.
func pythonPublic(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if strings.HasPrefix(part, "_") && !(strings.HasPrefix(part, "__") && strings.HasSuffix(part, "__")) {
			return false
		}
	}
	return true
}

func (g pythonGrammar) params(list *node) []string {
	var out []string
	for _, p := range list.parts() {
		name := p.at("name")
		if name == nil {
			name = p.find(func(c *node) bool { return c.is("identifier") })
		}
		if name != nil {
			out = append(out, g.text(name))
		}
	}
	return out
}

func (g pythonGrammar) docstring(body *node) string {
	parts := body.parts()
	if len(parts) == 0 {
		return ""
	}
	s := parts[0]
	if s.is("expression_statement") && len(s.children) == 1 {
		s = s.children[0]
	}
	if !s.is("string") {
		return ""
	}
	return strings.TrimSpace(g.text(s.first("string_content")))
}

func (g pythonGrammar) scope(n *node) string {
	if n.is("class_definition") {
		return g.text(n.at("name"))
	}
	return ""
}

func (g pythonGrammar) effect(n *node) (int, string) {
	switch n.kind {
	case "if_statement", "elif_clause", "for_statement", "while_statement", "except_clause",
		"except_group_clause", "conditional_expression", "boolean_operator", "if_clause", "for_in_clause":
		return 1, ""
	case "case_clause":
		if strings.TrimSpace(g.text(n.first("case_pattern"))) != "_" {
			return 1, ""
		}
	case "call":
		return 0, g.callee(n.at("function"))
	}
	return 0, ""
}

// callee is "f", "a.b.f", or ".f" when it hangs on an expression.
func (g pythonGrammar) callee(n *node) string {
	switch {
	case n.is("identifier"):
		return g.text(n)
	case n.is("attribute"):
		object := g.callee(n.at("object"))
		if strings.HasPrefix(object, ".") {
			object = ""
		}
		return object + "." + g.text(n.at("attribute"))
	}
	return ""
}

func (g pythonGrammar) importsAt(n *node) []qa.Import { return g.module(n).imports }

func (g pythonGrammar) module(n *node) declared {
	line := g.line(n.start)
	switch n.kind {
	case "import_statement":
		var out declared
		for _, name := range n.all("name") {
			im := qa.Import{Line: line, Path: g.text(name)}
			if name.is("aliased_import") {
				im.Path = g.text(name.at("name"))
				bind(&im, g.text(name.at("alias")), "*")
			} else {
				root, _, _ := strings.Cut(im.Path, ".")
				bind(&im, root, "*")
			}
			out.imports = append(out.imports, im)
		}
		return out
	case "import_from_statement", "future_import_statement":
		im := qa.Import{Line: line, Path: g.text(n.at("module_name"))}
		if n.is("future_import_statement") {
			im.Path = "__future__"
		}
		for _, name := range n.all("name") {
			if name.is("aliased_import") {
				bind(&im, g.text(name.at("alias")), g.text(name.at("name")))
			} else {
				bind(&im, g.text(name), g.text(name))
			}
		}
		if n.first("wildcard_import") != nil {
			bind(&im, "*", "*")
		}
		return declared{imports: []qa.Import{im}}
	}
	return declared{}
}

func (g pythonGrammar) assigned(n *node) ([]*node, *node) {
	switch n.kind {
	case "assignment", "augmented_assignment", "for_statement", "for_in_clause":
		return []*node{n.at("left")}, n.at("right")
	case "named_expression":
		return []*node{n.at("name")}, n.at("value")
	case "as_pattern":
		return []*node{n.at("alias")}, n
	case "function_definition", "class_definition":
		return []*node{n.at("name")}, n.at("body")
	case "try_statement": // what is caught comes from what was tried
		var caught []*node
		n.walk(func(c *node) bool {
			if c.is("as_pattern_target") && c.within("except_clause", "try_statement").is("except_clause") {
				caught = append(caught, c)
			}
			return true
		})
		return caught, n.at("body")
	}
	return nil, nil
}
