package syntax

import (
	"bytes"
	"fmt"
	"slices"
	"sort"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
)

// Node is one piece of a syntax tree, the same for every language: the three
// parsers behind it are seen nowhere else. Kinds and fields are the parser's
// words ("call_expression" with field "function", or "CallExpr" with "fun").
type Node struct {
	Kind     string
	Field    string // role in the parent, empty when it has none
	Start    int    // byte offsets, end exclusive
	End      int
	Named    bool // false for punctuation, operators and keywords
	Parent   *Node
	Children []*Node
}

// Tree is one parsed file.
type Tree struct {
	Path     string
	Language *language.Language
	Grammar  string // which parser read it: two of one language may differ
	Src      []byte
	Root     *Node
	Lines    []int // byte offset of each line's start
	Broken   bool  // the parser met text that is not its language
}

// maxDepth bounds nesting, so that hostile input cannot exhaust the stack in
// the recursive walks of this package.
const maxDepth = 1500

var errDeep = fmt.Errorf("the code nests deeper than the %d levels that are read", maxDepth)

func lineStarts(src []byte) []int {
	lines := []int{0}
	for i, b := range src {
		if b == '\n' {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// Line is the 1-based line that holds the byte at offset.
func (t *Tree) Line(offset int) int {
	return sort.Search(len(t.Lines), func(i int) bool { return t.Lines[i] > offset })
}

// Column is the 1-based byte column of offset in its line.
func (t *Tree) Column(offset int) int {
	return offset - t.LineStart(offset) + 1
}

// LineEnd is the offset of the line break that ends the line of offset, or of the end of the text.
func (t *Tree) LineEnd(offset int) int {
	if i := bytes.IndexByte(t.Src[offset:], '\n'); i >= 0 {
		return offset + i
	}
	return len(t.Src)
}

// LineStart is the offset of the first byte in the line of offset.
func (t *Tree) LineStart(offset int) int { return t.Lines[t.Line(offset)-1] }

// Span is the lines of a half-open byte range. A range that ends right after a
// line break ends on the line before.
func (t *Tree) Span(start, end int) qa.Range {
	last := end
	if last > start {
		last--
	}
	for last > start && (t.Src[last] == '\n' || t.Src[last] == '\r') {
		last--
	}
	return qa.Range{Start: t.Line(start), End: t.Line(last)}
}

func (t *Tree) Text(n *Node) string {
	if n == nil {
		return ""
	}
	return string(t.Src[n.Start:n.End])
}

// At is the child with that field, nil when there is none. It is fine on nil.
// A named child wins: some grammars give the "=" before a value its field too.
func (n *Node) At(field string) *Node {
	if n == nil {
		return nil
	}
	var found *Node
	for _, c := range n.Children {
		if c.Field == field && (found == nil || c.Named && !found.Named) {
			found = c
		}
	}
	return found
}

// All lists the children with that field.
func (n *Node) All(field string) []*Node {
	return each.Where(n.Children, func(c *Node) bool { return c.Field == field })
}

// First is the first child of one of the kinds, nil when there is none.
func (n *Node) First(kinds ...string) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.Is(kinds...) {
			return c
		}
	}
	return nil
}

// Parts lists the named children that are not comments.
func (n *Node) Parts() []*Node {
	if n == nil {
		return nil
	}
	return each.Where(n.Children, func(c *Node) bool { return c.Named && c.Kind != "comment" })
}

func (n *Node) Is(kinds ...string) bool {
	return n != nil && slices.Contains(kinds, n.Kind)
}

// Arguments are what a call hands over, in the words of any of the languages.
func (n *Node) Arguments() []*Node {
	if n.Is("CallExpr") {
		return n.All("args")
	}
	return n.At("arguments").Parts()
}

// Unwrapped is what stands within await and parentheses.
func (n *Node) Unwrapped() *Node {
	for n.Is("await_expression", "await", "parenthesized_expression", "ParenExpr") && len(n.Parts()) == 1 {
		n = n.Parts()[0]
	}
	return n
}

// Within is the nearest ancestor of one of the kinds, nil when there is none.
func (n *Node) Within(kinds ...string) *Node {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Is(kinds...) {
			return p
		}
	}
	return nil
}

// Walk visits n and everything below in source order; visit answers whether to
// go below the node.
func (n *Node) Walk(visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, c := range n.Children {
		c.Walk(visit)
	}
}

// Find is the first node below n, or n itself, that ok accepts.
func (n *Node) Find(ok func(*Node) bool) *Node {
	var found *Node
	n.Walk(func(c *Node) bool {
		if found == nil && ok(c) {
			found = c
		}
		return found == nil
	})
	return found
}

// nesting refuses text whose brackets nest deeper than the parsers can bear.
func nesting(src []byte) error {
	depth, deepest := 0, 0
	for _, b := range src {
		switch b {
		case '(', '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	if deepest > maxDepth {
		return fmt.Errorf("brackets nest %d deep, at most %d are read", deepest, maxDepth)
	}
	return nil
}

// Identifiers is the set of names that occur below n.
func Identifiers(t *Tree, n *Node) map[string]bool {
	out := map[string]bool{}
	n.Walk(func(c *Node) bool {
		if IsIdentifier(c) {
			out[t.Text(c)] = true
		}
		return true
	})
	return out
}

// IsIdentifier reports whether n is a name, in any of the languages.
func IsIdentifier(n *Node) bool {
	return n.Is("identifier", "type_identifier", "shorthand_property_identifier", "Ident")
}
