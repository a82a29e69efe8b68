package edit

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// javaTests reads tests of JUnit 3 to 5, with the assertions of JUnit, AssertJ and
// Hamcrest.
type javaTests struct {
	*syntax.Tree
	outline.Java
	library string // the class whose assertions are imported one by one
}

func newJavaTests(t *syntax.Tree) Reader {
	r := javaTests{Tree: t, Java: outline.Java{Tree: t}}
	for _, n := range t.Root.Children {
		for _, im := range r.ImportsAt(n) {
			for _, library := range []string{"org.junit.jupiter.api.Assertions", "org.junit.Assert"} {
				if strings.HasPrefix(im.Path, library) && r.library == "" {
					r.library = library
				}
			}
		}
	}
	return r
}

// JavaRaises is the annotation of a test that has to end with an exception.
var JavaRaises = pattern.New(`^@(\w+\.)*Test\(.*\bexpected\s*=`)

func (r javaTests) Tests() []Case {
	var out []Case
	r.Root.Walk(func(n *syntax.Node) bool {
		if !r.IsTest(n) {
			return true
		}
		c := Case{Name: r.Class(n) + "." + r.Text(n.At("name")), Node: n, Body: n.At("body"), Head: []*syntax.Node{n.At("name")}}
		if r.Annotation(n, JavaRaises) != nil {
			c.Body = n // what it asserts stands above it
		}
		out = append(out, c)
		return false
	})
	return out
}

var (
	javaAssert = pattern.New(`^assert[A-Z]\w*$`)
	// javaGroups assert nothing themselves.
	javaGroups = pattern.New(`^(assertAll|assertTimeout\w*|assertThat|assertDoesNotThrow)$`)
	// javaMocked ask what was called.
	javaMocked = pattern.New(`^verify(No\w+|Zero\w+)?$`)
	javaChain  = pattern.New(`^(assertThat\w*|then|expectThat)$`)
	// javaSetup are links of a chain behind which the assertion still comes.
	javaSetup = pattern.New(`^(as|describedAs|extracting|using\w*|with\w*|first|last|element|asString|size|filteredOn|satisfies)$`)
)

func (r javaTests) Check(n *syntax.Node) *Check {
	switch n.Kind {
	case "annotation":
		if JavaRaises.MatchString(r.Text(n)) && n.At("arguments") != nil {
			return &Check{Node: n, negate: []edit{{n.At("arguments").Start, n.At("arguments").End, ""}}}
		}
	case "method_invocation":
		return r.call(n)
	}
	return nil
}

func (r javaTests) call(n *syntax.Node) *Check {
	name, object, args := r.Text(n.At("name")), n.At("object"), n.Arguments()
	if start := r.begin(n); start != nil && start != n {
		if javaSetup.MatchString(name) {
			return nil
		}
		return r.chain(n, start, args)
	}
	switch static := object == nil || object.Is("identifier", "field_access"); {
	case !static:
	case javaMocked.MatchString(name) && len(args) > 0:
		return &Check{Node: n, Custom: true}
	case name == "fail" && (object == nil || strings.HasPrefix(r.Text(object), "Assert")):
		return &Check{Node: n} // fails wherever it is reached
	case name == "assertThat" && len(args) > 1: // Hamcrest; a reason may come first
		matcher := args[len(args)-1]
		return &Check{Node: n, Subject: args[len(args)-2], Expected: matcher, negate: []edit{{matcher.Start, matcher.End, "org.hamcrest.CoreMatchers.not(" + r.Text(matcher) + ")"}}}
	case name == "assertDoesNotThrow" && len(args) > 0:
		return &Check{Node: n, Subject: args[0]}
	case javaAssert.MatchString(name) && !javaGroups.MatchString(name) && len(args) > 0:
		return r.assert(n, name, args)
	}
	return nil
}

// begin is the call that a chain of assertions begins with, nil for other calls.
func (r javaTests) begin(n *syntax.Node) *syntax.Node {
	for n.Is("method_invocation") {
		if javaChain.MatchString(r.Text(n.At("name"))) && len(n.Arguments()) == 1 {
			return n
		}
		n = n.At("object")
	}
	return nil
}

var javaOpposite = both(map[string]string{
	"assertEquals": "assertNotEquals", "assertNull": "assertNotNull", "assertSame": "assertNotSame",
	"isEqualTo": "isNotEqualTo", "isTrue": "isFalse", "isNull": "isNotNull", "isEmpty": "isNotEmpty", "isSameAs": "isNotSameAs", "contains": "doesNotContain",
	"startsWith": "doesNotStartWith", "endsWith": "doesNotEndWith", "isPresent": "isNotPresent", "isIn": "isNotIn", "isInstanceOf": "isNotInstanceOf",
	"isGreaterThan": "isLessThanOrEqualTo", "isLessThan": "isGreaterThanOrEqualTo", "isZero": "isNotZero", "isBlank": "isNotBlank", "matches": "doesNotMatch",
})

func (r javaTests) chain(n, start *syntax.Node, args []*syntax.Node) *Check {
	name := n.At("name")
	c := &Check{Node: n, Subject: start.Arguments()[0], Equal: r.Text(name) == "isEqualTo"}
	if len(args) > 0 {
		c.Expected = args[0]
	}
	if opposite := javaOpposite[r.Text(name)]; opposite != "" {
		c.negate = []edit{{name.Start, name.End, opposite}}
	}
	return c
}

func (r javaTests) assert(n *syntax.Node, name string, args []*syntax.Node) *Check {
	c := &Check{Node: n}
	if len(args) > 1 && args[0].Is("string_literal") && r.library == "org.junit.Assert" && (len(args) > 2 || !strings.Contains(name, "Equals")) {
		args = args[1:] // the message comes first
	}
	switch name {
	case "assertTrue", "assertFalse":
		return r.truth(c, args[0], name == "assertTrue")
	case "assertThrows", "assertThrowsExactly":
		if len(args) > 1 {
			c.Subject = args[1]
			if n.Parent.Is("expression_statement") && len(args) == 2 && r.library == "org.junit.jupiter.api.Assertions" {
				c.negate = []edit{{n.Start, n.End, r.library + ".assertDoesNotThrow((org.junit.jupiter.api.function.Executable) (" + r.Text(args[1]) + "))"}}
			}
		}
		return c
	}
	c.Subject = args[0]
	if len(args) > 1 && !strings.HasSuffix(name, "Null") { // the expected value comes first
		c.Subject, c.Expected = args[1], args[0]
	}
	c.Equal = strings.HasSuffix(name, "Equals") && !strings.Contains(name, "Not")
	if opposite := javaOpposite[name]; opposite != "" {
		at := n.At("name")
		if n.At("object") == nil && r.library != "" { // which need not be imported by itself
			opposite = r.library + "." + opposite
		}
		c.negate = []edit{{at.Start, at.End, opposite}}
	}
	return c
}

func (r javaTests) truth(c *Check, cond *syntax.Node, wanted bool) *Check {
	c.Subject, c.negate = cond, []edit{{cond.Start, cond.End, "!(" + r.Text(cond) + ")"}}
	if cond.Is("lambda_expression", "method_reference") {
		c.negate = nil
	}
	if cond.Is("binary_expression") && cond.At("operator").Is("==") && wanted {
		c.Subject, c.Expected, c.Equal = cond.At("left"), cond.At("right"), true
	}
	return c
}

func (r javaTests) helper(n *syntax.Node) (declares string, body *syntax.Node, calls string) {
	switch n.Kind {
	case "method_declaration":
		return r.Text(n.At("name")), n.At("body"), ""
	case "method_invocation":
		if name := strings.TrimPrefix(r.Callee(n), "this."); !javaGroups.MatchString(name) {
			return "", nil, name
		}
	}
	return "", nil, ""
}
