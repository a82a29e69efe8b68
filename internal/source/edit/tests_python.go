package edit

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// pythonTests reads tests of pytest and unittest.
type pythonTests struct {
	*syntax.Tree
	outline.Python
}

func newPythonTests(t *syntax.Tree) Reader { return pythonTests{t, outline.Python{Tree: t}} }

func (r pythonTests) Tests() []Case {
	var out []Case
	r.Root.Walk(func(n *syntax.Node) bool {
		if !n.Is("function_definition") {
			return true
		}
		name := r.Text(n.At("name"))
		if !r.IsTest(n, name) {
			return false
		}
		for owner := n.Within("class_definition"); owner != nil; owner = owner.Within("class_definition") {
			name = r.Text(owner.At("name")) + "." + name
		}
		t := Case{Name: name, Node: n, Body: n.At("body"), Head: []*syntax.Node{n.At("name")}}
		if n.Parent.Is("decorated_definition") {
			t.Node = n.Parent
			for _, c := range n.Parent.Children {
				if c.Is("decorator") {
					t.Head = append(t.Head, c)
				}
			}
		}
		out = append(out, t)
		return false
	})
	return out
}

var pythonRaises = pattern.New(`^(pytest\.(raises|warns)|(self\.)?assert(Raises|Warns)(Regex)?|raises)$`)

func (r pythonTests) Check(n *syntax.Node) *Check {
	switch n.Kind {
	case "assert_statement":
		return r.assert(n)
	case "with_item":
		value := n.At("value")
		if value.Is("as_pattern") && len(value.Parts()) > 0 {
			value = value.Parts()[0]
		}
		if value.Is("call") && pythonRaises.MatchString(r.Callee(value.At("function"))) {
			// Without the guard the exception goes through and the test fails.
			return &Check{Node: value, negate: []edit{{value.Start, value.End, `__import__("contextlib").nullcontext()`}}}
		}
	case "call":
		return r.call(n)
	}
	return nil
}

func (r pythonTests) assert(n *syntax.Node) *Check {
	parts := n.Parts()
	if len(parts) == 0 {
		return nil
	}
	c := &Check{Node: n, Subject: parts[0]}
	c.negate = []edit{{parts[0].Start, parts[0].End, "not (" + r.Text(parts[0]) + ")"}}
	if ops := parts[0].All("operators"); len(ops) == 1 {
		sides := parts[0].Parts()
		if len(sides) == 2 || len(sides) == 3 { // "is not" is a named node of its own in some trees
			c.Subject, c.Expected = sides[0], sides[len(sides)-1]
			c.Equal = ops[0].Is("==")
			c.Snapshot = r.Text(c.Expected) == "snapshot" || strings.HasPrefix(r.Text(c.Expected), "snapshot(")
		}
	}
	return c
}

// pythonOpposite are unittest's and mock's methods.
var pythonOpposite = func() map[string]string {
	out := both(map[string]string{
		"assertEqual": "assertNotEqual", "assertTrue": "assertFalse", "assertIs": "assertIsNot",
		"assertIsNone": "assertIsNotNone", "assertIn": "assertNotIn", "assertIsInstance": "assertNotIsInstance",
		"assertAlmostEqual": "assertNotAlmostEqual", "assertGreater": "assertLessEqual",
		"assertLess": "assertGreaterEqual", "assertRegex": "assertNotRegex", "assert_called": "assert_not_called",
	})
	for _, name := range []string{"Dict", "List", "Tuple", "Set", "Sequence", "MultiLine", "Count"} {
		out["assert"+name+"Equal"] = "assertNotEqual"
	}
	out["assert_called_once"] = "assert_not_called"
	return out
}()

func (r pythonTests) call(n *syntax.Node) *Check {
	callee := r.Callee(n.At("function"))
	name := callee[strings.LastIndex(callee, ".")+1:]
	args := n.At("arguments").Parts()
	switch {
	case pythonRaises.MatchString(callee):
		return &Check{Node: n} // pytest.raises(E, f): no opposite
	case !strings.HasPrefix(name, "assert"):
		return nil
	}
	c := &Check{Node: n}
	property := n.At("function").At("attribute")
	if opposite := pythonOpposite[name]; opposite != "" && property != nil {
		c.negate = []edit{{property.Start, property.End, opposite}}
	}
	if strings.HasPrefix(name, "assert_") && !strings.HasPrefix(name, "assert_array") && !strings.HasPrefix(name, "assert_frame") &&
		property != nil && len(name) > len("assert_") && strings.Contains(name, "called") {
		c.Subject = n.At("function").At("object")
		return c
	}
	if len(args) > 0 {
		c.Subject = args[0]
	}
	if len(args) > 1 {
		c.Expected = args[1]
	}
	c.Equal = strings.HasSuffix(name, "Equal") || strings.HasSuffix(name, "_equal")
	return c
}

func (r pythonTests) helper(n *syntax.Node) (declares string, body *syntax.Node, calls string) {
	switch n.Kind {
	case "function_definition":
		return r.Text(n.At("name")), n.At("body"), ""
	case "call":
		return "", nil, strings.TrimPrefix(r.Callee(n.At("function")), "self.")
	}
	return "", nil, ""
}
