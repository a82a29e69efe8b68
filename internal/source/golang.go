package source

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/qa-action/internal/qa"
)

// goGrammar reads outlines from trees of [parseGo].
type goGrammar struct{ *tree }

func newGoGrammar(t *tree) grammar { return goGrammar{t} }

var goTestName = regexp.MustCompile(`^(Test|Fuzz|Example)([^a-z]|$)`)

func (g goGrammar) function(n *node, in frame) *found {
	switch n.kind {
	case "FuncDecl":
		f := g.signature(n.at("type"))
		f.name = g.text(n.at("name"))
		f.owner = g.receiver(n.at("recv"))
		f.start, f.node, f.body = n.start, n, n.at("body")
		f.doc = goDoc(g.text(n.at("doc")))
		f.public = goExported(f.name) && (f.owner == "" || goExported(f.owner))
		f.test = g.isTest(n)
		return f
	case "FuncLit":
		return g.literal(n, in)
	}
	return nil
}

// literal names a function literal by the variable it is assigned to or by the
// subtest it is; any other one belongs to the function around it.
func (g goGrammar) literal(n *node, in frame) *found {
	f := g.signature(n.at("type"))
	f.start, f.node, f.body = n.start, n, n.at("body")
	p := n.parent
	switch {
	case p.is("ValueSpec"):
		f.name = g.pair(n, p.all("names"), p.all("values"))
		f.public = in.fn < 0 && goExported(f.name)
		f.start = p.start
	case p.is("AssignStmt"):
		f.name = g.pair(n, p.all("lhs"), p.all("rhs"))
		f.start = p.start
	case p.is("CallExpr") && g.subtest(p) != "":
		f.name, f.test, f.start = g.subtestName(p), true, p.start
	case in.fn < 0:
		f.name = fmt.Sprintf("anonymous@%d", g.line(n.start))
	}
	if f.name == "" || f.name == "_" {
		return nil
	}
	return f
}

// pair is the name on the left of an assignment that stands for n on its right.
func (g goGrammar) pair(n *node, left, right []*node) string {
	for i, r := range right {
		if r == n && i < len(left) {
			return g.text(left[i])
		}
	}
	return ""
}

// subtest is the literal name of a t.Run call, as the go command prints it.
func (g goGrammar) subtest(call *node) string {
	fun, args := call.at("fun"), call.all("args")
	if !fun.is("SelectorExpr") || g.text(fun.at("sel")) != "Run" || len(args) != 2 || !args[0].is("BasicLit") {
		return ""
	}
	name, err := strconv.Unquote(g.text(args[0]))
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
func (g goGrammar) subtestName(call *node) string {
	name := g.subtest(call)
	for p := call.parent; p != nil; p = p.parent {
		switch p.kind {
		case "CallExpr":
			if outer := g.subtest(p); outer != "" {
				name = outer + "/" + name
			}
		case "FuncDecl":
			return g.text(p.at("name")) + "/" + name
		}
	}
	return name
}

// isTest goes by the names and parameters that the go command asks for.
func (g goGrammar) isTest(fn *node) bool {
	return fn.is("FuncDecl") && g.receiver(fn.at("recv")) == "" && goTestName.MatchString(g.text(fn.at("name"))) && g.testParams(fn)
}

func (g goGrammar) testParams(fn *node) bool {
	params := fn.at("type").at("params").all("list")
	if strings.HasPrefix(g.text(fn.at("name")), "Example") {
		return len(params) == 0
	}
	if len(params) != 1 {
		return false
	}
	kind := g.text(params[0].at("type"))
	return kind == "*testing.T" || kind == "*testing.F"
}

// receiver is the bare type name of a method: "Server" for (s *Server[T]).
func (g goGrammar) receiver(recv *node) string {
	for n := recv.at("list").at("type"); n != nil; n = n.at("x") {
		if n.is("Ident") {
			return g.text(n)
		}
	}
	return ""
}

func (g goGrammar) signature(kind *node) *found {
	f := &found{}
	if kind == nil {
		return f
	}
	for _, field := range kind.at("params").all("list") {
		for _, name := range field.all("names") {
			f.params = append(f.params, g.text(name))
		}
	}
	return f
}

func (g goGrammar) scope(*node) string { return "" }

func (g goGrammar) effect(n *node) (int, string) {
	switch n.kind {
	case "IfStmt", "ForStmt", "RangeStmt":
		return 1, ""
	case "CaseClause":
		return min(len(n.all("list")), 1), ""
	case "CommClause":
		return len(n.all("comm")), ""
	case "BinaryExpr":
		if op := n.at("op"); op.is("&&", "||") {
			return 1, ""
		}
	case "CallExpr":
		return 0, g.callee(n.at("fun"))
	}
	return 0, ""
}

// callee is "f", "pkg.F", "a.b.F", or ".F" when it hangs on an expression.
func (g goGrammar) callee(fun *node) string {
	switch {
	case fun.is("Ident"):
		return g.text(fun)
	case fun.is("SelectorExpr"):
		if x := g.callee(fun.at("x")); x != "" && !fun.at("x").is("IndexExpr", "CallExpr") {
			return x + "." + g.text(fun.at("sel"))
		}
		return "." + g.text(fun.at("sel"))
	case fun.is("IndexExpr", "IndexListExpr", "ParenExpr"):
		return g.callee(fun.at("x"))
	}
	return ""
}

func (g goGrammar) importsAt(n *node) []qa.Import { return g.module(n).imports }

func (g goGrammar) module(n *node) declared {
	switch n.kind {
	case "File":
		return declared{pkg: g.text(n.at("name"))}
	case "ImportSpec":
		spec, err := strconv.Unquote(g.text(n.at("path")))
		if err != nil {
			return declared{}
		}
		name := g.text(n.at("name"))
		if name == "" {
			name = goPackageName(spec)
		}
		return declared{imports: []qa.Import{{
			Path: spec, Names: []string{name}, From: []string{"*"}, Line: g.line(n.start),
		}}}
	}
	return declared{}
}

var goVersionSuffix = regexp.MustCompile(`^v[0-9]+$`)

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

func (g goGrammar) assigned(n *node) ([]*node, *node) {
	switch n.kind {
	case "AssignStmt":
		if right := n.all("rhs"); len(right) > 0 {
			return n.all("lhs"), n
		}
	case "RangeStmt":
		return append(n.all("key"), n.all("value")...), n.at("x")
	case "ValueSpec":
		return n.all("names"), n
	case "FuncDecl":
		return n.all("name"), n.at("body")
	case "TypeSpec":
		return n.all("name"), n.at("type")
	}
	return nil, nil
}
