package source

import (
	"bytes"
	"fmt"
	"sort"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
)

// node is one piece of a syntax tree, the same for every language: the three
// parsers behind it are seen nowhere else. Kinds and fields are the parser's
// words ("call_expression" with field "function", or "CallExpr" with "fun").
type node struct {
	kind     string
	field    string // role in the parent, empty when it has none
	start    int    // byte offsets, end exclusive
	end      int
	named    bool // false for punctuation, operators and keywords
	parent   *node
	children []*node
}

// tree is one parsed file.
type tree struct {
	path     string
	language *language.Language
	grammar  string // which parser read it: two of one language may differ
	src      []byte
	root     *node
	lines    []int // byte offset of each line's start
	broken   bool  // the parser met text that is not its language
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

// line is the 1-based line that holds the byte at offset.
func (t *tree) line(offset int) int {
	return sort.Search(len(t.lines), func(i int) bool { return t.lines[i] > offset })
}

// column is the 1-based byte column of offset in its line.
func (t *tree) column(offset int) int {
	return offset - t.lineStart(offset) + 1
}

// lineStart is the offset of the first byte in the line of offset.
func (t *tree) lineStart(offset int) int { return t.lines[t.line(offset)-1] }

// span is the lines of a half-open byte range. A range that ends right after a
// line break ends on the line before.
func (t *tree) span(start, end int) qa.Range {
	last := end
	if last > start {
		last--
	}
	for last > start && (t.src[last] == '\n' || t.src[last] == '\r') {
		last--
	}
	return qa.Range{Start: t.line(start), End: t.line(last)}
}

func (t *tree) text(n *node) string {
	if n == nil {
		return ""
	}
	return string(t.src[n.start:n.end])
}

// oneLine is a text with its white space folded, for signatures and messages.
func oneLine(text []byte) string { return string(bytes.Join(bytes.Fields(text), []byte(" "))) }

// at is the child with that field, nil when there is none. It is fine on nil.
// A named child wins: some grammars give the "=" before a value its field too.
func (n *node) at(field string) *node {
	if n == nil {
		return nil
	}
	var found *node
	for _, c := range n.children {
		if c.field == field && (found == nil || c.named && !found.named) {
			found = c
		}
	}
	return found
}

// all lists the children with that field.
func (n *node) all(field string) []*node {
	var out []*node
	for _, c := range n.children {
		if c.field == field {
			out = append(out, c)
		}
	}
	return out
}

// first is the first child of one of the kinds, nil when there is none.
func (n *node) first(kinds ...string) *node {
	if n == nil {
		return nil
	}
	for _, c := range n.children {
		if c.is(kinds...) {
			return c
		}
	}
	return nil
}

// parts lists the named children that are not comments.
func (n *node) parts() []*node {
	if n == nil {
		return nil
	}
	var out []*node
	for _, c := range n.children {
		if c.named && c.kind != "comment" {
			out = append(out, c)
		}
	}
	return out
}

func (n *node) is(kinds ...string) bool {
	if n == nil {
		return false
	}
	for _, k := range kinds {
		if n.kind == k {
			return true
		}
	}
	return false
}

// within is the nearest ancestor of one of the kinds, nil when there is none.
func (n *node) within(kinds ...string) *node {
	for p := n.parent; p != nil; p = p.parent {
		if p.is(kinds...) {
			return p
		}
	}
	return nil
}

// walk visits n and everything below in source order; visit answers whether to
// go below the node.
func (n *node) walk(visit func(*node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, c := range n.children {
		c.walk(visit)
	}
}

// find is the first node below n, or n itself, that ok accepts.
func (n *node) find(ok func(*node) bool) *node {
	var found *node
	n.walk(func(c *node) bool {
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

// cut shortens a text to n bytes at most, at a rune.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}

// identifiers is the set of names that occur below n.
func identifiers(t *tree, n *node) map[string]bool {
	out := map[string]bool{}
	n.walk(func(c *node) bool {
		if isIdentifier(c) {
			out[t.text(c)] = true
		}
		return true
	})
	return out
}

// isIdentifier reports whether n is a name, in any of the languages.
func isIdentifier(n *node) bool {
	return n.is("identifier", "type_identifier", "shorthand_property_identifier", "Ident")
}
