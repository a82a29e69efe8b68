package weakening

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

var pythonCompare = map[string]level{
	"assertIs": exact, "assertIsNone": exact, "assertIn": partial, "assertIsInstance": partial, "assertGreater": partial,
	"assertGreaterEqual": partial, "assertLess": partial, "assertLessEqual": partial, "assertRegex": partial, "assertIsNotNone": weak,
	"assertNotEqual": weak, "assertIsNot": weak, "assert_called_once_with": exact, "assert_called_with": exact, "assert_has_calls": partial,
	"assert_called_once": partial, "assert_called": weak, "assert_any_call": partial,
}

// loose are the arguments that say what may differ.
var loose = pattern.New(`^(rel|abs|delta|rtol|atol|rel_tol|abs_tol)$`)

func pythonClaim(t *syntax.Tree, c *claim) {
	n := c.check.Node
	switch {
	case n.Is("assert_statement") && len(n.Parts()) > 0:
		pythonExpression(t, c, n.Parts()[0])
	case n.Is("call"):
		name := t.Text(n.At("function"))
		name = name[strings.LastIndexByte(name, '.')+1:]
		args := n.At("arguments").Parts()
		how, known := pythonCompare[name]
		switch {
		case raising.MatchString(name):
			pythonRaises(t, c, args)
		case len(args) == 0 && known:
			c.compares(t, how, n.At("function").At("object"))
		case strings.HasPrefix(name, "assert_") && known:
			c.compares(t, how, n.At("function").At("object"))
		case len(args) == 0:
		case (name == "assertTrue" || name == "assertFalse") && args[0].Is("comparison_operator", "boolean_operator", "not_operator"):
			if name == "assertTrue" {
				pythonExpression(t, c, args[0])
			}
		case name == "assertTrue":
			pythonExpression(t, c, args[0])
		case name == "assertIsNotNone" || name == "assertIsNone":
			c.compares(t, how, args[0])
		case len(args) > 1 && about.MatchString(name):
			c.compares(t, near, args[0], args[1])
			pythonTolerance(t, c, n, name)
		case len(args) > 1 && (strings.HasSuffix(name, "Equal") || strings.HasSuffix(name, "_equal")) && !strings.Contains(name, "Not") && !strings.Contains(name, "not"):
			c.compares(t, exact, args[0], args[1])
		case known && len(args) > 1:
			c.compares(t, how, args[0], args[1])
		}
	}
}

var (
	raising = pattern.New(`^(raises|warns|assertRaises|assertRaisesRegex|assertWarns|assertWarnsRegex)$`)
	about   = pattern.New(`^(assertAlmostEqual|assert_allclose|assert_almost_equal|assert_approx_equal|assert_array_almost_equal)$`)
)

// pythonExpression reads what has to be true.
func pythonExpression(t *syntax.Tree, c *claim, n *syntax.Node) {
	n = n.Unwrapped()
	switch n.Kind {
	case "comparison_operator":
		ops, sides := n.All("operators"), n.Parts()
		if len(ops) != 1 || len(sides) < 2 {
			return
		}
		x, y := sides[0], sides[len(sides)-1]
		op := wording.Fold(t.Text(n)[x.End-n.Start : y.Start-n.Start])
		how := map[string]level{"==": exact, "is": exact, "in": partial, "<": partial, ">": partial, "<=": partial, ">=": partial, "!=": weak, "is not": weak}[op]
		c.compares(t, how, x, y)
		if call := y.Find(approximate(t)); call != nil && op == "==" {
			c.operands = slices.DeleteFunc(c.operands, func(s string) bool { return strings.Contains(s, "approx ") })
			c.level = near
			pythonTolerance(t, c, call, "approx")
		}
		if how == exact && anything.MatchString(t.Text(y)) {
			c.level = partial
		}
	case "boolean_operator":
		if t.Text(n.At("operator")) == "or" && n.At("left") != nil { // the second half lets pass what the first does not
			pythonExpression(t, c, n.At("left"))
			c.level = min(c.level, partial)
		}
	case "identifier", "attribute", "subscript":
		c.compares(t, weak, n)
	case "call":
		if name := t.Text(n.At("function")); name == "isinstance" || name == "hasattr" {
			if args := n.At("arguments").Parts(); len(args) > 0 {
				c.compares(t, partial, args[0])
			}
		} else if strings.HasSuffix(name, "isclose") {
			args := n.At("arguments").Parts()
			if len(args) > 1 {
				c.compares(t, near, args[0], args[1])
				pythonTolerance(t, c, n, "isclose")
			}
		}
	}
}

func approximate(t *syntax.Tree) func(*syntax.Node) bool {
	return func(n *syntax.Node) bool {
		return n.Is("call") && strings.HasSuffix(t.Text(n.At("function")), "approx")
	}
}

// anything is what stands for values that are not looked at.
var anything = pattern.New(`\bmock\.ANY\b|\bANY\b|expect\.(any|anything|objectContaining|arrayContaining|stringContaining|stringMatching)\(`)

// pythonTolerance reads the largest difference that a call lets pass.
func pythonTolerance(t *syntax.Tree, c *claim, call *syntax.Node, name string) {
	args := call.At("arguments").Parts()
	most, known := 0.0, false
	for i, a := range args {
		key, value := "", t.Text(a)
		if a.Is("keyword_argument") {
			key, value = t.Text(a.At("name")), t.Text(a.At("value"))
		}
		v, ok := 0.0, false
		switch {
		case loose.MatchString(key), key == "" && i == 1 && name == "approx":
			v, ok = number(value)
		case key == "places", key == "decimal", key == "" && i == 2 && (name == "assertAlmostEqual" || name == "assert_almost_equal"):
			v, ok = digits(value)
		}
		if ok {
			most, known = max(most, v), true
		}
	}
	switch {
	case !known && name == "assertAlmostEqual" && len(args) == 2:
		most, known = digits("7")
	case !known && name == "approx" && len(args) == 1:
		most, known = 1e-6, true
	}
	c.tolerates(most, known)
}

// pythonRaises reads which exceptions are expected.
func pythonRaises(t *syntax.Tree, c *claim, args []*syntax.Node) {
	c.raises, c.level = true, partial
	for i, a := range args {
		switch {
		case i == 0 && !a.Is("keyword_argument"):
			a.Walk(func(n *syntax.Node) bool {
				if n.Is("identifier", "attribute") {
					name := t.Text(n)
					c.names = append(c.names, name[strings.LastIndexByte(name, '.')+1:])
					return false
				}
				return true
			})
		case a.Is("keyword_argument") && t.Text(a.At("name")) == "match", i == 1 && a.Is("string"):
			c.pattern = true
		}
	}
}
