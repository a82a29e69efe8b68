package weakening

import (
	"cmp"
	"slices"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// This file finds what a test makes by itself in place of what it had: the object it
// fails on, and the function it looks at.

// stand is something that a test defines by itself.
type stand struct {
	name string
	node *syntax.Node
	deaf bool // an object of package testing that nobody hears
	// patched tells that a library of stand-ins puts something in the place of the name,
	// wherever that stands.
	patched bool
}

// standIns lists what the test made of a claim: the object that it fails on, so that
// nobody hears of it, and what it calls.
func (s *fettering) standIns(k claim) []fetter {
	if s.made == nil {
		made := s.stands()
		s.made = &made
	}
	if len(*s.made) == 0 {
		return nil
	}
	var out []fetter
	names, calls, all := syntax.Identifiers(s.in.Tree, k.check.Node), bareCalls(s.in.Tree, k.check.Node), callsIn(s.in.Tree, k.check.Node)
	for _, m := range *s.made {
		switch {
		case m.deaf && names[m.name] && m.node.Start < k.check.Node.Start:
			out = append(out, fetter{rule: swallowed, node: m.node, text: s.in.text(m.node)})
		case !m.deaf && (calls[m.name] || m.patched && slices.Contains(all, m.name)) && !k.check.Custom:
			out = append(out, fetter{rule: replaced, node: m.node, text: s.in.text(m.node), name: m.name, patched: m.patched})
		}
	}
	return out
}

// stands finds what the test defines.
func (s *fettering) stands() []stand {
	var out []stand
	s.Body.Walk(func(n *syntax.Node) bool {
		name := n.At("name")
		deaf := false
		if m := patching.FindStringSubmatch(s.in.text(n)); m != nil && Callee(n) != nil {
			out = append(out, stand{name: cmp.Or(m[1], m[2], m[3]), node: n, patched: true})
			return true
		}
		switch {
		case n.Is("function_definition", "function_declaration", "class_definition", "variable_declarator", "function_item"):
		case n.Is("assignment") && s.in.Grammar == "python":
			name = n.At("left")
		case n.Is("AssignStmt", "ValueSpec") && s.in.Grammar == "go":
			name, deaf = cmp.Or(n.At("lhs"), n.At("names")), freshT.MatchString(s.in.text(n))
			if !deaf && !n.At("rhs").Is("FuncLit") {
				return true
			}
		default:
			return true
		}
		if name != nil {
			out = append(out, stand{name: s.in.Text(name), node: n, deaf: deaf})
		}
		return true
	})
	return out
}

// patching is a call that has a library put a stand-in in the place of a function, by the
// name that is kept: of Python's mock, pytest-mock and monkeypatch, of jest, vitest and sinon.
var patching = pattern.New(`^(?:[\w.]*\bpatch(?:\.object)?|[\w.]*\bsetattr)\(\s*(?:[\w.]+\s*,\s*)?['"](?:[\w.]*\.)?(\w+)['"]|` +
	`^[\w.]*\b(?:spyOn\(\s*[\w.]+\s*,\s*['"](\w+)['"]\s*\)\.mock(?:Return|Implementation|Resolved|Rejected)|(?:stub|replace)\(\s*[\w.]+\s*,\s*['"](\w+)['"])`)

var freshT = pattern.New(`^\w+ :?= (&testing\.T\{\}|new\(testing\.T\))$|^\w+ testing\.T$`)

// bareCalls are the names that a piece calls as they stand.
func bareCalls(t *syntax.Tree, in *syntax.Node) map[string]bool {
	out := map[string]bool{}
	in.Walk(func(n *syntax.Node) bool {
		if callee := Callee(n); callee != nil && syntax.IsIdentifier(callee) {
			out[t.Text(callee)] = true
		}
		return true
	})
	return out
}

// stood reports a stand-in that the file had on base, too, or that stands for what it
// never imported.
func (c *comparison) stood(o *test, x fetter) bool {
	if x.rule != replaced {
		return false
	}
	if x.patched { // what it stands for has to be what the test looked at
		was := fettering{test: o}
		return !slices.Contains(o.calls, x.name) || slices.ContainsFunc(was.stands(), func(m stand) bool { return m.patched && m.name == x.name })
	}
	if o.in.defined == nil {
		o.in.defined, o.in.imported = map[string]bool{}, map[string]bool{}
		for _, m := range defining.FindAllSubmatch(o.in.Src, -1) {
			o.in.defined[string(m[1])+string(m[2])] = true
		}
		if parsed, err := outline.Parse(o.in.Path, o.in.Src); err == nil {
			for _, im := range parsed.Imports {
				for _, name := range im.Names {
					o.in.imported[name] = true
				}
			}
		}
	}
	return o.in.defined[x.name] || o.in.Grammar != "go" && !o.in.imported[x.name]
}

// defining is where a text gives a name of its own.
var defining = pattern.New(`(?m)\b(?:def|class|function|func|const|let|var|fn)\s+(\w+)|^\s*(\w+)\s*:?=[^=]`)
