package weakening

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

var javaCompare = map[string]level{
	"assertEquals": exact, "assertArrayEquals": exact, "assertIterableEquals": exact, "assertLinesMatch": partial, "assertSame": exact, "assertNull": exact, "assertInstanceOf": partial,
	"assertNotEquals": weak, "assertNotSame": weak, "assertNotNull": weak,
	"isEqualTo": exact, "isSameAs": exact, "isNull": exact, "isTrue": exact, "isFalse": exact, "isZero": exact, "containsExactly": exact, "hasToString": exact,
	"contains": partial, "containsOnly": partial, "startsWith": partial, "endsWith": partial, "hasSize": partial, "isInstanceOf": partial, "matches": partial, "isEmpty": exact,
	"isGreaterThan": partial, "isLessThan": partial, "isGreaterThanOrEqualTo": partial, "isLessThanOrEqualTo": partial, "isBetween": partial, "isPresent": weak,
	"isNotNull": weak, "isNotEmpty": weak, "isNotEqualTo": weak, "isNotZero": weak,
}

func javaClaim(t *syntax.Tree, c *claim) {
	n := c.check.Node
	name, args := t.Text(n.At("name")), n.Arguments()
	switch how, known := javaCompare[name]; {
	case n.Is("annotation"):
		c.raises, c.level = true, partial
		c.names = javaTypes.FindAllString(t.Text(n.At("arguments")), -1)
	case name == "assertThrows" || name == "assertThrowsExactly":
		if len(args) > 1 {
			c.raises = true
			c.compares(t, partial, args[1])
			c.names = javaTypes.FindAllString(t.Text(args[0]), -1)
		}
	case name == "assertTrue" || name == "assertFalse":
		javaCondition(t, c, c.check.Subject, name == "assertFalse")
	case known && name == "assertEquals" && len(args) == 3 && !args[0].Is("string_literal") && !args[2].Is("string_literal"):
		c.compares(t, near, args[1], args[0])
		c.tolerates(number(strings.TrimRight(t.Text(args[2]), "fFdD")))
	case known:
		c.compares(t, how, c.check.Subject, c.check.Expected)
	}
}

var javaTypes = pattern.New(`\b[A-Z]\w*\b`)

// javaCondition reads what has to be true, or must not be.
func javaCondition(t *syntax.Tree, c *claim, cond *syntax.Node, negated bool) {
	if c.check.Equal { // the check has its sides
		c.compares(t, exact, c.check.Subject, c.check.Expected)
		return
	}
	if cond = cond.Unwrapped(); cond.Is("unary_expression") && cond.At("operator").Is("!") {
		cond, negated = cond.At("operand").Unwrapped(), !negated
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
	case cond.Is("binary_expression") && op.Is("||") && !negated: // the second half lets pass what the first does not
		javaCondition(t, c, cond.At("left"), negated)
		c.level = min(c.level, partial)
	case cond.Is("method_invocation") && cond.At("object") != nil && len(cond.Arguments()) > 0:
		how := partial
		switch {
		case negated:
			how = weak
		case t.Text(cond.At("name")) == "equals":
			how = exact
		}
		c.compares(t, how, cond.At("object"), cond.Arguments()[0])
	case cond.Is("identifier", "field_access", "method_invocation"):
		c.compares(t, weak, cond)
	}
}

var (
	javaDisabled = pattern.New(`^@(\w+\.)*(Disabled|Ignore)\b`)
	javaAssumes  = pattern.New(`^((Assumptions|Assume)\.)?(assumeTrue\(\s*false\b|assumeFalse\(\s*true\b|abort\()`)
)

func javaOff(t *test) mark {
	j := outline.Java{Tree: t.in.Tree}
	for n := t.Node; n != nil; n = n.Parent {
		if at := j.Annotation(n, javaDisabled); at != nil {
			return markOf(at)
		}
	}
	body := t.Body
	if t.Body.Is("method_declaration") {
		body = t.Body.At("body")
	}
	for i, s := range body.Parts() {
		if javaAssumes.MatchString(t.in.text(s)) || s.Is("return_statement") && i+1 < len(body.Parts()) {
			return markOf(s)
		}
	}
	return mark{}
}
