package source

import (
	"regexp"
	"slices"
	"strings"
)

// flow answers, roughly, where values in a test file come from.
type flow interface {
	// seeds are the names that stand for the code under test.
	seeds(tn testNode) map[string]bool
	// assigned is what n binds: names on the left, their origin on the right.
	assigned(n *node) (left []*node, right *node)
	// callee is the name of what a call calls, "" for other nodes.
	callee(n *node) string
	// replaced are the names of functions that the test replaces by mocks.
	replaced(n *node) map[string]bool
}

// derive is the set of names that hold something the code under test had a
// hand in. It errs on the side of too many: names are not told apart by scope.
func derive(f flow, t *tree, tn testNode) map[string]bool {
	derived := f.seeds(tn)
	for before := -1; before != len(derived); {
		before = len(derived)
		t.root.walk(func(n *node) bool {
			left, right := f.assigned(n)
			if right != nil && mentions(t, right, derived) {
				for _, l := range left {
					addNames(t, l, derived)
				}
			}
			// What is handed to the code under test may be filled or called by it.
			if f.callee(n) != "" {
				args := n.at("arguments")
				if fun := n.children[0]; mentions(t, fun, derived) {
					if args == nil {
						for _, arg := range n.all("args") {
							addNames(t, arg, derived)
						}
					}
					addNames(t, args, derived)
				}
			}
			return true
		})
	}
	return derived
}

func addNames(t *tree, n *node, to map[string]bool) {
	n.walk(func(c *node) bool {
		if (isIdentifier(c) || c.is("shorthand_property_identifier_pattern")) && !universe[t.text(c)] && !frameworkNames[t.text(c)] {
			to[t.text(c)] = true
		}
		return true
	})
}

func mentions(t *tree, n *node, names map[string]bool) bool {
	return n.find(func(c *node) bool {
		if isIdentifier(c) {
			return names[t.text(c)]
		}
		return c.is("import") || c.is("property_identifier", "this") && names[t.text(c)]
	}) != nil
}

// frameworkNames never stand for the code under test, whoever touches them.
var frameworkNames = set("expect assert vi jest sinon describe it test suite should require t b f pytest self unittest mock " +
	"Mock MagicMock AsyncMock patch mocker monkeypatch console JSON Object Array Math String Number Boolean Date Promise Symbol " +
	"process Buffer Error TypeError RangeError fmt errors strings testing cmp len print str repr list dict sorted int isinstance")

// literalName is the name in 'obj', 'method' style arguments: the last part of
// a quoted dotted path.
func literalName(text string) string {
	text = strings.Trim(text, `'"`+"`")
	return text[strings.LastIndex(text, ".")+1:]
}

type scriptFlow struct{ scriptGrammar }

func newScriptFlow(t *tree) flow { return scriptFlow{scriptGrammar{t}} }

var scriptFrameworks = set("vitest jest @jest/globals mocha chai sinon sinon-chai chai-as-promised node:test node:assert assert " +
	"node:assert/strict assert/strict ava tap should expect ts-mockito jest-mock @vitest/spy test")

var nodeModules = set("fs path os url util events stream buffer crypto http https http2 net dns tls zlib child_process " +
	"worker_threads perf_hooks timers readline string_decoder querystring vm process console module v8 fs/promises timers/promises stream/promises")

func (f scriptFlow) seeds(tn testNode) map[string]bool {
	mocked := map[string]bool{}
	out := map[string]bool{"document": true, "window": true}
	f.root.walk(func(n *node) bool {
		if callee := f.callee(n); callee == "vi.mock" || callee == "jest.mock" {
			text := f.text(n)
			args := n.at("arguments").parts()
			if len(args) > 0 && !strings.Contains(text, "importActual") && !strings.Contains(text, "requireActual") && !strings.Contains(text, "importOriginal") {
				mocked[f.literal(args[0])] = true
			}
		}
		return true
	})
	f.root.walk(func(n *node) bool {
		for _, im := range f.module(n).imports {
			if !scriptFrameworks[im.Path] && !nodeModules[strings.TrimPrefix(im.Path, "node:")] && !mocked[im.Path] {
				for _, name := range im.Names {
					out[name] = true
				}
			}
		}
		return true
	})
	if mentions(f.tree, tn.node, out) {
		tn.node.walk(func(n *node) bool {
			if n.is("variable_declarator") && strings.Contains(f.text(n.at("value")), ".spyOn(") {
				addNames(f.tree, n.at("name"), out)
			}
			return true
		})
	}
	return out
}

func (f scriptFlow) assigned(n *node) ([]*node, *node) {
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

func (f scriptFlow) callee(n *node) string {
	switch {
	case n.is("call_expression"):
		return f.scriptGrammar.callee(n.at("function"))
	case n.is("new_expression"):
		return f.scriptGrammar.callee(n.at("constructor"))
	}
	return ""
}

func (f scriptFlow) replaced(in *node) map[string]bool {
	out := map[string]bool{}
	in.walk(func(n *node) bool {
		if callee := f.callee(n); strings.HasSuffix(callee, ".spyOn") || strings.HasSuffix(callee, ".stub") {
			args := n.at("arguments").parts()
			if len(args) > 1 && (strings.HasSuffix(callee, ".stub") || strings.Contains(f.text(n.parent), ".mock")) {
				out[literalName(f.text(args[1]))] = true
			}
		}
		return true
	})
	return out
}

type pythonFlow struct{ pythonGrammar }

func newPythonFlow(t *tree) flow { return pythonFlow{pythonGrammar{t}} }

var pythonLibrary = set("pytest unittest mock json os sys re math datetime typing collections pathlib itertools functools random time " +
	"io string decimal fractions copy contextlib tempfile textwrap uuid enum dataclasses abc inspect asyncio threading warnings logging " +
	"operator types hypothesis freezegun importlib traceback shutil glob csv pickle base64 hashlib subprocess socket struct __future__ statistics")

// fixtures of pytest that do not carry anything of the code under test
var pythonTools = set("self cls monkeypatch mocker request pytestconfig testdir pytester")

func (f pythonFlow) seeds(tn testNode) map[string]bool {
	out := map[string]bool{}
	f.root.walk(func(n *node) bool {
		for _, im := range f.module(n).imports {
			root, _, _ := strings.Cut(im.Path, ".")
			if !pythonLibrary[root] || root == "" {
				for _, name := range im.Names {
					out[name] = true
				}
			}
		}
		return true
	})
	var given string // names that parametrize fills
	for _, h := range tn.head {
		if h.is("decorator") && strings.Contains(f.text(h), "parametrize") {
			if arg := h.find(func(c *node) bool { return c.is("string_content") }); arg != nil {
				given += "," + f.text(arg)
			}
		}
	}
	parametrized := strings.FieldsFunc(given, func(r rune) bool { return r == ',' || r == ' ' })
	params := f.params(tn.body.parent.at("parameters"))
	for _, name := range params {
		if !pythonTools[name] && !slices.Contains(parametrized, name) && !strings.HasPrefix(name, "mock") {
			out[name] = true
		}
	}
	if mentions(f.tree, tn.body, out) {
		f.watchers(tn, params, out)
	}
	return out
}

// watchers adds what a test that uses the code under test looks at it through:
// patched functions.
func (f pythonFlow) watchers(tn testNode, params []string, to map[string]bool) {
	for _, name := range params {
		to[name] = to[name] || strings.HasPrefix(name, "mock") && !pythonTools[name]
	}
	tn.body.walk(func(n *node) bool {
		if left, right := f.assigned(n); right != nil && patches.MatchString(f.text(right)) {
			for _, l := range left {
				addNames(f.tree, l, to)
			}
		}
		return true
	})
}

var patches = regexp.MustCompile(`^(mock\.|mocker\.)?(patch|spy)\b`)

func (f pythonFlow) assigned(n *node) ([]*node, *node) {
	switch n.kind {
	case "assignment", "augmented_assignment", "for_statement", "for_in_clause":
		return []*node{n.at("left")}, n.at("right")
	case "named_expression":
		return []*node{n.at("name")}, n.at("value")
	case "as_pattern":
		return []*node{n.at("alias")}, n
	case "function_definition", "class_definition":
		return []*node{n.at("name")}, n.at("body")
	case "try_statement": // what is caught comes from what was tried
		var caught []*node
		n.walk(func(c *node) bool {
			if c.is("as_pattern_target") && c.within("except_clause", "try_statement").is("except_clause") {
				caught = append(caught, c)
			}
			return true
		})
		return caught, n.at("body")
	}
	return nil, nil
}

func (f pythonFlow) callee(n *node) string {
	if n.is("call") {
		return f.pythonGrammar.callee(n.at("function"))
	}
	return ""
}

func (f pythonFlow) replaced(in *node) map[string]bool {
	out := map[string]bool{}
	in.walk(func(n *node) bool {
		callee := f.callee(n)
		args := n.at("arguments").parts()
		switch last := callee[strings.LastIndex(callee, ".")+1:]; {
		case len(args) == 0:
		case last == "patch", last == "setattr" && args[0].is("string"):
			out[literalName(f.text(args[0]))] = true
		case len(args) > 1 && (strings.HasSuffix(callee, "patch.object") || callee == "monkeypatch.setattr"):
			out[literalName(f.text(args[1]))] = true
		}
		return true
	})
	return out
}

type goFlow struct{ goGrammar }

func newGoFlow(t *tree) flow { return goFlow{goGrammar{t}} }

var goLibrary = set("archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go " +
	"hash html image io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync " +
	"syscall testing text time unicode unique unsafe weak")

// seeds: everything that is neither declared in the file nor of the standard
// library or a test library belongs to the package under test or to an import.
func (f goFlow) seeds(testNode) map[string]bool {
	foreign := set("append cap clear close complex copy delete imag len make max min new panic print println real recover")
	f.root.walk(func(n *node) bool {
		for _, im := range f.module(n).imports {
			root, _, _ := strings.Cut(im.Path, "/")
			if goLibrary[root] || strings.Contains(im.Path, "testify") || strings.Contains(im.Path, "gotest.tools") || strings.Contains(im.Path, "go-cmp") || strings.Contains(im.Path, "gomega") {
				foreign[im.Names[0]] = true
			}
		}
		return true
	})
	declared := locals(f.tree, f.root)
	for _, decl := range f.root.all("decls") {
		declared[f.text(decl.at("name"))] = true
	}
	out := map[string]bool{}
	f.root.walk(func(n *node) bool {
		if name := f.text(n); n.is("Ident") && !n.parent.is("SelectorExpr") || n.is("Ident") && n.field == "x" {
			if !foreign[name] && !declared[name] && !universe[name] && name != "_" {
				out[name] = true
			}
		}
		return !n.is("ImportSpec")
	})
	delete(out, f.text(f.root.at("name")))
	return out
}

func (f goFlow) assigned(n *node) ([]*node, *node) {
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
	}
	return nil, nil
}

func (f goFlow) callee(n *node) string {
	if n.is("CallExpr") {
		return f.goGrammar.callee(n.at("fun"))
	}
	return ""
}

func (f goFlow) replaced(*node) map[string]bool { return nil }
