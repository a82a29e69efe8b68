package edit

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// scriptTests reads tests of vitest, jest, mocha, chai and node:test.
type scriptTests struct {
	*syntax.Tree
	outline.Script
	ownAssert bool // the file declares a function called assert
}

func newScriptTests(t *syntax.Tree) Reader {
	own := t.Root.Find(func(n *syntax.Node) bool {
		return n.Is("function_declaration") && t.Text(n.At("name")) == "assert"
	})
	return scriptTests{t, outline.Script{Tree: t}, own != nil}
}

func (r scriptTests) Tests() []Case {
	var out []Case
	r.Root.Walk(func(n *syntax.Node) bool {
		if !n.Is("call_expression") {
			return true
		}
		kind, title := r.announced(n)
		if kind != outline.TestCase {
			return true
		}
		t := Case{Name: r.Titles(n, title), Node: n, Head: []*syntax.Node{title, n.At("function")}}
		if n.Parent.Is("expression_statement") {
			t.Node = n.Parent
		}
		for _, arg := range n.At("arguments").Parts() {
			if outline.ScriptFunction(arg) {
				t.Body = arg
			}
		}
		out = append(out, t)
		return false
	})
	return out
}

// announced is TestCall that also takes it.todo("…") and it("…"), which have a
// title and nothing to run.
func (r scriptTests) announced(call *syntax.Node) (outline.TestKind, *syntax.Node) {
	if kind, title := r.TestCall(call); kind != outline.TestNone {
		return kind, title
	}
	args := call.At("arguments").Parts()
	word, _, _ := strings.Cut(r.Callee(call.At("function")), ".")
	if len(args) == 1 && args[0].Is("string", "template_string") && !call.Parent.Is("call_expression") {
		return outline.TestWords[word], args[0]
	}
	return outline.TestNone, nil
}

var expectSetup = pattern.New(`^expect\.(assertions|hasAssertions|extend|unreachable|addSnapshotSerializer)$`)

func (r scriptTests) Check(n *syntax.Node) *Check {
	var c *Check
	switch n.Kind {
	case "call_expression":
		callee := r.Callee(n.At("function"))
		switch {
		case expectSetup.MatchString(callee):
			return nil
		case callee == "assert" && r.ownAssert:
			return nil
		case callee == "assert" || strings.HasPrefix(callee, "assert.") || strings.HasPrefix(callee, "t.assert."):
			c = r.assert(n, callee)
		default:
			c = r.chain(n)
		}
	case "member_expression": // expect(x).to.be.true
		if n.Parent.Is("expression_statement", "await_expression") {
			c = r.chain(n)
		}
	}
	if c != nil && c.Node.Parent.Is("await_expression") {
		c.Node = c.Node.Parent
	}
	return c
}

var (
	valueMatcher   = pattern.New(`^(toBe|toEqual|toStrictEqual|equal|equals|eql|eq|deepEqual|toMatchObject)$`)
	builtinMatcher = pattern.New(`^to(Be\w*|Equal|StrictEqual|Match|MatchObject|Contain\w*|HaveLength|HaveProperty|Satisfy|Throw\w*|Return\w*|` +
		`Have(Been)?(Nth|Last)?(Called|CalledTimes|CalledWith|LastCalledWith|NthCalledWith|CalledOnce|CalledExactlyOnceWith|Returned|ReturnedWith|ReturnedTimes|Resolved\w*)|` +
		`Match\w*Snapshot|ThrowErrorMatching\w*Snapshot)$`)
	snapshotMatcher = pattern.New(`^(toMatch(Inline|File)?Snapshot|toThrowErrorMatching(Inline)?Snapshot|matchSnapshot)$`)
)

// chain reads expect(x).not.toBe(y), x.should.equal(y) and request.expect(200).
func (r scriptTests) chain(n *syntax.Node) *Check {
	c := &Check{Node: n}
	if n.Is("call_expression") {
		if args := n.At("arguments").Parts(); len(args) > 0 {
			c.Expected = args[0]
		}
		matcher := r.Text(n.At("function").At("property"))
		c.Custom = strings.HasPrefix(matcher, "to") && len(matcher) > 2 && !builtinMatcher.MatchString(matcher)
		c.Equal, c.Snapshot = valueMatcher.MatchString(matcher), snapshotMatcher.MatchString(matcher)
	}
	not := (*syntax.Node)(nil)   // the member expression that ends in .not
	after := (*syntax.Node)(nil) // what ".not" goes behind
	for link := n; link != nil; {
		switch {
		case link.Is("member_expression"):
			switch r.Text(link.At("property")) {
			case "not":
				not = link
			case "resolves", "rejects", "should":
				if after == nil {
					after = link
				}
				if r.Text(link.At("property")) == "should" {
					c.Subject = link.At("object")
					c.negate = negateChain(not, after)
					return c
				}
			}
			link = link.At("object")
		case link.Is("call_expression"):
			fun := link.At("function")
			if name := r.Text(fun); fun.Is("identifier") && (name == "expect" || name == "expectTypeOf" || name == "should") ||
				name == "expect.soft" || name == "expect.poll" {
				if link == n { // expect(x) and nothing more asserts nothing
					return nil
				}
				if args := link.At("arguments").Parts(); len(args) > 0 {
					c.Subject = args[0]
				}
				if after == nil {
					after = link
				}
				c.negate = negateChain(not, after)
				return c
			}
			if fun.Is("member_expression") && r.Text(fun.At("property")) == "expect" {
				c.Subject, c.Expected = fun.At("object"), nil
				return c // supertest: no opposite
			}
			link = fun
		case link.Is("await_expression", "parenthesized_expression", "non_null_expression") && len(link.Parts()) == 1:
			link = link.Parts()[0]
		default:
			return nil
		}
	}
	return nil
}

func negateChain(not, after *syntax.Node) []edit {
	if not != nil {
		return []edit{{not.At("object").End, not.End, ""}}
	}
	return []edit{{after.End, after.End, ".not"}}
}

// opposites of the functions of node:assert and chai's assert.
var scriptOpposite = both(map[string]string{
	"equal": "notEqual", "strictEqual": "notStrictEqual", "deepEqual": "notDeepEqual",
	"deepStrictEqual": "notDeepStrictEqual", "throws": "doesNotThrow", "rejects": "doesNotReject",
	"match": "doesNotMatch", "isTrue": "isNotTrue", "isFalse": "isNotFalse", "isNull": "isNotNull",
	"isUndefined": "isDefined", "include": "notInclude", "exists": "notExists", "isEmpty": "isNotEmpty",
	"instanceOf": "notInstanceOf", "property": "notProperty", "isArray": "isNotArray", "isOk": "isNotOk",
	"lengthOf": "notLengthOf", "typeOf": "notTypeOf", "isObject": "isNotObject", "isFunction": "isNotFunction",
})

func both(pairs map[string]string) map[string]string {
	out := map[string]string{}
	for a, b := range pairs {
		out[a], out[b] = b, a
	}
	return out
}

func (r scriptTests) assert(n *syntax.Node, callee string) *Check {
	c := &Check{Node: n}
	args := n.At("arguments").Parts()
	if len(args) == 0 {
		return nil
	}
	c.Subject = args[0]
	name := callee[strings.LastIndex(callee, ".")+1:]
	switch name {
	case "assert", "ok":
		c.negate = []edit{{args[0].Start, args[0].End, "!(" + r.Text(args[0]) + ")"}}
		if args[0].Is("binary_expression") && strings.HasPrefix(r.Text(args[0].At("operator")), "==") {
			c.Subject, c.Expected, c.Equal = args[0].At("left"), args[0].At("right"), true
		}
		return c
	case "fail", "plan":
		return nil
	}
	if len(args) > 1 {
		c.Expected = args[1]
	}
	c.Equal = strings.HasSuffix(strings.ToLower(name), "equal")
	if opposite := scriptOpposite[name]; opposite != "" {
		property := n.At("function").At("property")
		c.negate = []edit{{property.Start, property.End, opposite}}
	}
	return c
}

func (r scriptTests) helper(n *syntax.Node) (declares string, body *syntax.Node, calls string) {
	switch n.Kind {
	case "function_declaration":
		return r.Text(n.At("name")), n.At("body"), ""
	case "variable_declarator":
		if value := n.At("value"); outline.ScriptFunction(value) {
			return r.Text(n.At("name")), value.At("body"), ""
		}
	case "call_expression":
		return "", nil, r.Callee(n.At("function"))
	}
	return "", nil, ""
}
