package outline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// Python reads nodes of Python.
type Python struct{ *syntax.Tree }

func newPythonGrammar(t *syntax.Tree) grammar { return Python{t} }

func (g Python) function(n *syntax.Node, in frame) *found {
	switch n.Kind {
	case "function_definition":
		f := &found{name: g.Text(n.At("name")), node: n, start: n.Start, body: n.At("body"), head: n.At("return_type")}
		if f.head == nil { // comments stand between the colon and the body
			f.head = n.At("parameters")
		}
		if n.Parent.Is("decorated_definition") {
			f.start = n.Parent.Start
		}
		f.params = g.Params(n.At("parameters"))
		f.doc = g.docstring(f.body)
		f.test = g.IsTest(n, f.name)
		if f.test {
			f.name = join(in.scope, f.name)
		}
		f.public = in.fn < 0 && pythonPublic(join(in.scope, f.name))
		return f
	case "lambda":
		if a := n.Parent; a.Is("assignment") && a.At("left").Is("identifier") {
			name := g.Text(a.At("left"))
			return &found{
				name: name, node: n, start: a.Start, body: n.At("body"), params: g.Params(n.At("parameters")),
				public: in.fn < 0 && pythonPublic(join(in.scope, name)),
			}
		}
		if in.fn < 0 {
			return &found{name: fmt.Sprintf("anonymous@%d", g.Line(n.Start)), node: n, start: n.Start, body: n.At("body")}
		}
	}
	return nil
}

// IsTest goes by pytest's default names: test functions, and test methods of
// classes called Test… or derived from a TestCase, or that such a class of the file is
// derived from.
func (g Python) IsTest(n *syntax.Node, name string) bool {
	if !strings.HasPrefix(name, "test") {
		return false
	}
	owner := n.Within("function_definition", "class_definition")
	return owner == nil || owner.Is("class_definition") && g.collected(owner, map[string]bool{})
}

// collected reports that a class, or one of the file that is derived from it, is one whose
// tests are run. Seen are the names that were asked about.
func (g Python) collected(class *syntax.Node, seen map[string]bool) bool {
	name := g.Text(class.At("name"))
	if seen[name] {
		return false
	}
	seen[name] = true
	if strings.HasPrefix(name, "Test") || strings.Contains(g.Text(class.At("superclasses")), "TestCase") {
		return true
	}
	return slices.ContainsFunc(g.Root.Parts(), func(n *syntax.Node) bool {
		if n.Is("decorated_definition") {
			n = n.At("definition")
		}
		return n.Is("class_definition") && slices.ContainsFunc(n.At("superclasses").Parts(), func(from *syntax.Node) bool {
			return from.Is("identifier") && g.Text(from) == name
		}) && g.collected(n, seen)
	})
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

func (g Python) Params(list *syntax.Node) []string {
	var out []string
	for _, p := range list.Parts() {
		name := p.At("name")
		if name == nil {
			name = p.Find(func(c *syntax.Node) bool { return c.Is("identifier") })
		}
		if name != nil {
			out = append(out, g.Text(name))
		}
	}
	return out
}

func (g Python) docstring(body *syntax.Node) string {
	parts := body.Parts()
	if len(parts) == 0 {
		return ""
	}
	s := parts[0]
	if s.Is("expression_statement") && len(s.Children) == 1 {
		s = s.Children[0]
	}
	if !s.Is("string") {
		return ""
	}
	return strings.TrimSpace(g.Text(s.First("string_content")))
}

func (g Python) scope(n *syntax.Node) string {
	if n.Is("class_definition") {
		return g.Text(n.At("name"))
	}
	return ""
}

func (g Python) effect(n *syntax.Node) (int, string) {
	switch n.Kind {
	case "if_statement", "elif_clause", "for_statement", "while_statement", "except_clause",
		"except_group_clause", "conditional_expression", "boolean_operator", "if_clause", "for_in_clause":
		return 1, ""
	case "case_clause":
		if strings.TrimSpace(g.Text(n.First("case_pattern"))) != "_" {
			return 1, ""
		}
	case "call":
		callee := g.Callee(n.At("function"))
		if on := n.At("function").At("object"); on.Is("call") && g.Text(on.At("function")) == "super" {
			callee = "super" + callee
		}
		return 0, callee
	}
	return 0, ""
}

// Callee is "f", "a.b.f", or ".f" when it hangs on an expression.
func (g Python) Callee(n *syntax.Node) string {
	switch {
	case n.Is("identifier"):
		return g.Text(n)
	case n.Is("attribute"):
		object := g.Callee(n.At("object"))
		if strings.HasPrefix(object, ".") {
			object = ""
		}
		return object + "." + g.Text(n.At("attribute"))
	}
	return ""
}

func (g Python) ImportsAt(n *syntax.Node) []qa.Import { return g.module(n).imports }

func (g Python) module(n *syntax.Node) declared {
	line := g.Line(n.Start)
	switch n.Kind {
	case "import_statement":
		var out declared
		for _, name := range n.All("name") {
			im := qa.Import{Line: line, Path: g.Text(name)}
			if name.Is("aliased_import") {
				im.Path = g.Text(name.At("name"))
				bind(&im, g.Text(name.At("alias")), "*")
			} else {
				root, _, _ := strings.Cut(im.Path, ".")
				bind(&im, root, "*")
			}
			out.imports = append(out.imports, im)
		}
		return out
	case "import_from_statement", "future_import_statement":
		im := qa.Import{Line: line, Path: g.Text(n.At("module_name"))}
		if n.Is("future_import_statement") {
			im.Path = "__future__"
		}
		for _, name := range n.All("name") {
			if name.Is("aliased_import") {
				bind(&im, g.Text(name.At("alias")), g.Text(name.At("name")))
			} else {
				bind(&im, g.Text(name), g.Text(name))
			}
		}
		if n.First("wildcard_import") != nil {
			bind(&im, "*", "*")
		}
		return declared{imports: []qa.Import{im}}
	}
	return declared{}
}

func (g Python) Assigned(n *syntax.Node) ([]*syntax.Node, *syntax.Node) {
	switch n.Kind {
	case "assignment", "augmented_assignment", "for_statement", "for_in_clause":
		return []*syntax.Node{n.At("left")}, n.At("right")
	case "named_expression":
		return []*syntax.Node{n.At("name")}, n.At("value")
	case "as_pattern":
		return []*syntax.Node{n.At("alias")}, n
	case "function_definition", "class_definition":
		return []*syntax.Node{n.At("name")}, n.At("body")
	case "try_statement": // what is caught comes from what was tried
		var caught []*syntax.Node
		n.Walk(func(c *syntax.Node) bool {
			if c.Is("as_pattern_target") && c.Within("except_clause", "try_statement").Is("except_clause") {
				caught = append(caught, c)
			}
			return true
		})
		return caught, n.At("body")
	}
	return nil, nil
}
