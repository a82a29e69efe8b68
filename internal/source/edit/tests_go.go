package edit

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// goTests reads tests of the standard library, testify and gotest.tools.
type goTests struct {
	*syntax.Tree
	outline.Go
	gotest bool // the assert package is gotest.tools'
}

func newGoTests(t *syntax.Tree) Reader {
	r := goTests{Tree: t, Go: outline.Go{Tree: t}}
	r.Root.Walk(func(n *syntax.Node) bool {
		for _, im := range r.ImportsAt(n) {
			r.gotest = r.gotest || strings.HasPrefix(im.Path, "gotest.tools/")
		}
		return !n.Is("FuncDecl")
	})
	return r
}

func (r goTests) Tests() []Case {
	var out []Case
	for _, decl := range r.Root.All("decls") {
		if r.IsTest(decl) {
			t := Case{Name: r.Text(decl.At("name")), Node: decl, Body: decl.At("body"), Head: []*syntax.Node{decl.At("name")}}
			if doc := decl.At("doc"); doc != nil {
				t.Head = append(t.Head, doc)
			}
			out = append(out, t)
		}
	}
	return out
}

var (
	goFails  = pattern.New(`^\w+\.(Error|Errorf|Fatal|Fatalf|Fail|FailNow)$`)
	goAssert = pattern.New(`^(require|assert|qt)\.\w+$`)
	goShort  = pattern.New(`^(is|must|c|a)\.(\w+)$`) // assertion objects by habit
	goOutput = pattern.New(`(?i)//\s*(unordered )?output:`)
)

func (r goTests) Check(n *syntax.Node) *Check {
	switch n.Kind {
	case "IfStmt":
		if !r.fails(n.At("body")) {
			return nil
		}
		cond := n.At("cond")
		c := &Check{Node: n, Subject: cond, negate: []edit{{cond.Start, cond.End, "!(" + r.Text(cond) + ")"}}}
		if op := cond.At("op"); cond.Is("BinaryExpr") && op.Is("!=", "==") {
			c.Subject, c.Expected, c.Equal = cond.At("x"), cond.At("y"), op.Is("!=")
		}
		return c
	case "CallExpr":
		callee := r.Callee(n.At("fun"))
		if goFails.MatchString(callee) && !strings.HasPrefix(callee, "log.") {
			return &Check{Node: n} // fails wherever it is reached
		}
		short := goShort.FindStringSubmatch(callee)
		if args := n.All("args"); len(args) > 0 && (goAssert.MatchString(callee) || short != nil && goOpposite[short[2]] != "") {
			return r.assert(n, callee, args)
		}
	case "BlockStmt":
		if fn := n.Parent; fn.Is("FuncDecl") && strings.HasPrefix(r.Text(fn.At("name")), "Example") && goOutput.MatchString(r.Text(n)) {
			return &Check{Node: n} // the go command compares the output
		}
	}
	return nil
}

// fails reports whether a block says that the test failed, by itself.
func (r goTests) fails(block *syntax.Node) bool {
	for _, s := range block.All("list") {
		if call := s.At("x"); s.Is("ExprStmt") && call.Is("CallExpr") && goFails.MatchString(r.Callee(call.At("fun"))) {
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

// goTwoSides are those of testify's functions that hold two values against each other,
// often the expected one first.
var goTwoSides = pattern.New(`^(Error\w*|Len|Same|NotSame|Exactly|Contains|NotContains|InDelta|InEpsilon|WithinDuration|Greater|GreaterOrEqual|Less|LessOrEqual|` +
	`Regexp|NotRegexp|IsType|Implements|JSONEq|YAMLEq|ElementsMatch|NotElementsMatch|Subset|NotSubset)$`)

// goPanicsWith are those that are given what is expected, and then what to run; goOfWorld
// those whose argument says where to look.
var (
	goPanicsWith = pattern.New(`^PanicsWith(Value|Error)$`)
	goOfWorld    = pattern.New(`^(No)?(File|Dir)Exists$`)
)

func (r goTests) assert(n *syntax.Node, callee string, args []*syntax.Node) *Check {
	c := &Check{Node: n}
	if r.Text(args[0]) == "t" || r.Text(args[0]) == "b" {
		args = args[1:]
	}
	if len(args) == 0 {
		return nil
	}
	c.Subject = args[0]
	name := callee[strings.Index(callee, ".")+1:]
	plain := strings.TrimSuffix(name, "f")
	if goOfWorld.MatchString(plain) {
		c.Custom = true // what it looks at is no argument
	}
	if goPanicsWith.MatchString(plain) && len(args) > 1 {
		c.Subject, c.Expected = args[1], args[0]
	}
	c.Equal = strings.HasSuffix(plain, "Equal") || strings.HasSuffix(plain, "EqualValues")
	if (c.Equal || goTwoSides.MatchString(plain)) && len(args) > 1 {
		c.Expected = args[1]
	}
	if r.gotest {
		c.negate = r.gotestOpposite(n, name, args)
		return c
	}
	opposite := goOpposite[name]
	if opposite == "" && plain != name && goOpposite[plain] != "" {
		opposite = goOpposite[plain] + "f"
	}
	if sel := n.At("fun").At("sel"); sel != nil && opposite != "" {
		c.negate = []edit{{sel.Start, sel.End, opposite}}
	}
	return c
}

// gotestOpposite rewrites to assert.Assert with the opposite condition.
func (r goTests) gotestOpposite(n *syntax.Node, name string, args []*syntax.Node) []edit {
	sel := n.At("fun").At("sel")
	to := func(cond string, last *syntax.Node) []edit {
		return []edit{{sel.Start, sel.End, "Assert"}, {args[0].Start, last.End, cond}}
	}
	switch {
	case name == "Equal" && len(args) > 1:
		return to(r.Text(args[0])+" != "+r.Text(args[1]), args[1])
	case name == "NilError":
		return to(r.Text(args[0])+" != nil", args[0])
	case name == "Error" || name == "ErrorContains" || name == "ErrorIs":
		return to(r.Text(args[0])+" == nil", args[len(args)-1])
	case name == "Assert" && args[0].Is("BinaryExpr", "UnaryExpr"), name == "Assert" && args[0].Is("Ident"):
		return to("!("+r.Text(args[0])+")", args[0])
	}
	return nil
}

func (r goTests) helper(n *syntax.Node) (declares string, body *syntax.Node, calls string) {
	switch n.Kind {
	case "FuncDecl":
		return r.Text(n.At("name")), n.At("body"), ""
	case "CallExpr":
		return "", nil, r.Callee(n.At("fun"))
	}
	return "", nil, ""
}
