package related

import (
	"bytes"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// texts are the kinds of nodes that are text of a program.
var texts = []string{"string", "raw_string_literal", "string_literal", "template_string"}

// passage is a comment or a text of a program; what is coded has code in it.
type passage struct {
	from, to       int
	comment, coded bool
}

// prose tells of the comments and texts of a file, as far as it can be read; of a coded
// one those within as well.
func prose(file string, src []byte, found func(passage)) error {
	if path.Ext(file) == ".go" { // whose tree has no comments
		literals(src, found)
		return nil
	}
	tree, err := syntax.Parse(file, src)
	if err != nil {
		return err
	}
	tree.Root.Walk(func(n *syntax.Node) bool {
		comment := strings.Contains(n.Kind, "comment")
		if !comment && !slices.Contains(texts, n.Kind) {
			return true
		}
		p := passage{n.Start, n.End, comment, !comment && interpolates(n)}
		found(p)
		return p.coded
	})
	return nil
}

// Proseless is the text of a file with spaces in place of its comments and strings, line
// by line: a name in these calls nothing. A string that code stands in is left.
func Proseless(file string, src []byte) []byte {
	out := slices.Clone(src)
	err := prose(file, src, func(p passage) {
		for i := p.from; i < min(p.to, len(out)) && !p.coded; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	})
	if err != nil {
		return src
	}
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
		bare := strings.Split(string(Proseless(f.Path, src)), "\n")
		for i, line := range strings.Split(string(src), "\n") {
			if f.Touches(qa.Range{Start: i + 1, End: i + 1}) && strings.TrimSpace(bare[i]) == "" && strings.TrimSpace(line) != "" && b.Len() < mostRemarks {
				b.WriteString(wording.Unmarked(line) + "\n")
			}
		}
	}
	return b.String()
}

// Wordings are the texts of the product in lines that the change wrote, one a line: what
// it says to who runs it.
func Wordings(c *Code) string {
	var b strings.Builder
	for _, f := range c.o.Change.Of(qa.KindSource) {
		src, err := c.o.Read(f.Path)
		if err != nil || f.Binary {
			continue
		}
		_ = prose(f.Path, src, func(p passage) { // what cannot be read says nothing
			first := 1 + bytes.Count(src[:p.from], []byte("\n"))
			at := qa.Range{Start: first, End: first + bytes.Count(src[p.from:p.to], []byte("\n"))}
			if !p.comment && f.Touches(at) && b.Len() < mostRemarks {
				b.WriteString(wording.Fold(string(src[p.from:p.to])) + "\n")
			}
		})
	}
	return b.String()
}

// mostRemarks bounds the bytes of comments and texts that are looked through.
const mostRemarks = 64 << 10

// literals are comments and strings of Go.
func literals(src []byte, found func(passage)) {
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
			found(passage{from: from, to: from + len(text), comment: kind == token.COMMENT})
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
