package source

import (
	"regexp"
	"strings"
)

// pythonTests reads tests of pytest and unittest.
type pythonTests struct {
	*tree
	pythonGrammar
}

func newPythonTests(t *tree) testReader { return pythonTests{t, pythonGrammar{t}} }

func (r pythonTests) tests() []testNode {
	var out []testNode
	r.root.walk(func(n *node) bool {
		if !n.is("function_definition") {
			return true
		}
		name := r.text(n.at("name"))
		if !r.isTest(n, name) {
			return false
		}
		for owner := n.within("class_definition"); owner != nil; owner = owner.within("class_definition") {
			name = r.text(owner.at("name")) + "." + name
		}
		t := testNode{name: name, node: n, body: n.at("body"), head: []*node{n.at("name")}}
		if n.parent.is("decorated_definition") {
			t.node = n.parent
			for _, c := range n.parent.children {
				if c.is("decorator") {
					t.head = append(t.head, c)
				}
			}
		}
		out = append(out, t)
		return false
	})
	return out
}

var pythonRaises = regexp.MustCompile(`^(pytest\.(raises|warns)|(self\.)?assert(Raises|Warns)(Regex)?|raises)$`)

func (r pythonTests) check(n *node) *check {
	switch n.kind {
	case "assert_statement":
		return r.assert(n)
	case "with_item":
		value := n.at("value")
		if value.is("as_pattern") && len(value.parts()) > 0 {
			value = value.parts()[0]
		}
		if value.is("call") && pythonRaises.MatchString(r.callee(value.at("function"))) {
			// Without the guard the exception goes through and the test fails.
			return &check{node: value, negate: []edit{{value.start, value.end, `__import__("contextlib").nullcontext()`}}}
		}
	case "call":
		return r.call(n)
	}
	return nil
}

func (r pythonTests) assert(n *node) *check {
	parts := n.parts()
	if len(parts) == 0 {
		return nil
	}
	c := &check{node: n, subject: parts[0]}
	c.negate = []edit{{parts[0].start, parts[0].end, "not (" + r.text(parts[0]) + ")"}}
	if ops := parts[0].all("operators"); len(ops) == 1 {
		sides := parts[0].parts()
		if len(sides) == 2 || len(sides) == 3 { // "is not" is a named node of its own in some trees
			c.subject, c.expected = sides[0], sides[len(sides)-1]
			c.equal = ops[0].is("==")
			c.snapshot = r.text(c.expected) == "snapshot" || strings.HasPrefix(r.text(c.expected), "snapshot(")
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

func (r pythonTests) call(n *node) *check {
	callee := r.callee(n.at("function"))
	name := callee[strings.LastIndex(callee, ".")+1:]
	args := n.at("arguments").parts()
	switch {
	case pythonRaises.MatchString(callee):
		return &check{node: n} // pytest.raises(E, f): no opposite
	case !strings.HasPrefix(name, "assert"):
		return nil
	}
	c := &check{node: n}
	property := n.at("function").at("attribute")
	if opposite := pythonOpposite[name]; opposite != "" && property != nil {
		c.negate = []edit{{property.start, property.end, opposite}}
	}
	if strings.HasPrefix(name, "assert_") && !strings.HasPrefix(name, "assert_array") && !strings.HasPrefix(name, "assert_frame") &&
		property != nil && len(name) > len("assert_") && strings.Contains(name, "called") {
		c.subject = n.at("function").at("object")
		return c
	}
	if len(args) > 0 {
		c.subject = args[0]
	}
	if len(args) > 1 {
		c.expected = args[1]
	}
	c.equal = strings.HasSuffix(name, "Equal") || strings.HasSuffix(name, "_equal")
	return c
}

func (r pythonTests) helper(n *node) (declares string, body *node, calls string) {
	switch n.kind {
	case "function_definition":
		return r.text(n.at("name")), n.at("body"), ""
	case "call":
		return "", nil, strings.TrimPrefix(r.callee(n.at("function")), "self.")
	}
	return "", nil, ""
}
