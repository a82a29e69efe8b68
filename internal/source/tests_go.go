package source

import (
	"regexp"
	"strings"
)

// goTests reads tests of the standard library, testify and gotest.tools.
type goTests struct {
	*tree
	goGrammar
	gotest bool // the assert package is gotest.tools'
}

func newGoTests(t *tree) testReader {
	r := goTests{tree: t, goGrammar: goGrammar{t}}
	r.root.walk(func(n *node) bool {
		for _, im := range r.importsAt(n) {
			r.gotest = r.gotest || strings.HasPrefix(im.Path, "gotest.tools/")
		}
		return !n.is("FuncDecl")
	})
	return r
}

func (r goTests) tests() []testNode {
	var out []testNode
	for _, decl := range r.root.all("decls") {
		if r.isTest(decl) {
			t := testNode{name: r.text(decl.at("name")), node: decl, body: decl.at("body"), head: []*node{decl.at("name")}}
			if doc := decl.at("doc"); doc != nil {
				t.head = append(t.head, doc)
			}
			out = append(out, t)
		}
	}
	return out
}

var (
	goFails  = regexp.MustCompile(`^\w+\.(Error|Errorf|Fatal|Fatalf|Fail|FailNow)$`)
	goAssert = regexp.MustCompile(`^(require|assert|qt)\.\w+$`)
	goShort  = regexp.MustCompile(`^(is|must|c|a)\.(\w+)$`) // assertion objects by habit
	goOutput = regexp.MustCompile(`(?i)//\s*(unordered )?output:`)
)

func (r goTests) check(n *node) *check {
	switch n.kind {
	case "IfStmt":
		if !r.fails(n.at("body")) {
			return nil
		}
		cond := n.at("cond")
		c := &check{node: n, subject: cond, negate: []edit{{cond.start, cond.end, "!(" + r.text(cond) + ")"}}}
		if op := cond.at("op"); cond.is("BinaryExpr") && op.is("!=", "==") {
			c.subject, c.expected, c.equal = cond.at("x"), cond.at("y"), op.is("!=")
		}
		return c
	case "CallExpr":
		callee := r.callee(n.at("fun"))
		if goFails.MatchString(callee) && !strings.HasPrefix(callee, "log.") {
			return &check{node: n} // fails wherever it is reached
		}
		short := goShort.FindStringSubmatch(callee)
		if args := n.all("args"); len(args) > 0 && (goAssert.MatchString(callee) || short != nil && goOpposite[short[2]] != "") {
			return r.assert(n, callee, args)
		}
	case "BlockStmt":
		if fn := n.parent; fn.is("FuncDecl") && strings.HasPrefix(r.text(fn.at("name")), "Example") && goOutput.MatchString(r.text(n)) {
			return &check{node: n} // the go command compares the output
		}
	}
	return nil
}

// fails reports whether a block says that the test failed, by itself.
func (r goTests) fails(block *node) bool {
	for _, s := range block.all("list") {
		if call := s.at("x"); s.is("ExprStmt") && call.is("CallExpr") && goFails.MatchString(r.callee(call.at("fun"))) {
			return true
		}
	}
	return false
}

// goOpposite are testify's functions.
var goOpposite = both(map[string]string{
	"Equal": "NotEqual", "True": "False", "Nil": "NotNil", "NoError": "Error", "Empty": "NotEmpty",
	"Contains": "NotContains", "ErrorIs": "NotErrorIs", "Zero": "NotZero", "EqualValues": "NotEqualValues",
	"Same": "NotSame", "Panics": "NotPanics", "Greater": "LessOrEqual", "Less": "GreaterOrEqual",
	"Regexp": "NotRegexp", "ElementsMatch": "NotElementsMatch", "Subset": "NotSubset", "ErrorAs": "NotErrorAs",
	"FileExists": "NoFileExists", "DirExists": "NoDirExists",
})

func (r goTests) assert(n *node, callee string, args []*node) *check {
	c := &check{node: n}
	if r.text(args[0]) == "t" || r.text(args[0]) == "b" {
		args = args[1:]
	}
	if len(args) == 0 {
		return nil
	}
	c.subject = args[0]
	name := callee[strings.Index(callee, ".")+1:]
	plain := strings.TrimSuffix(name, "f")
	c.equal = strings.HasSuffix(plain, "Equal") || strings.HasSuffix(plain, "EqualValues")
	if c.equal || plain == "Contains" || plain == "Same" || plain == "Len" || strings.HasPrefix(plain, "Error") {
		if len(args) > 1 {
			c.expected = args[1]
		}
	}
	if r.gotest {
		c.negate = r.gotestOpposite(n, name, args)
		return c
	}
	opposite := goOpposite[name]
	if opposite == "" && plain != name && goOpposite[plain] != "" {
		opposite = goOpposite[plain] + "f"
	}
	if sel := n.at("fun").at("sel"); sel != nil && opposite != "" {
		c.negate = []edit{{sel.start, sel.end, opposite}}
	}
	return c
}

// gotestOpposite rewrites to assert.Assert with the opposite condition.
func (r goTests) gotestOpposite(n *node, name string, args []*node) []edit {
	sel := n.at("fun").at("sel")
	to := func(cond string, last *node) []edit {
		return []edit{{sel.start, sel.end, "Assert"}, {args[0].start, last.end, cond}}
	}
	switch {
	case name == "Equal" && len(args) > 1:
		return to(r.text(args[0])+" != "+r.text(args[1]), args[1])
	case name == "NilError":
		return to(r.text(args[0])+" != nil", args[0])
	case name == "Error" || name == "ErrorContains" || name == "ErrorIs":
		return to(r.text(args[0])+" == nil", args[len(args)-1])
	case name == "Assert" && args[0].is("BinaryExpr", "UnaryExpr"), name == "Assert" && args[0].is("Ident"):
		return to("!("+r.text(args[0])+")", args[0])
	}
	return nil
}

func (r goTests) helper(n *node) (declares string, body *node, calls string) {
	switch n.kind {
	case "FuncDecl":
		return r.text(n.at("name")), n.at("body"), ""
	case "CallExpr":
		return "", nil, r.callee(n.at("fun"))
	}
	return "", nil, ""
}
