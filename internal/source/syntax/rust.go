package syntax

import (
	"bytes"
	"slices"
)

// valued are the macros whose arguments are expressions: the grammar leaves what a macro
// is given unread, and nearly all that a test says stands in one.
var valued = map[string]bool{
	"assert": true, "assert_eq": true, "assert_ne": true, "debug_assert": true, "debug_assert_eq": true, "debug_assert_ne": true,
	"print": true, "println": true, "eprint": true, "eprintln": true, "format": true, "write": true, "writeln": true, "dbg": true, "vec": true,
	"panic": true, "todo": true, "unimplemented": true, "unreachable": true,
	"trace": true, "debug": true, "info": true, "warn": true, "error": true,
}

// parseRust reads macros that are given expressions as calls, and attributes as parts of
// what they are written above.
func parseRust(src []byte) (*Tree, error) {
	t, err := parseSitter(rust, src)
	if err != nil {
		return nil, err
	}
	if text := asCalls(t); text != nil {
		// What such a macro of somebody else is given may be no expression.
		if again, err := parseSitter(rust, text); err == nil && (!again.Broken || t.Broken) {
			again.Src, t = src, again
		}
	}
	attributes(t.Root)
	return t, nil
}

// asCalls is the text with macros written as calls, byte for byte as long: the mark is a
// space, and brackets are round. It is nil where there is none.
func asCalls(t *Tree) []byte {
	var out []byte
	t.Root.Walk(func(n *Node) bool {
		for i := 0; i+2 < len(n.Children); i++ {
			name, mark, given := n.Children[i], n.Children[i+1], n.Children[i+2]
			if !name.Is("identifier") || mark.Kind != "!" || !given.Is("token_tree") || !valued[t.Text(name)] || given.End-given.Start < 2 {
				continue
			}
			open := t.Src[given.Start]
			listed := open == '[' && !slices.ContainsFunc(given.Children, func(c *Node) bool { return c.Kind == ";" })
			if open != '(' && !listed {
				continue
			}
			if out == nil {
				out = bytes.Clone(t.Src)
			}
			out[mark.Start], out[given.Start], out[given.End-1] = ' ', '(', ')'
		}
		return true
	})
	return out
}

// attributes puts the attributes above an item into it, with the comments between.
func attributes(n *Node) {
	var out, waiting []*Node
	for _, c := range n.Children {
		attributes(c)
		switch {
		case c.Is("attribute_item"), c.Is("comment") && len(waiting) > 0:
			waiting = append(waiting, c)
		case len(waiting) > 0 && c.Named:
			for _, a := range waiting {
				a.Parent = c
			}
			c.Start, c.Children = waiting[0].Start, slices.Concat(waiting, c.Children)
			out, waiting = append(out, c), nil
		default:
			out, waiting = append(append(out, waiting...), c), nil
		}
	}
	n.Children = append(out, waiting...)
}
