package edit

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// Outdone are the tests of Python, and the classes of tests, whose name the same block gives
// to something else further down: that alone is there when tests are collected, and a report
// has the name. They are named with their class, in the order of the file; none where the
// file cannot be read.
func Outdone(path string, src []byte) []string {
	t, err := syntax.Parse(path, src)
	if err != nil {
		return nil
	}
	r := pythonTests{t, outline.Python{Tree: t}}
	var out []string
	t.Root.Walk(func(n *syntax.Node) bool {
		if n.Is("function_definition") {
			return false // what it defines is nobody's test
		}
		if !n.Is("module", "block") {
			return true
		}
		tests := map[string]bool{}
		for _, statement := range n.Children {
			name, test := r.gives(statement)
			if tests[name] {
				out = append(out, r.within(n)+name)
			}
			tests[name] = test && name != ""
		}
		return true
	})
	return slices.Compact(out)
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
		if left.Is("identifier") && !slices.Contains(wording.Names(r.Text(right)), r.Text(left)) {
			return r.Text(left), false
		}
	}
	return "", false
}

// within is the class of a block, as tests are named with it.
func (r pythonTests) within(n *syntax.Node) string {
	var names []string
	for owner := n.Within("class_definition"); owner != nil; owner = owner.Within("class_definition") {
		names = append([]string{r.Text(owner.At("name"))}, names...)
	}
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, ".") + "."
}
