package source

import (
	"regexp"
	"strings"
)

// scriptTests reads tests of vitest, jest, mocha, chai and node:test.
type scriptTests struct {
	*tree
	scriptGrammar
	ownAssert bool // the file declares a function called assert
}

func newScriptTests(t *tree) testReader {
	own := t.root.find(func(n *node) bool {
		return n.is("function_declaration") && t.text(n.at("name")) == "assert"
	})
	return scriptTests{t, scriptGrammar{t}, own != nil}
}

func (r scriptTests) tests() []testNode {
	var out []testNode
	r.root.walk(func(n *node) bool {
		if !n.is("call_expression") {
			return true
		}
		kind, title := r.announced(n)
		if kind != testCase {
			return true
		}
		t := testNode{name: r.titles(n, title), node: n, head: []*node{title, n.at("function")}}
		if n.parent.is("expression_statement") {
			t.node = n.parent
		}
		for _, arg := range n.at("arguments").parts() {
			if scriptFunction(arg) {
				t.body = arg
			}
		}
		out = append(out, t)
		return false
	})
	return out
}

// announced is testCall that also takes it.todo("…") and it("…"), which have a
// title and nothing to run.
func (r scriptTests) announced(call *node) (testKind, *node) {
	if kind, title := r.testCall(call); kind != testNone {
		return kind, title
	}
	args := call.at("arguments").parts()
	word, _, _ := strings.Cut(r.callee(call.at("function")), ".")
	if len(args) == 1 && args[0].is("string", "template_string") && !call.parent.is("call_expression") {
		return testWords[word], args[0]
	}
	return testNone, nil
}

var expectSetup = regexp.MustCompile(`^expect\.(assertions|hasAssertions|extend|unreachable|addSnapshotSerializer)$`)

func (r scriptTests) check(n *node) *check {
	var c *check
	switch n.kind {
	case "call_expression":
		callee := r.callee(n.at("function"))
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
		if n.parent.is("expression_statement", "await_expression") {
			c = r.chain(n)
		}
	}
	if c != nil && c.node.parent.is("await_expression") {
		c.node = c.node.parent
	}
	return c
}

var (
	valueMatcher   = regexp.MustCompile(`^(toBe|toEqual|toStrictEqual|equal|equals|eql|eq|deepEqual|toMatchObject)$`)
	builtinMatcher = regexp.MustCompile(`^to(Be\w*|Equal|StrictEqual|Match|MatchObject|Contain\w*|HaveLength|HaveProperty|Satisfy|Throw\w*|Return\w*|` +
		`Have(Been)?(Nth|Last)?(Called|CalledTimes|CalledWith|LastCalledWith|NthCalledWith|CalledOnce|CalledExactlyOnceWith|Returned|ReturnedWith|ReturnedTimes|Resolved\w*)|` +
		`Match\w*Snapshot|ThrowErrorMatching\w*Snapshot)$`)
	snapshotMatcher = regexp.MustCompile(`^(toMatch(Inline|File)?Snapshot|toThrowErrorMatching(Inline)?Snapshot|matchSnapshot)$`)
)

// chain reads expect(x).not.toBe(y), x.should.equal(y) and request.expect(200).
func (r scriptTests) chain(n *node) *check {
	c := &check{node: n}
	if n.is("call_expression") {
		if args := n.at("arguments").parts(); len(args) > 0 {
			c.expected = args[0]
		}
		matcher := r.text(n.at("function").at("property"))
		c.custom = strings.HasPrefix(matcher, "to") && len(matcher) > 2 && !builtinMatcher.MatchString(matcher)
		c.equal, c.snapshot = valueMatcher.MatchString(matcher), snapshotMatcher.MatchString(matcher)
	}
	not := (*node)(nil)   // the member expression that ends in .not
	after := (*node)(nil) // what ".not" goes behind
	for link := n; link != nil; {
		switch {
		case link.is("member_expression"):
			switch r.text(link.at("property")) {
			case "not":
				not = link
			case "resolves", "rejects", "should":
				if after == nil {
					after = link
				}
				if r.text(link.at("property")) == "should" {
					c.subject = link.at("object")
					c.negate = negateChain(not, after)
					return c
				}
			}
			link = link.at("object")
		case link.is("call_expression"):
			fun := link.at("function")
			if name := r.text(fun); fun.is("identifier") && (name == "expect" || name == "expectTypeOf" || name == "should") ||
				name == "expect.soft" || name == "expect.poll" {
				if link == n { // expect(x) and nothing more asserts nothing
					return nil
				}
				if args := link.at("arguments").parts(); len(args) > 0 {
					c.subject = args[0]
				}
				if after == nil {
					after = link
				}
				c.negate = negateChain(not, after)
				return c
			}
			if fun.is("member_expression") && r.text(fun.at("property")) == "expect" {
				c.subject, c.expected = fun.at("object"), nil
				return c // supertest: no opposite
			}
			link = fun
		case link.is("await_expression", "parenthesized_expression", "non_null_expression") && len(link.parts()) == 1:
			link = link.parts()[0]
		default:
			return nil
		}
	}
	return nil
}

func negateChain(not, after *node) []edit {
	if not != nil {
		return []edit{{not.at("object").end, not.end, ""}}
	}
	return []edit{{after.end, after.end, ".not"}}
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

func (r scriptTests) assert(n *node, callee string) *check {
	c := &check{node: n}
	args := n.at("arguments").parts()
	if len(args) == 0 {
		return nil
	}
	c.subject = args[0]
	name := callee[strings.LastIndex(callee, ".")+1:]
	switch name {
	case "assert", "ok":
		c.negate = []edit{{args[0].start, args[0].end, "!(" + r.text(args[0]) + ")"}}
		if args[0].is("binary_expression") && strings.HasPrefix(r.text(args[0].at("operator")), "==") {
			c.subject, c.expected, c.equal = args[0].at("left"), args[0].at("right"), true
		}
		return c
	case "fail", "plan":
		return nil
	}
	if len(args) > 1 {
		c.expected = args[1]
	}
	c.equal = strings.HasSuffix(strings.ToLower(name), "equal")
	if opposite := scriptOpposite[name]; opposite != "" {
		property := n.at("function").at("property")
		c.negate = []edit{{property.start, property.end, opposite}}
	}
	return c
}

func (r scriptTests) helper(n *node) (declares string, body *node, calls string) {
	switch n.kind {
	case "function_declaration":
		return r.text(n.at("name")), n.at("body"), ""
	case "variable_declarator":
		if value := n.at("value"); scriptFunction(value) {
			return r.text(n.at("name")), value.at("body"), ""
		}
	case "call_expression":
		return "", nil, r.callee(n.at("function"))
	}
	return "", nil, ""
}
