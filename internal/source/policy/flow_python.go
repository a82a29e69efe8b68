package policy

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

type pythonFlow struct{ outline.Python }

func newPythonFlow(t *syntax.Tree) flow { return pythonFlow{outline.Python{Tree: t}} }

var pythonLibrary = set("pytest unittest mock json os sys re math datetime typing collections pathlib itertools functools random time " +
	"io string decimal fractions copy contextlib tempfile textwrap uuid enum dataclasses abc inspect asyncio threading warnings logging " +
	"operator types hypothesis freezegun importlib traceback shutil glob csv pickle base64 hashlib subprocess socket struct __future__ statistics")

var pythonNames = set("pytest unittest mock Mock MagicMock AsyncMock patch mocker monkeypatch self cls print str repr list dict set " +
	"tuple sorted int float len isinstance type range zip enumerate any all sum min max Exception ValueError TypeError KeyError")

// fixtures of pytest that do not carry anything of the code under test
var pythonTools = set("self cls monkeypatch mocker request pytestconfig testdir pytester")

func (f pythonFlow) seeds(tn *edit.Case, file map[string]bool) map[string]bool {
	out := map[string]bool{}
	if tn != nil {
		f.fixtures(tn, out)
		if mentions(f.Tree, tn.Body, file) || mentions(f.Tree, tn.Body, out) {
			f.watchers(tn, out)
		}
		f.decorated(tn.Body, file, out)
		return out
	}
	others, star := map[string]bool{}, false
	f.Root.Walk(func(n *syntax.Node) bool {
		for _, im := range f.ImportsAt(n) {
			root, _, _ := strings.Cut(im.Path, ".")
			own := !pythonLibrary[root] || root == ""
			for _, name := range im.Names {
				star = star || own && name == "*"
				if own {
					out[name] = true
				} else {
					others[name] = true
				}
			}
		}
		return true
	})
	if star {
		f.starred(others, out)
	}
	f.decorated(f.Root, out, out)
	return out
}

// decorated adds what the code under test wraps: a function or class with a decorator of
// its own names is what that made of it.
func (f pythonFlow) decorated(in *syntax.Node, own, to map[string]bool) {
	in.Walk(func(n *syntax.Node) bool {
		if !n.Is("decorated_definition") {
			return true
		}
		for _, d := range n.Children {
			if name := n.At("definition").At("name"); name != nil && d.Is("decorator") && mentions(f.Tree, d, own) {
				to[f.Text(name)] = true
			}
		}
		return true
	})
}

// starred adds what is called and comes from nowhere else than a star import: names
// that are no builtin, that no other import gives and that the file does not define.
func (f pythonFlow) starred(others, to map[string]bool) {
	called := map[string]bool{}
	f.Root.Walk(func(n *syntax.Node) bool {
		if function := n.At("function"); n.Is("call") && syntax.IsIdentifier(function) {
			called[f.Text(function)] = true
		}
		if left, _ := f.Assigned(n); len(left) > 0 {
			for _, l := range left {
				maps.Copy(others, syntax.Identifiers(f.Tree, l))
			}
		}
		if n.Is("function_definition", "class_definition") {
			others[f.Text(n.At("name"))] = true
		}
		return true
	})
	for name := range called {
		if !others[name] && !pythonNames[name] && !builtin.MatchString(name) {
			to[name] = true
		}
	}
}

// builtin matches functions and classes that Python has without an import.
var builtin = pattern.New(`^(abs|aiter|all|anext|any|ascii|bin|bool|bytearray|bytes|callable|chr|classmethod|compile|complex|delattr|dict|dir|divmod|enumerate|eval|exec|filter|float|format|frozenset|getattr|globals|hasattr|hash|hex|id|input|int|isinstance|issubclass|iter|len|list|locals|map|max|memoryview|min|next|object|oct|open|ord|pow|print|property|range|repr|reversed|round|set|setattr|slice|sorted|staticmethod|str|sum|super|tuple|type|vars|zip|[A-Z]\w*(Error|Exception|Warning|Iteration)|__import__)$`)

// fixtures adds the parameters of a test but for those that parametrize fills.
func (f pythonFlow) fixtures(tn *edit.Case, to map[string]bool) {
	var given string
	for _, h := range tn.Head {
		if h.Is("decorator") && strings.Contains(f.Text(h), "parametrize") {
			if arg := h.Find(func(c *syntax.Node) bool { return c.Is("string_content") }); arg != nil {
				given += "," + f.Text(arg)
			}
		}
	}
	parametrized := strings.FieldsFunc(given, func(r rune) bool { return r == ',' || r == ' ' })
	for _, name := range f.Params(tn.Body.Parent.At("parameters")) {
		if !pythonTools[name] && !slices.Contains(parametrized, name) && !strings.HasPrefix(name, "mock") {
			to[name] = true
		}
	}
}

// watchers adds what a test that uses the code under test looks at it through:
// patched functions.
func (f pythonFlow) watchers(tn *edit.Case, to map[string]bool) {
	for _, name := range f.Params(tn.Body.Parent.At("parameters")) {
		if strings.HasPrefix(name, "mock") && !pythonTools[name] {
			to[name] = true
		}
	}
	tn.Body.Walk(func(n *syntax.Node) bool {
		if left, right := f.Assigned(n); right != nil && patches.MatchString(f.Text(right)) {
			for _, l := range left {
				for name := range syntax.Identifiers(f.Tree, l) {
					to[name] = true
				}
			}
		}
		return true
	})
}

var patches = pattern.New(`^(mock\.|mocker\.)?(patch|spy)\b`)

func (f pythonFlow) called(n *syntax.Node) string {
	if n.Is("call") {
		return f.Python.Callee(n.At("function"))
	}
	return ""
}

func (f pythonFlow) replaced(in *syntax.Node) map[string]bool {
	out := map[string]bool{}
	in.Walk(func(n *syntax.Node) bool {
		callee := f.called(n)
		args := n.At("arguments").Parts()
		switch last := callee[strings.LastIndex(callee, ".")+1:]; {
		case len(args) == 0:
		case last == "patch", last == "setattr" && args[0].Is("string"):
			out[literalName(f.Text(args[0]))] = true
		case len(args) > 1 && (strings.HasSuffix(callee, "patch.object") || callee == "monkeypatch.setattr"):
			out[literalName(f.Text(args[1]))] = true
		}
		return true
	})
	return out
}
