package weakening

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

var scriptCompare = map[string]level{
	"toContain": partial, "toContainEqual": partial, "toMatch": partial, "toMatchObject": partial, "toHaveLength": partial, "toHaveProperty": partial,
	"toBeGreaterThan": partial, "toBeGreaterThanOrEqual": partial, "toBeLessThan": partial, "toBeLessThanOrEqual": partial, "toBeInstanceOf": partial,
	"include": partial, "match": partial, "contain": partial, "a": partial, "an": partial, "instanceof": partial, "instanceOf": partial,
	"toBeDefined": weak, "toBeTruthy": weak, "exist": weak, "ok": weak, "exists": weak, "isOk": weak, "isDefined": weak,
	"toBeNull": exact, "toBeUndefined": exact, "strictEqual": exact, "deepStrictEqual": exact,
	"toBe": exact, "toEqual": exact, "toStrictEqual": exact, "equal": exact, "equals": exact, "eql": exact, "eq": exact, "deepEqual": exact, "is": exact, "same": exact,
	"toHaveBeenCalledWith": exact, "toHaveBeenCalledTimes": partial, "toHaveBeenCalled": weak,
	"toMatchSnapshot": exact, "toMatchInlineSnapshot": exact,
}

func scriptClaim(t *syntax.Tree, c *claim) {
	n := c.check.Node.Unwrapped()
	if n.Is("await_expression") && len(n.Parts()) == 1 {
		n = n.Parts()[0]
	}
	name, args := "", n.At("arguments").Parts()
	chain := n
	if n.Is("call_expression") {
		chain = n.At("function")
	}
	if name = t.Text(chain); chain.Is("member_expression") {
		name = t.Text(chain.At("property"))
	}
	text := t.Text(chain)
	negated := strings.Contains(text, ".not.") || strings.HasPrefix(name, "not") || strings.HasPrefix(name, "doesNot")
	how, known := scriptCompare[name]
	subject, expected := c.check.Subject, c.check.Expected
	switch {
	case name == "assert" && len(args) > 0:
		scriptCondition(t, c, args[0])
	case throwing.MatchString(name) && !negated:
		c.raises = true
		c.compares(t, partial, subject)
		want := args
		if strings.HasPrefix(text, "assert.") && len(args) > 0 {
			want = args[1:]
		}
		if len(want) > 0 {
			c.names, c.pattern = []string{wording.Fold(t.Text(want[0]))}, true
		}
	case (name == "toBeCloseTo" || name == "closeTo" || name == "approximately") && len(args) > 0:
		c.compares(t, near, subject, args[0])
		place := args[len(args)-1]
		switch {
		case name == "toBeCloseTo" && len(args) == 1:
			c.tolerates(digits("2"))
		case name == "toBeCloseTo":
			c.tolerates(digits(t.Text(place)))
		case len(args) > 1:
			c.tolerates(number(t.Text(place)))
		}
	case negated && subject != nil:
		c.compares(t, weak, subject)
	case known && subject != nil:
		c.compares(t, how, subject)
		if expected != nil && n.Is("call_expression") {
			c.sides = append(c.sides, wording.Fold(t.Text(expected)))
			if how == exact && anything.MatchString(t.Text(expected)) {
				c.level = partial
			}
		}
		if name == "toBeNull" || name == "toBeUndefined" {
			c.sides = append(c.sides, "null")
		}
	}
}

var throwing = pattern.New(`^(toThrow|toThrowError|throw|throws|rejects)$`)

// scriptCondition reads what has to be true.
func scriptCondition(t *syntax.Tree, c *claim, n *syntax.Node) {
	n = n.Unwrapped()
	op := t.Text(n.At("operator"))
	how := map[string]level{"===": exact, "==": exact, "!==": weak, "!=": weak, "<": partial, ">": partial, "<=": partial, ">=": partial}[op]
	switch {
	case n.Is("binary_expression") && op == "||":
		scriptCondition(t, c, n.At("left"))
		c.level = min(c.level, partial)
	case n.Is("binary_expression") && how != unknown:
		c.compares(t, how, n.At("left"), n.At("right"))
	case n.Is("identifier", "member_expression", "subscript_expression"):
		c.compares(t, weak, n)
	}
}
