package related

import (
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// texts are the kinds of nodes that are text of a program, and run nothing.
var texts = []string{"string", "raw_string_literal", "string_literal"}

// proseless is the text of a file with spaces in place of its comments and strings, line
// by line: a name in these calls nothing. A string that code stands in is left.
func proseless(file string, src []byte) []byte {
	out := slices.Clone(src)
	blank := func(from, to int) {
		for i := from; i < min(to, len(out)); i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	if path.Ext(file) == ".go" { // whose tree has no comments
		literals(src, blank)
		return out
	}
	tree, err := syntax.Parse(file, src)
	if err != nil {
		return src
	}
	tree.Root.Walk(func(n *syntax.Node) bool {
		switch {
		case strings.Contains(n.Kind, "comment"), slices.Contains(texts, n.Kind) && !interpolates(n):
			blank(n.Start, n.End)
			return false
		}
		return true
	})
	return out
}

// Remarks are the lines that the change wrote into comments of the product, and into texts
// that stand on lines of their own, as documentation does in Python.
func Remarks(c *Code) string {
	var b strings.Builder
	for _, f := range c.o.Change.Of(qa.KindSource) {
		src, err := c.o.Read(f.Path)
		if err != nil || f.Binary {
			continue
		}
		bare := strings.Split(string(proseless(f.Path, src)), "\n")
		for i, line := range strings.Split(string(src), "\n") {
			if f.Touches(qa.Range{Start: i + 1, End: i + 1}) && strings.TrimSpace(bare[i]) == "" && strings.TrimSpace(line) != "" && b.Len() < mostRemarks {
				b.WriteString(Unmarked(line) + "\n")
			}
		}
	}
	return b.String()
}

// mostRemarks bounds the bytes of comments that are looked through.
const mostRemarks = 64 << 10

// Unmarked is a text without the signs with which lines of comments begin.
func Unmarked(text string) string { return marking.ReplaceAllString(text, "") }

var marking = pattern.New(`(?m)^[ \t]*(?://+!?|#+|/\*+|\*+/?|"""|''')`)

// literals are comments and strings of Go.
func literals(src []byte, found func(from, to int)) {
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(src))
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	for {
		at, kind, text := s.Scan()
		switch kind {
		case token.EOF:
			return
		case token.COMMENT, token.STRING:
			from := file.Offset(at)
			found(from, from+len(text))
		}
	}
}

// interpolates reports whether code stands in a string.
func interpolates(n *syntax.Node) (found bool) {
	n.Walk(func(n *syntax.Node) bool {
		found = found || strings.Contains(n.Kind, "interpolation") || strings.Contains(n.Kind, "substitution")
		return !found
	})
	return found
}
