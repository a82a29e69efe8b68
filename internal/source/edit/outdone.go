package edit

import (
	"maps"
	"slices"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// Outdone are the tests of Python, and the classes of tests, whose name is given to something
// else further down in the same block or in one within it: that alone is there when tests are
// collected, and a report has the name. They are named with their class, in the order of the
// file; none where the file cannot be read. Branches of one condition do not outdo each other.
func Outdone(path string, src []byte) []string {
	t, err := syntax.Parse(path, src)
	if err != nil {
		return nil
	}
	r := pythonTests{t, outline.Python{Tree: t}}
	return slices.Compact(r.outdone(t.Root, "", map[string]bool{}))
}

// outdone are those of a block, in which some names are tests already; within is the class
// that it is in, as tests are named with it.
func (r pythonTests) outdone(block *syntax.Node, within string, tests map[string]bool) (out []string) {
	for _, statement := range block.Children {
		name, test := r.gives(statement)
		if tests[name] {
			out = append(out, within+name)
		}
		if name != "" {
			tests[name] = test
		}
		before := maps.Clone(tests)
		statement.Walk(func(n *syntax.Node) bool {
			switch {
			case n.Is("function_definition"):
				return false // what it defines is nobody's test
			case n.Is("class_definition"):
				methods := map[string]bool{}
				out = append(out, r.outdone(n.At("body"), within+name+".", methods)...)
				for method, test := range methods { // by these names it is given another one from outside
					tests[name+"."+method] = test
				}
				return false
			case n.Is("block"):
				inner := maps.Clone(before)
				out = append(out, r.outdone(n, within, inner)...)
				maps.Copy(tests, inner)
				return false
			}
			return true
		})
	}
	return out
}

// gives is the name that a statement gives to something, and whether that is a test or has
// tests. What is made of the thing that had the name, as by a mark, is that thing.
func (r pythonTests) gives(n *syntax.Node) (name string, test bool) {
	if n.Is("decorated_definition") {
		n = n.At("definition")
	}
	switch {
	case n.Is("function_definition"):
		name = r.Text(n.At("name"))
		return name, r.IsTest(n, name)
	case n.Is("class_definition"):
		found := n.Find(func(in *syntax.Node) bool { return in.Is("function_definition") && r.IsTest(in, r.Text(in.At("name"))) })
		return r.Text(n.At("name")), found != nil
	case n.Is("assignment"):
		left, right := n.At("left"), n.At("right")
		name, own := r.Text(left), r.Text(left)
		if left.Is("attribute") {
			own = r.Text(left.At("attribute"))
		}
		if left.Is("identifier", "attribute") && !slices.Contains(wording.Names(r.Text(right)), own) {
			return name, false
		}
	}
	return "", false
}
