package weakening

import (
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/policy"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// level is how much an assertion says of what it looks at.
type level int

// The levels; assertions of unknown are compared with none.
const (
	unknown level = iota
	weak          // that something is there, or that it is not some one value
	partial       // something about it: a part, a bound, a kind
	near          // the value up to a tolerance
	exact         // the value
)

// claim is an assertion with what it says.
type claim struct {
	check edit.Check
	text  string // as it may be shown
	key   string // the same for texts that differ in white space, quotes, brackets and await
	level level
	// operands are what is compared, without literals; sides all of it.
	operands, sides []string
	raises          bool
	names           []string // of exceptions that are expected
	pattern         bool     // their message is looked at
	within          float64  // the largest difference that passes
	tolerant        bool     // within is known
	constant        bool     // true whatever the code does
}

// readers say what an assertion of a language claims.
var readers = map[string]func(*syntax.Tree, *claim){
	"go": goClaim, "python": pythonClaim, "rust": rustClaim, "java": javaClaim, "javascript": scriptClaim, "typescript": scriptClaim, "tsx": scriptClaim,
}

func claimOf(t *syntax.Tree, c edit.Check) claim {
	out := claim{check: c, text: wording.Fold(t.Text(c.Node)), key: strings.TrimPrefix(Shape(t, c.Node), "await ")}
	if c.Custom {
		return out
	}
	readers[t.Grammar](t, &out)
	out.constant = policy.Tautological(t, c) || certain(t, c.Node)
	if t.Grammar == "go" && len(out.operands) > 0 && len(out.sides) > 1 && out.sides[0] != out.sides[1] {
		out.constant = false // what is expected comes first there
	}
	return out
}

// certain reports an assertion that holds whatever it looks at: of a pair or a function, which
// are never false, of one of two that is true, and of a matcher that is not called.
func certain(t *syntax.Tree, n *syntax.Node) bool {
	decided := func(n *syntax.Node, op, side string) bool {
		return n.At("operator").Is(op) || n.At("op").Is(op) && slices.ContainsFunc(n.Parts(), func(k *syntax.Node) bool { return t.Text(k) == side })
	}
	switch {
	case n.Is("assert_statement") && len(n.Parts()) > 0:
		of := n.Parts()[0]
		return of.Is("lambda") || of.Is("tuple") && len(of.Parts()) > 0 || of.Is("boolean_operator") && decided(of, "or", "True")
	case n.Is("IfStmt"):
		return decided(n.At("cond"), "&&", "false")
	case n.Is("member_expression"):
		return uncalledMatcher.MatchString(t.Text(n.At("property")))
	}
	return false
}

var uncalledMatcher = pattern.New(`^to(Be|Equal|StrictEqual|Throw|Match|Contain|Have)\w*$`)

// Shape is a piece of a file without what formatters change.
func Shape(t *syntax.Tree, n *syntax.Node) string { return strings.Join(tokens(t, n), " ") }

// tokens are the words of a piece of a file, without what formatters change.
func tokens(t *syntax.Tree, n *syntax.Node) (out []string) {
	n.Walk(func(c *syntax.Node) bool {
		switch {
		case c.Is("comment", ",", ";", "(", ")"):
			return false
		case c.Is("string", "string_literal"):
			text := strings.ReplaceAll(strings.TrimLeft(t.Text(c), "rRuU"), `\\`, `\`)
			out = append(out, "'"+strings.Trim(text, "'\"`")+"'")
			return false
		case len(c.Children) == 0 && c.End > c.Start:
			out = append(out, wording.Fold(t.Text(c)))
		}
		return true
	})
	return out
}

// less reports whether a test has nothing but words of the earlier one, in their order, and
// fewer of them.
func less(o, t *test) bool {
	was, is := tokens(o.in.Tree, table(o.Node)), tokens(t.in.Tree, table(t.Node))
	if len(is) >= len(was) {
		return false
	}
	for _, word := range is {
		at := slices.Index(was, word)
		if at < 0 {
			return false
		}
		was = was[at+1:]
	}
	return true
}

// compares enters the two sides of a comparison.
func (c *claim) compares(t *syntax.Tree, how level, sides ...*syntax.Node) {
	c.level = how
	for _, n := range sides {
		if n == nil {
			continue
		}
		text := Shape(t, n.Unwrapped())
		c.sides = append(c.sides, text)
		if !Literal(t, n) {
			c.operands = append(c.operands, text)
		}
	}
}

// Literal reports text in which nothing of the program occurs.
func Literal(t *syntax.Tree, n *syntax.Node) bool {
	return n.Find(func(c *syntax.Node) bool {
		return syntax.IsIdentifier(c) && !constantName[t.Text(c)] || c.Is("this")
	}) == nil
}

var constantName = wordSet("true false nil undefined NaN Infinity None True False")

// empty are values that are as much as false where only truth is asked for.
var empty = wordSet("true false nil null undefined None True False 0 ''")

// plainly reports a comparison with a value that a look at truth tells as well.
func (c claim) plainly() bool {
	return slices.ContainsFunc(c.sides, func(s string) bool { return empty[s] || strings.Trim(s, "[]{} ") == "" })
}

// same reports that two claims look at the same thing.
func (c claim) same(o claim) bool {
	return slices.ContainsFunc(c.operands, func(s string) bool { return slices.Contains(o.operands, s) })
}

// number reads a literal that may be a tolerance.
func number(text string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return v, err == nil && v >= 0
}

// tolerates enters how large a difference may be.
func (c *claim) tolerates(v float64, ok bool) {
	if c.level = near; ok {
		c.within, c.tolerant = v, true
	}
}

// digits is the difference that so many decimal places let pass.
func digits(text string) (float64, bool) {
	n, err := strconv.Atoi(text)
	if err != nil || n < -30 || n > 30 {
		return 0, false
	}
	out := 0.5
	for range max(n, -n) {
		if n > 0 {
			out /= 10
		} else {
			out *= 10
		}
	}
	return out, true
}
