package related

import (
	"context"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// Unaltered tells of functions of a changed file whether they compute what they did on
// base: they moved into a block or out of one, or their comments or the types of Python
// and TypeScript that nothing reads at run time are other ones. Tests of them would show
// nothing of the change.
func (c *Code) Unaltered(ctx context.Context, path string) func(symbol string) bool {
	file, ok := c.o.Change.File(path)
	src, err := c.o.Read(path)
	if !ok || c.o.Change.Base == "" || err != nil {
		return func(string) bool { return false }
	}
	before, now := meanings(c, file.BasePath(), c.o.Before(ctx, file)), meanings(c, path, src)
	return func(symbol string) bool {
		was := before(symbol)
		return was != "" && was == now(symbol)
	}
}

// meanings gives a function of a file as its syntax tree tells it, without comments and
// types, with others of that name, as a getter has its setter; empty where there is none,
// or where the file cannot be read as its language.
func meanings(c *Code, file string, src []byte) func(symbol string) string {
	parsed, err := c.Parse(file, src)
	if err != nil || len(parsed.Functions) == 0 {
		return func(string) string { return "" }
	}
	tree, err := syntax.Parse(file, src)
	if err != nil || tree.Broken {
		return func(string) string { return "" }
	}
	return func(symbol string) string {
		return meaning(tree, each.Where(parsed.Functions, func(fn qa.Function) bool { return fn.Name == symbol }))
	}
}

func meaning(tree *syntax.Tree, all []qa.Function) string {
	var b strings.Builder
	for _, fn := range all {
		tree.Root.Walk(func(n *syntax.Node) bool {
			if n.Start < fn.StartByte || n.End > fn.EndByte {
				return n.Start < fn.EndByte && n.End > fn.StartByte
			}
			if len(n.Children) == 1 && n.Children[0].Start == n.Start && n.Children[0].End == n.End {
				return true // what holds nothing but the function is no part of it
			}
			tell(&b, tree, n)
			return false
		})
	}
	return b.String()
}

// tell writes a node: its kind, and what it is made of. Space between its parts says
// nothing, for what it separates are other nodes.
func tell(b *strings.Builder, tree *syntax.Tree, n *syntax.Node) {
	python := tree.Language.Name == "python"
	switch {
	case strings.Contains(n.Kind, "comment"), n.Kind == "type_annotation", python && (n.Field == "type" || n.Field == "return_type"), python && isDocstring(n):
		return
	case python && n.Kind == "typed_parameter" && len(n.Children) > 0:
		tell(b, tree, n.Children[0])
		return
	case python && !n.Named && slices.Contains([]string{":", "->"}, n.Kind) && n.Parent != nil && n.Parent.Is("function_definition", "typed_default_parameter", "assignment"):
		return
	case len(n.Children) == 0:
		b.WriteString(" " + string(tree.Src[n.Start:n.End]))
		return
	}
	kind := n.Kind
	if kind == "typed_default_parameter" {
		kind = "default_parameter"
	}
	b.WriteString(" (" + kind)
	from := n.Start
	for _, part := range n.Children {
		if part.Start > from {
			b.WriteString(between(tree, from, part.Start))
		}
		tell(b, tree, part)
		from = max(from, part.End)
	}
	b.WriteString(between(tree, from, n.End) + ")")
}

// remark is a comment where no strings are.
var remark = pattern.New(`//[^\n]*|(?s:/\*.*?\*/)`)

// between are the signs between nodes: in Go's tree operators and comments are no nodes.
func between(tree *syntax.Tree, from, to int) string {
	text := string(tree.Src[from:to])
	if tree.Language.Name == "go" {
		text = remark.ReplaceAllString(text, " ")
	}
	return strings.Join(strings.Fields(text), "")
}

// isDocstring reports whether a node is the text at the beginning of a function's body.
func isDocstring(n *syntax.Node) bool {
	return n.Is("string") && n.Parent != nil && n.Parent.Is("block") && n.Parent.Parent != nil && n.Parent.Parent.Is("function_definition") && n.Parent.Parts()[0] == n
}
