package source

import (
	"maps"
	"strings"
)

// flow answers, roughly, where values in a test file come from.
type flow interface {
	// seeds are the names that stand for the code under test in the whole
	// file, or, with a test, those that do so only in it.
	seeds(tn *testNode, file map[string]bool) map[string]bool
	reader
	// called is the name of what a call calls, "" for other nodes.
	called(n *node) string
	// replaced are the names of functions that the test replaces by mocks.
	replaced(n *node) map[string]bool
}

// flows are the ones of the grammars, with the names that never stand for the
// code under test.
var flows = map[string]struct {
	of    func(*tree) flow
	names map[string]bool
}{
	"go": {newGoFlow, goNames}, "python": {newPythonFlow, pythonNames},
	"javascript": {newScriptFlow, scriptNames}, "typescript": {newScriptFlow, scriptNames}, "tsx": {newScriptFlow, scriptNames},
}

// provenance knows which names hold something that the code under test had a
// hand in. It errs on the side of too many: scopes are not told apart.
type provenance struct {
	*tree
	flow  flow
	never map[string]bool // names of the language and its test frameworks
	file  map[string]bool
}

func newProvenance(t *tree) provenance {
	f := flows[t.grammar]
	p := provenance{tree: t, flow: f.of(t), never: f.names}
	p.file = p.flow.seeds(nil, nil)
	p.spread(t.root, p.file)
	return p
}

// in is what holds in one test.
func (p provenance) in(tn testNode) map[string]bool {
	extra := p.flow.seeds(&tn, p.file)
	if len(extra) == 0 {
		return p.file
	}
	derived := maps.Clone(p.file)
	maps.Copy(derived, extra)
	p.spread(tn.node, derived)
	return derived
}

// spread follows assignments and arguments below n until nothing is new.
func (p provenance) spread(in *node, derived map[string]bool) {
	for before := -1; before != len(derived); {
		before = len(derived)
		in.walk(func(n *node) bool {
			left, right := p.flow.assigned(n)
			if right != nil && mentions(p.tree, right, derived) {
				for _, l := range left {
					p.add(l, derived)
				}
			}
			// What is handed to the code under test may be filled or called by it.
			if p.flow.called(n) != "" && mentions(p.tree, n.children[0], derived) {
				p.add(n.at("arguments"), derived)
				for _, arg := range n.all("args") {
					p.add(arg, derived)
				}
			}
			return true
		})
	}
}

func (p provenance) add(n *node, to map[string]bool) {
	n.walk(func(c *node) bool {
		if name := p.text(c); (isIdentifier(c) || c.is("shorthand_property_identifier_pattern")) && !universe[name] && !p.never[name] {
			to[name] = true
		}
		return true
	})
}

func mentions(t *tree, n *node, names map[string]bool) bool {
	return n.find(func(c *node) bool {
		if isIdentifier(c) {
			return names[t.text(c)]
		}
		return c.is("import")
	}) != nil
}

// literalName is the name in 'obj', 'method' style arguments: the last part of
// a quoted dotted path.
func literalName(text string) string {
	text = strings.Trim(text, `'"`+"`")
	return text[strings.LastIndex(text, ".")+1:]
}
