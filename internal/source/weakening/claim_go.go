package weakening

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

var goCompare = map[string]level{
	"Equal": exact, "EqualValues": exact, "Exactly": exact, "Same": exact, "DeepEqual": exact, "JSONEq": exact, "YAMLEq": exact,
	"ElementsMatch": exact, "Nil": exact, "NilError": exact, "NoError": exact, "True": unknown, "False": unknown, "Empty": exact, "Zero": exact,
	"Len": partial, "Contains": partial, "Subset": partial, "Regexp": partial, "IsType": partial, "Implements": partial,
	"Greater": partial, "GreaterOrEqual": partial, "Less": partial, "LessOrEqual": partial, "HasPrefix": partial,
	"NotNil": weak, "NotEmpty": weak, "NotEqual": weak, "NotZero": weak, "NotSame": weak,
}

// goErrors are the assertions about an error that is expected.
var goErrors = map[string]bool{"ErrorIs": true, "ErrorAs": true, "EqualError": true, "ErrorContains": true, "Error": true, "PanicsWithValue": true, "PanicsWithError": true, "Panics": true}

func goClaim(t *syntax.Tree, c *claim) {
	n := c.check.Node
	switch {
	case n.Is("IfStmt"):
		goCondition(t, c, n.At("cond"))
	case n.Is("CallExpr"):
		sel := n.At("fun").At("sel")
		args := n.All("args")
		if len(args) > 0 && (t.Text(args[0]) == "t" || t.Text(args[0]) == "b" || strings.HasSuffix(t.Text(args[0]), ".T()")) {
			args = args[1:]
		}
		name := strings.TrimSuffix(t.Text(sel), "f")
		how, known := goCompare[name]
		switch {
		case len(args) == 0:
		case goErrors[name]:
			c.raises = true
			c.compares(t, partial, args[0])
			if name != "Error" && name != "Panics" && len(args) > 1 {
				c.names, c.pattern = []string{wording.Fold(t.Text(args[1]))}, true
			}
		case (name == "InDelta" || name == "InEpsilon") && len(args) > 2:
			c.compares(t, near, args[0], args[1])
			c.tolerates(number(t.Text(args[2])))
		case name == "Nil" || name == "NoError" || name == "NilError" || name == "NotNil" || name == "Empty" || name == "NotEmpty" || name == "Zero":
			c.compares(t, how, args[0])
		case known && len(args) > 1:
			c.compares(t, how, args[0], args[1])
		}
	}
}

// goCondition reads a condition under which a test fails.
func goCondition(t *syntax.Tree, c *claim, cond *syntax.Node) {
	cond = cond.Unwrapped()
	switch op := cond.At("op"); {
	case cond.Is("BinaryExpr") && op.Is("!="):
		c.compares(t, exact, cond.At("x"), cond.At("y"))
	case cond.Is("BinaryExpr") && op.Is("=="):
		c.compares(t, weak, cond.At("x"), cond.At("y"))
	case cond.Is("BinaryExpr") && op.Is("<", ">", "<=", ">="):
		c.compares(t, partial, cond.At("x"), cond.At("y"))
	case cond.Is("UnaryExpr") && op.Is("!") && cond.At("x").Is("CallExpr"):
		call := cond.At("x")
		name := t.Text(call.At("fun"))
		name = name[strings.LastIndexByte(name, '.')+1:]
		args := call.All("args")
		switch {
		case len(args) > 1 && (name == "DeepEqual" || name == "Equal"):
			c.compares(t, exact, args[0], args[1])
		case len(args) > 1 && slices.Contains([]string{"Contains", "HasPrefix", "HasSuffix", "EqualFold", "MatchString"}, name):
			c.compares(t, partial, args[0], args[1])
		case len(args) > 1 && (name == "Is" || name == "As"):
			c.compares(t, partial, args[0])
			c.raises, c.names, c.pattern = true, []string{wording.Fold(t.Text(args[1]))}, true
		}
	}
}
