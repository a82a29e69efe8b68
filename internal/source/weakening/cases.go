package weakening

import (
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// maxCase bounds the bytes of a case that is compared.
const maxCase = 4 << 10

// cases says that a test of a table lost a case: it asserts what it did, of less. Where
// anything was written in its place it was rewritten, and nothing is said.
func (c *comparison) cases(f *file, o, t *test) {
	before, now := table(o.Node), table(t.Node)
	least := 2
	switch {
	case only(o.in.Text(before), t.in.Text(now)) || less(o, t):
	case len(rows(now, 1)) == 0 && vacant(now) > vacant(before):
		least = 1 // nothing is left
	default:
		return
	}
	for _, r := range rows(before, least) {
		text := o.in.text(r)
		if c.rows()[text] || c.about(wordsOf(text)) {
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

// rows are the cases of tables: of lists with so many at least, those that are made of
// parts and no larger than what is compared.
func rows(n *syntax.Node, least int) []*syntax.Node {
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
				if value != nil && part.End-part.Start <= maxCase && value.Field != "type" && value.Is("CompositeLit", "tuple", "list", "dictionary", "call", "array", "object", "tuple_expression", "array_initializer") {
					of = append(of, part)
				}
			}
		}
		if len(of) >= least {
			out = append(out, of...)
		}
		return true
	})
	return out
}

// vacant counts the lists in which nothing stands.
func vacant(n *syntax.Node) int {
	out := 0
	n.Walk(func(k *syntax.Node) bool {
		if k.Is("list", "array", "array_expression", "array_initializer") && len(k.Parts()) == 0 || k.Is("CompositeLit") && len(k.All("elts")) == 0 {
			out++
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

// rows are the cases that stand anywhere in the test files of the change as they are now:
// what was moved into another table is not gone.
func (c *comparison) rows() map[string]bool {
	if c.found.rows == nil {
		c.found.rows = map[string]bool{}
		for i := range c.files {
			if now := &c.files[i].now; now.Tree != nil {
				for _, r := range rows(now.Root, 1) {
					c.found.rows[now.text(r)] = true
				}
			}
		}
	}
	return c.found.rows
}
