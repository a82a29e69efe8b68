package weakening

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

func rustClaim(t *syntax.Tree, c *claim) {
	n := c.check.Node
	args := n.Arguments()
	switch name := strings.TrimPrefix(t.Text(n.At("function")), "debug_"); {
	case n.Is("attribute_item"):
		c.raises, c.level, c.pattern = true, partial, strings.Contains(t.Text(n), "expected")
	case name == "assert_eq" && len(args) > 1:
		c.compares(t, exact, args[0], args[1])
	case name == "assert_ne" && len(args) > 1:
		c.compares(t, weak, args[0], args[1])
	case name == "assert" && len(args) > 0:
		rustCondition(t, c, args[0])
	}
}

// looks are methods that tell of a value that it is there, or a part of it.
var looks = pattern.New(`^(is_some|is_ok|is_err|is_none|is_empty|contains|contains_key|starts_with|ends_with|is_some_and|any|all)$`)

// rustCondition reads what has to be true.
func rustCondition(t *syntax.Tree, c *claim, cond *syntax.Node) {
	cond = cond.Unwrapped()
	negated := cond.Is("unary_expression") && strings.HasPrefix(t.Text(cond), "!")
	if negated {
		cond = cond.Parts()[0].Unwrapped()
	}
	switch op := cond.At("operator"); {
	case cond.Is("binary_expression") && op.Is("==", "!="):
		how := exact
		if op.Is("==") == negated {
			how = weak
		}
		c.compares(t, how, cond.At("left"), cond.At("right"))
	case cond.Is("binary_expression") && op.Is("<", ">", "<=", ">="):
		c.compares(t, partial, cond.At("left"), cond.At("right"))
		rustTolerance(t, c, cond)
	case cond.Is("binary_expression") && op.Is("||"): // the second half lets pass what the first does not
		rustCondition(t, c, cond.At("left"))
		c.level = min(c.level, partial)
	case cond.Is("call_expression"):
		fun := cond.At("function")
		name := t.Text(fun.At("field"))
		how := partial
		if name == "is_some" || name == "is_ok" || negated {
			how = weak
		}
		if fun.Is("field_expression") && looks.MatchString(name) {
			c.compares(t, how, fun.At("value"))
		}
	case cond.Is("identifier", "field_expression"):
		c.compares(t, weak, cond)
	}
}

// rustTolerance reads (a - b).abs() < 0.1.
func rustTolerance(t *syntax.Tree, c *claim, cond *syntax.Node) {
	call := cond.At("left").Unwrapped()
	fun := call.At("function")
	if !call.Is("call_expression") || t.Text(fun.At("field")) != "abs" {
		return
	}
	if sum := fun.At("value").Unwrapped(); sum.Is("binary_expression") && sum.At("operator").Is("-") {
		c.operands, c.sides = nil, nil
		c.compares(t, near, sum.At("left"), sum.At("right"))
		c.tolerates(number(t.Text(cond.At("right"))))
	}
}

var (
	rustIgnored = pattern.New(`^#\[\s*ignore\b`)
	rustNever   = pattern.New(`^#\[\s*cfg\(\s*(any\(\s*\)|not\(\s*(test|all\(\s*\))\s*\)|FALSE|false)\s*\)`)
)

func rustOff(t *test) mark {
	r := outline.Rust{Tree: t.in.Tree}
	for n := t.Node; n != nil; n = n.Parent {
		for _, what := range []*pattern.Pattern{rustIgnored, rustNever} {
			if at := r.Attribute(n, what); at != nil {
				return markOf(at)
			}
		}
	}
	body := t.Body
	if t.Body.Is("function_item") {
		body = t.Body.At("body")
	}
	for i, s := range body.Parts() {
		if s.Is("expression_statement") && s.First("return_expression") != nil && i+1 < len(body.Parts()) {
			return markOf(s)
		}
	}
	return mark{}
}
