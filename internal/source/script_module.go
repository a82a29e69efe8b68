package source

import (
	"strings"

	"github.com/org/qa-action/internal/qa"
)

func (g scriptGrammar) importsAt(n *node) []qa.Import { return g.module(n).imports }

// module reads imports (static, dynamic, required and re-exported) and exports
// that stand apart from what they export.
func (g scriptGrammar) module(n *node) declared {
	switch n.kind {
	case "import_statement":
		return declared{imports: []qa.Import{g.importStatement(n)}}
	case "export_statement":
		return g.exportStatement(n)
	case "call_expression":
		if path, ok := g.requires(n); ok {
			im := qa.Import{Path: path, Line: g.line(n.start)}
			if d := n.parent; d.is("variable_declarator") && n.field == "value" {
				g.pattern(&im, d.at("name"))
			}
			return declared{imports: []qa.Import{im}}
		}
	case "assignment_expression":
		return g.assignedExports(n)
	}
	return declared{}
}

func (g scriptGrammar) importStatement(n *node) qa.Import {
	im := qa.Import{Line: g.line(n.start), Path: g.literal(n.at("source"))}
	if require := n.first("import_require_clause"); require != nil {
		im.Path = g.literal(require.at("source"))
		bind(&im, g.text(require.first("identifier")), "*")
	}
	for _, part := range n.first("import_clause").parts() {
		switch part.kind {
		case "identifier":
			bind(&im, g.text(part), "default")
		case "namespace_import":
			bind(&im, g.text(part.first("identifier")), "*")
		case "named_imports":
			for _, spec := range part.parts() {
				name := g.text(spec.at("name"))
				local := name
				if alias := spec.at("alias"); alias != nil {
					local = g.text(alias)
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
func (g scriptGrammar) pattern(im *qa.Import, left *node) {
	if left.is("identifier") {
		bind(im, g.text(left), "*")
		return
	}
	for _, part := range left.parts() {
		switch part.kind {
		case "shorthand_property_identifier_pattern":
			bind(im, g.text(part), g.text(part))
		case "pair_pattern":
			bind(im, g.text(part.at("value")), g.text(part.at("key")))
		}
	}
}

// requires is the literal path of require("x") or import("x").
func (g scriptGrammar) requires(call *node) (string, bool) {
	fun := call.at("function")
	if !fun.is("import") && !(fun.is("identifier") && g.text(fun) == "require") {
		return "", false
	}
	args := call.at("arguments").parts()
	if len(args) != 1 || !args[0].is("string") {
		return "", false
	}
	return g.literal(args[0]), true
}

func (g scriptGrammar) exportStatement(n *node) declared {
	var out declared
	if from := n.at("source"); from != nil {
		out.imports = []qa.Import{{Path: g.literal(from), Line: g.line(n.start)}}
		return out
	}
	for _, spec := range n.first("export_clause").parts() {
		out.exports = append(out.exports, g.text(spec.at("name")))
	}
	if value := n.at("value"); value.is("identifier") {
		out.exports = append(out.exports, g.text(value))
	}
	if d := n.at("declaration"); d != nil {
		if name := d.at("name"); name != nil {
			out.exports = append(out.exports, g.text(name))
		}
		for _, v := range d.parts() {
			if v.is("variable_declarator") {
				out.exports = append(out.exports, g.text(v.at("name")))
			}
		}
	}
	return out
}

// assignedExports reads module.exports = x, = {a, b: c} and exports.a = b.
func (g scriptGrammar) assignedExports(n *node) declared {
	left := g.text(n.at("left"))
	if !exportsPrefix.MatchString(left) {
		return declared{}
	}
	var out declared
	switch right := n.at("right"); right.kind {
	case "identifier":
		out.exports = append(out.exports, g.text(right))
	case "object":
		for _, part := range right.parts() {
			switch part.kind {
			case "shorthand_property_identifier":
				out.exports = append(out.exports, g.text(part))
			case "pair":
				out.exports = append(out.exports, g.text(part.at("key")), g.text(part.at("value")))
			case "method_definition":
				out.exports = append(out.exports, g.text(part.at("name")))
			}
		}
	}
	return out
}

// literal is the text of a string without its quotes; escapes stay as written.
func (g scriptGrammar) literal(n *node) string {
	text := g.text(n)
	if len(text) < 2 {
		return ""
	}
	return text[1 : len(text)-1]
}

// What a call is in the words of the test frameworks.
type testKind int

const (
	testNone  testKind = iota
	testCase           // it, test
	testBlock          // describe, suite
)

var testWords = map[string]testKind{
	"it": testCase, "test": testCase, "specify": testCase, "fit": testCase, "xit": testCase, "xtest": testCase,
	"xspecify": testCase, "bench": testNone,
	"describe": testBlock, "suite": testBlock, "context": testBlock, "fdescribe": testBlock,
	"xdescribe": testBlock, "xcontext": testBlock,
}

// testCall recognises it("…", fn), test.only(…), describe.each(table)("…", fn)
// and the like by their first word and a title.
func (g scriptGrammar) testCall(call *node) (testKind, *node) {
	word := call.at("function")
	kind := testNone
	for word != nil {
		switch {
		case word.is("identifier"):
			kind = testWords[g.text(word)]
			word = nil
		case word.is("member_expression"):
			word = word.at("object")
		case word.is("call_expression"):
			word = word.at("function")
		default:
			word = nil
		}
	}
	args := call.at("arguments").parts()
	if kind == testNone || len(args) < 2 {
		return testNone, nil
	}
	return kind, args[0]
}

// titles joins the titles of the blocks around a test to its own.
func (g scriptGrammar) titles(call, title *node) string {
	name := g.title(title)
	for p := call.parent; p != nil; p = p.parent {
		if !p.is("call_expression") {
			continue
		}
		if kind, outer := g.testCall(p); kind == testBlock {
			name = g.title(outer) + " > " + name
		}
	}
	return name
}

func (g scriptGrammar) title(n *node) string {
	if n.is("string", "template_string") {
		return cut(strings.TrimSpace(g.literal(n)), 300)
	}
	return cut(oneLine([]byte(g.text(n))), 300)
}

func (g scriptGrammar) assigned(n *node) ([]*node, *node) {
	switch n.kind {
	case "variable_declarator":
		return []*node{n.at("name")}, n.at("value")
	case "assignment_expression", "augmented_assignment_expression", "for_in_statement":
		return []*node{n.at("left")}, n.at("right")
	case "function_declaration", "class_declaration":
		return []*node{n.at("name")}, n.at("body")
	case "try_statement": // what is caught comes from what was tried
		if caught := n.at("handler").at("parameter"); caught != nil {
			return []*node{caught}, n.at("body")
		}
	}
	return nil, nil
}
