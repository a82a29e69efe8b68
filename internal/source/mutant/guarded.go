package mutant

import (
	"slices"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// Guarded are the lines of a file beneath conditions that hang on where and how it is run,
// as on the interpreter's version or whether it is started as a program. They are out of
// reach for a test that does not run them already, and no mutants are made of them.
func Guarded(path string, src []byte) (out []qa.Range) {
	tree, err := syntax.Parse(path, src)
	if err != nil || tree.Language.Name != "python" {
		return nil
	}
	m := pythonMutator{tree}
	tree.Root.Walk(func(n *syntax.Node) bool {
		guarded := n.Is("if_statement") && m.arid(n)
		if guarded {
			out = append(out, tree.Span(n.Start, n.End))
		}
		return !guarded
	})
	return out
}

// Reachable are the lines of some that stand in none of the guarded ones.
func Reachable(lines, guarded []qa.Range) []qa.Range {
	if len(guarded) == 0 {
		return lines
	}
	var out []int
	for _, r := range lines {
		for n := r.Start; n <= r.End; n++ {
			if !slices.ContainsFunc(guarded, func(g qa.Range) bool { return g.Contains(n) }) {
				out = append(out, n)
			}
		}
	}
	return qa.Ranges(out)
}
