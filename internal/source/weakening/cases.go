package weakening

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// maxCases bounds the cases of one test that are looked for elsewhere.
const maxCases = 50

// cases says that a test of a table lost a case: it asserts what it did, of less. Where
// anything was written in its place it was rewritten, and nothing is said.
func (c *comparison) cases(f *file, o, t *test) {
	before, now := table(o.Node), table(t.Node)
	if !only(o.in.Text(before), t.in.Text(now)) {
		return
	}
	left := map[string]bool{}
	for _, r := range rows(now) {
		left[t.in.text(r)] = true
	}
	looked := 0
	for _, r := range rows(before) {
		text := o.in.text(r)
		if left[text] {
			continue
		}
		if looked++; looked > maxCases {
			return
		}
		if c.about(wordsOf(text)) || c.stands(text) {
			continue
		}
		line := t.in.Line(t.Node.Start)
		c.out = append(c.out, qa.Weakening{
			Rule: caseGone, Path: f.Path, Test: t.Name, Was: o.Name, Before: shown(text), Calls: o.calls, Lines: qa.Range{Start: line, End: line},
		})
		return // the first stands for all
	}
}

// table is a test with what decorates it, where frameworks have tables, too.
func table(n *syntax.Node) *syntax.Node {
	if n.Parent != nil && n.Parent.Is("decorated_definition") {
		return n.Parent
	}
	return n
}

// rows are the cases of tables: of lists of at least two, those that are made of parts.
func rows(n *syntax.Node) []*syntax.Node {
	var out []*syntax.Node
	n.Walk(func(n *syntax.Node) bool {
		var of []*syntax.Node
		if n.Is("CompositeLit", "list", "array", "array_expression", "array_initializer") {
			for _, part := range n.Parts() {
				value := part
				if part.Is("KeyValueExpr") { // of a map; a name is a field of one value
					if key := part.At("key"); key == nil || !key.Is("BasicLit") {
						continue
					}
					value = part.At("value")
				}
				if value != nil && value.Field != "type" && value.Is("CompositeLit", "tuple", "list", "dictionary", "call", "array", "object", "tuple_expression", "array_initializer") {
					of = append(of, part)
				}
			}
		}
		if len(of) > 1 {
			out = append(out, of...)
		}
		return true
	})
	return out
}

// only reports that a text has no line that the earlier one has not.
func only(before, now string) bool {
	had := map[string]bool{}
	for line := range strings.Lines(before) {
		had[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(now) {
		if !had[strings.TrimSpace(line)] {
			return false
		}
	}
	return true
}

// stands reports whether a case is in a test file of the change as it is now.
func (c *comparison) stands(text string) bool {
	return slices.ContainsFunc(c.files, func(f file) bool { return strings.Contains(wording.Fold(string(f.After)), text) })
}
