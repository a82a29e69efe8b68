package outline

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// Go reads nodes of Go.
type Go struct{ *syntax.Tree }

func newGoGrammar(t *syntax.Tree) grammar { return Go{t} }

var goTestName = pattern.New(`^(Test|Fuzz|Example)([^a-z]|$)`)

func (g Go) function(n *syntax.Node, in frame) *found {
	switch n.Kind {
	case "FuncDecl":
		f := g.signature(n.At("type"))
		f.name = g.Text(n.At("name"))
		f.owner = g.receiver(n.At("recv"))
		f.start, f.node, f.body = n.Start, n, n.At("body")
		f.doc = goDoc(g.Text(n.At("doc")))
		f.public = goExported(f.name) && (f.owner == "" || goExported(f.owner))
		f.test = g.IsTest(n)
		return f
	case "FuncLit":
		return g.literal(n, in)
	}
	return nil
}

// literal names a function literal by the variable it is assigned to or by the
// subtest it is; any other one belongs to the function around it.
func (g Go) literal(n *syntax.Node, in frame) *found {
	f := g.signature(n.At("type"))
	f.start, f.node, f.body = n.Start, n, n.At("body")
	p := n.Parent
	switch {
	case p.Is("ValueSpec"):
		f.name = g.pair(n, p.All("names"), p.All("values"))
		f.public = in.fn < 0 && goExported(f.name)
		f.start = p.Start
	case p.Is("AssignStmt"):
		f.name = g.pair(n, p.All("lhs"), p.All("rhs"))
		f.start = p.Start
	case p.Is("CallExpr") && g.subtest(p) != "":
		f.name, f.test, f.start = g.subtestName(p), true, p.Start
	case in.fn < 0:
		f.name = fmt.Sprintf("anonymous@%d", g.Line(n.Start))
	}
	if f.name == "" || f.name == "_" {
		return nil
	}
	return f
}

// pair is the name on the left of an assignment that stands for n on its right.
func (g Go) pair(n *syntax.Node, left, right []*syntax.Node) string {
	for i, r := range right {
		if r == n && i < len(left) {
			return g.Text(left[i])
		}
	}
	return ""
}

// subtest is the literal name of a t.Run call, as the go command prints it.
func (g Go) subtest(call *syntax.Node) string {
	fun, args := call.At("fun"), call.All("args")
	if !fun.Is("SelectorExpr") || g.Text(fun.At("sel")) != "Run" || len(args) != 2 || !args[0].Is("BasicLit") {
		return ""
	}
	name, err := strconv.Unquote(g.Text(args[0]))
	if err != nil {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return '_'
		}
		return r
	}, name)
}

// subtestName joins the names of the subtests around a call to the test's own.
func (g Go) subtestName(call *syntax.Node) string {
	name := g.subtest(call)
	for p := call.Parent; p != nil; p = p.Parent {
		switch p.Kind {
		case "CallExpr":
			if outer := g.subtest(p); outer != "" {
				name = outer + "/" + name
			}
		case "FuncDecl":
			return g.Text(p.At("name")) + "/" + name
		}
	}
	return name
}

// IsTest goes by the names and parameters that the go command asks for.
func (g Go) IsTest(fn *syntax.Node) bool {
	return fn.Is("FuncDecl") && g.receiver(fn.At("recv")) == "" && goTestName.MatchString(g.Text(fn.At("name"))) && g.testParams(fn)
}

func (g Go) testParams(fn *syntax.Node) bool {
	params := fn.At("type").At("params").All("list")
	if strings.HasPrefix(g.Text(fn.At("name")), "Example") {
		return len(params) == 0
	}
	if len(params) != 1 {
		return false
	}
	kind := g.Text(params[0].At("type"))
	return kind == "*testing.T" || kind == "*testing.F"
}

// receiver is the bare type name of a method: "Server" for (s *Server[T]).
func (g Go) receiver(recv *syntax.Node) string {
	for n := recv.At("list").At("type"); n != nil; n = n.At("x") {
		if n.Is("Ident") {
			return g.Text(n)
		}
	}
	return ""
}

func (g Go) signature(kind *syntax.Node) *found {
	f := &found{}
	if kind == nil {
		return f
	}
	for _, field := range kind.At("params").All("list") {
		for _, name := range field.All("names") {
			f.params = append(f.params, g.Text(name))
		}
	}
	return f
}

func (g Go) scope(*syntax.Node) string { return "" }

func (g Go) effect(n *syntax.Node) (int, string) {
	switch n.Kind {
	case "IfStmt", "ForStmt", "RangeStmt":
		return 1, ""
	case "CaseClause":
		return min(len(n.All("list")), 1), ""
	case "CommClause":
		return len(n.All("comm")), ""
	case "BinaryExpr":
		if op := n.At("op"); op.Is("&&", "||") {
			return 1, ""
		}
	case "CallExpr":
		return 0, g.Callee(n.At("fun"))
	}
	return 0, ""
}

// Callee is "f", "pkg.F", "a.b.F", or ".F" when it hangs on an expression.
func (g Go) Callee(fun *syntax.Node) string {
	switch {
	case fun.Is("Ident"):
		return g.Text(fun)
	case fun.Is("SelectorExpr"):
		if x := g.Callee(fun.At("x")); x != "" && !fun.At("x").Is("IndexExpr", "CallExpr") {
			return x + "." + g.Text(fun.At("sel"))
		}
		return "." + g.Text(fun.At("sel"))
	case fun.Is("IndexExpr", "IndexListExpr", "ParenExpr"):
		return g.Callee(fun.At("x"))
	}
	return ""
}

func (g Go) ImportsAt(n *syntax.Node) []qa.Import { return g.module(n).imports }

func (g Go) module(n *syntax.Node) declared {
	switch n.Kind {
	case "File":
		return declared{pkg: g.Text(n.At("name"))}
	case "ImportSpec":
		spec, err := strconv.Unquote(g.Text(n.At("path")))
		if err != nil {
			return declared{}
		}
		name := g.Text(n.At("name"))
		if name == "" {
			name = goPackageName(spec)
		}
		return declared{imports: []qa.Import{{
			Path: spec, Names: []string{name}, From: []string{"*"}, Line: g.Line(n.Start),
		}}}
	}
	return declared{}
}

var goVersionSuffix = pattern.New(`^v[0-9]+$`)

// goPackageName guesses a package's name from its import path.
func goPackageName(spec string) string {
	name := path.Base(spec)
	if goVersionSuffix.MatchString(name) && strings.Contains(spec, "/") {
		name = path.Base(path.Dir(spec))
	}
	name, _, _ = strings.Cut(name, ".v")
	name = strings.TrimPrefix(name, "go-")
	name = strings.TrimSuffix(name, "-go")
	return strings.ReplaceAll(name, "-", "_")
}

func goExported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// goDoc takes the comment marks off a doc comment.
func goDoc(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "//go:") {
			continue
		}
		line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(line, "//"), "/*"), "*/")
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

func (g Go) Assigned(n *syntax.Node) ([]*syntax.Node, *syntax.Node) {
	switch n.Kind {
	case "AssignStmt":
		if right := n.All("rhs"); len(right) > 0 {
			return n.All("lhs"), n
		}
	case "RangeStmt":
		return append(n.All("key"), n.All("value")...), n.At("x")
	case "ValueSpec":
		return n.All("names"), n
	case "FuncDecl":
		return n.All("name"), n.At("body")
	case "TypeSpec":
		return n.All("name"), n.At("type")
	}
	return nil, nil
}
