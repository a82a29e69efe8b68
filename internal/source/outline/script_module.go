package outline

import (
	"cmp"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

func (g Script) ImportsAt(n *syntax.Node) []qa.Import { return g.module(n).imports }

// module reads imports (static, dynamic, required and re-exported) and exports
// that stand apart from what they export.
func (g Script) module(n *syntax.Node) declared {
	switch n.Kind {
	case "import_statement":
		return declared{imports: []qa.Import{g.ImportStatement(n)}}
	case "export_statement":
		return g.exportStatement(n)
	case "call_expression":
		if path, ok := g.Requires(n); ok {
			im := qa.Import{Path: path, Line: g.Line(n.Start)}
			if d := n.Parent; d.Is("variable_declarator") && n.Field == "value" {
				g.pattern(&im, d.At("name"))
			}
			return declared{imports: []qa.Import{im}}
		}
	case "assignment_expression":
		return g.assignedExports(n)
	}
	return declared{}
}

func (g Script) ImportStatement(n *syntax.Node) qa.Import {
	im := qa.Import{Line: g.Line(n.Start), Path: g.Literal(n.At("source"))}
	if require := n.First("import_require_clause"); require != nil {
		im.Path = g.Literal(require.At("source"))
		bind(&im, g.Text(require.First("identifier")), "*")
	}
	for _, part := range n.First("import_clause").Parts() {
		switch part.Kind {
		case "identifier":
			bind(&im, g.Text(part), "default")
		case "namespace_import":
			bind(&im, g.Text(part.First("identifier")), "*")
		case "named_imports":
			for _, spec := range part.Parts() {
				name := g.Text(spec.At("name"))
				local := name
				if alias := spec.At("alias"); alias != nil {
					local = g.Text(alias)
				}
				bind(&im, local, name)
			}
		}
	}
	return im
}

func bind(im *qa.Import, local, from string) {
	if local != "" {
		im.Names = append(im.Names, local)
		im.From = append(im.From, from)
	}
}

// pattern binds the left side of a require: a name or a destructuring.
func (g Script) pattern(im *qa.Import, left *syntax.Node) {
	if left.Is("identifier") {
		bind(im, g.Text(left), "*")
		return
	}
	for _, part := range left.Parts() {
		switch part.Kind {
		case "shorthand_property_identifier_pattern":
			bind(im, g.Text(part), g.Text(part))
		case "pair_pattern":
			bind(im, g.Text(part.At("value")), g.Text(part.At("key")))
		}
	}
}

// Requires is the literal path of require("x") or import("x").
func (g Script) Requires(call *syntax.Node) (string, bool) {
	fun := call.At("function")
	if !fun.Is("import") && !(fun.Is("identifier") && g.Text(fun) == "require") {
		return "", false
	}
	args := call.At("arguments").Parts()
	if len(args) != 1 || !args[0].Is("string") {
		return "", false
	}
	return g.Literal(args[0]), true
}

func (g Script) exportStatement(n *syntax.Node) declared {
	var out declared
	if from := n.At("source"); from != nil {
		out.imports = []qa.Import{{Path: g.Literal(from), Line: g.Line(n.Start)}}
		return out
	}
	for _, spec := range n.First("export_clause").Parts() {
		out.exports = append(out.exports, g.Text(spec.At("name")))
	}
	if value := n.At("value"); value.Is("identifier") {
		out.exports = append(out.exports, g.Text(value))
	}
	if d := n.At("declaration"); d != nil {
		if name := d.At("name"); name != nil {
			out.exports = append(out.exports, g.Text(name))
		}
		for _, v := range d.Parts() {
			if v.Is("variable_declarator") {
				out.exports = append(out.exports, g.Text(v.At("name")))
			}
		}
	}
	return out
}

// assignedExports reads module.exports = x, = {a, b: c} and exports.a = b.
func (g Script) assignedExports(n *syntax.Node) declared {
	left := g.Text(n.At("left"))
	if !exportsPrefix.MatchString(left) {
		return declared{}
	}
	var out declared
	right := n.At("right")
	if left == "module.exports" && (right.Is("class") || ScriptFunction(right)) {
		out.whole = cmp.Or(g.Text(right.At("name")), "exports")
	}
	switch right.Kind {
	case "identifier":
		out.exports = append(out.exports, g.Text(right))
		if left == "module.exports" {
			out.whole = g.Text(right)
		}
	case "object":
		for _, part := range right.Parts() {
			switch part.Kind {
			case "shorthand_property_identifier":
				out.exports = append(out.exports, g.Text(part))
			case "pair":
				out.exports = append(out.exports, g.Text(part.At("key")), g.Text(part.At("value")))
			case "method_definition":
				out.exports = append(out.exports, g.Text(part.At("name")))
			}
		}
	}
	return out
}

// Literal is the text of a string without its quotes; escapes stay as written.
func (g Script) Literal(n *syntax.Node) string {
	text := g.Text(n)
	if len(text) < 2 {
		return ""
	}
	return text[1 : len(text)-1]
}

// What a call is in the words of the test frameworks.
type TestKind int

const (
	TestNone  TestKind = iota
	TestCase           // it, test
	TestBlock          // describe, suite
)

var TestWords = map[string]TestKind{
	"it": TestCase, "test": TestCase, "specify": TestCase, "fit": TestCase, "xit": TestCase, "xtest": TestCase,
	"xspecify": TestCase, "bench": TestNone,
	"describe": TestBlock, "suite": TestBlock, "context": TestBlock, "fdescribe": TestBlock,
	"xdescribe": TestBlock, "xcontext": TestBlock,
}

// TestCall recognises it("…", fn), test.only(…), describe.each(table)("…", fn)
// and the like by their first word and a title.
func (g Script) TestCall(call *syntax.Node) (TestKind, *syntax.Node) {
	word := call.At("function")
	kind := TestNone
	for word != nil {
		switch {
		case word.Is("identifier"):
			kind = TestWords[g.Text(word)]
			word = nil
		case word.Is("member_expression"):
			word = word.At("object")
		case word.Is("call_expression"):
			word = word.At("function")
		default:
			word = nil
		}
	}
	args := call.At("arguments").Parts()
	if kind == TestNone || len(args) < 2 {
		return TestNone, nil
	}
	return kind, args[0]
}

// Titles joins the titles of the blocks around a test to its own.
func (g Script) Titles(call, title *syntax.Node) string {
	name := g.Title(title)
	for p := call.Parent; p != nil; p = p.Parent {
		if !p.Is("call_expression") {
			continue
		}
		if kind, outer := g.TestCall(p); kind == TestBlock {
			name = g.Title(outer) + " > " + name
		}
	}
	return name
}

func (g Script) Title(n *syntax.Node) string {
	if n.Is("string", "template_string") {
		return wording.Bytes(strings.TrimSpace(g.Literal(n)), 300)
	}
	return wording.Bytes(wording.Fold(g.Text(n)), 300)
}

func (g Script) Assigned(n *syntax.Node) ([]*syntax.Node, *syntax.Node) {
	switch n.Kind {
	case "variable_declarator":
		return []*syntax.Node{n.At("name")}, n.At("value")
	case "assignment_expression", "augmented_assignment_expression", "for_in_statement":
		return []*syntax.Node{n.At("left")}, n.At("right")
	case "function_declaration", "class_declaration":
		return []*syntax.Node{n.At("name")}, n.At("body")
	case "try_statement": // what is caught comes from what was tried
		if caught := n.At("handler").At("parameter"); caught != nil {
			return []*syntax.Node{caught}, n.At("body")
		}
	}
	return nil, nil
}
