package source

import (
	"regexp"
	"slices"
	"strings"
)

type pythonFlow struct{ pythonGrammar }

func newPythonFlow(t *tree) flow { return pythonFlow{pythonGrammar{t}} }

var pythonLibrary = set("pytest unittest mock json os sys re math datetime typing collections pathlib itertools functools random time " +
	"io string decimal fractions copy contextlib tempfile textwrap uuid enum dataclasses abc inspect asyncio threading warnings logging " +
	"operator types hypothesis freezegun importlib traceback shutil glob csv pickle base64 hashlib subprocess socket struct __future__ statistics")

var pythonNames = set("pytest unittest mock Mock MagicMock AsyncMock patch mocker monkeypatch self cls print str repr list dict set " +
	"tuple sorted int float len isinstance type range zip enumerate any all sum min max Exception ValueError TypeError KeyError")

// fixtures of pytest that do not carry anything of the code under test
var pythonTools = set("self cls monkeypatch mocker request pytestconfig testdir pytester")

func (f pythonFlow) seeds(tn *testNode, file map[string]bool) map[string]bool {
	out := map[string]bool{}
	if tn != nil {
		f.fixtures(tn, out)
		if mentions(f.tree, tn.body, file) || mentions(f.tree, tn.body, out) {
			f.watchers(tn, out)
		}
		return out
	}
	f.root.walk(func(n *node) bool {
		for _, im := range f.importsAt(n) {
			root, _, _ := strings.Cut(im.Path, ".")
			if !pythonLibrary[root] || root == "" {
				for _, name := range im.Names {
					out[name] = true
				}
			}
		}
		return true
	})
	return out
}

// fixtures adds the parameters of a test but for those that parametrize fills.
func (f pythonFlow) fixtures(tn *testNode, to map[string]bool) {
	var given string
	for _, h := range tn.head {
		if h.is("decorator") && strings.Contains(f.text(h), "parametrize") {
			if arg := h.find(func(c *node) bool { return c.is("string_content") }); arg != nil {
				given += "," + f.text(arg)
			}
		}
	}
	parametrized := strings.FieldsFunc(given, func(r rune) bool { return r == ',' || r == ' ' })
	for _, name := range f.params(tn.body.parent.at("parameters")) {
		if !pythonTools[name] && !slices.Contains(parametrized, name) && !strings.HasPrefix(name, "mock") {
			to[name] = true
		}
	}
}

// watchers adds what a test that uses the code under test looks at it through:
// patched functions.
func (f pythonFlow) watchers(tn *testNode, to map[string]bool) {
	for _, name := range f.params(tn.body.parent.at("parameters")) {
		if strings.HasPrefix(name, "mock") && !pythonTools[name] {
			to[name] = true
		}
	}
	tn.body.walk(func(n *node) bool {
		if left, right := f.assigned(n); right != nil && patches.MatchString(f.text(right)) {
			for _, l := range left {
				for name := range identifiers(f.tree, l) {
					to[name] = true
				}
			}
		}
		return true
	})
}

var patches = regexp.MustCompile(`^(mock\.|mocker\.)?(patch|spy)\b`)

func (f pythonFlow) called(n *node) string {
	if n.is("call") {
		return f.pythonGrammar.callee(n.at("function"))
	}
	return ""
}

func (f pythonFlow) replaced(in *node) map[string]bool {
	out := map[string]bool{}
	in.walk(func(n *node) bool {
		callee := f.called(n)
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
