package builtin

import (
	"bytes"
	"unicode/utf8"

	"github.com/org/qa-action/internal/qa"
)

// pythonPieces divides a file of Python where a statement of the module begins, and where
// one of a class of the module does; decorators belong to what they stand above. It is
// false of text in which that cannot be told without reading it as Python does: where a
// bracket or a quote stays open, where a line is indented less than its block and more
// than the block around it, and where a line ends or begins in an uncommon way.
func pythonPieces(source []byte) ([]piece, bool) {
	d := pythonDivider{decorator: -1}
	line := 1
	for at := 0; at < len(source); {
		indent, width := indentation(source[at:])
		begin := at
		at += width
		end, lines, empty, ok := logicalLine(source, at)
		if !ok || !empty && !d.statement(source[at:end], begin, line, indent) {
			return nil, false
		}
		at, line = end, line+lines
	}
	return d.finish(len(source), line), true
}

// pythonDivider is what a division knows while it goes through the statements.
type pythonDivider struct {
	pieces    []piece
	class     bool // the statement of the module is a class
	body      int  // indentation of the class's own statements, 0 before the first of them
	decorator int  // indentation of the last statement where it was a decorator, else -1
}

// statement is told of each line that begins one; false gives up.
func (d *pythonDivider) statement(text []byte, at, line, indent int) bool {
	follows := d.decorator == indent // what is decorated
	if d.decorator >= 0 && !follows || text[0] >= utf8.RuneSelf {
		return false
	}
	if d.decorator = -1; text[0] == '@' {
		d.decorator = indent
	}
	switch {
	case indent == 0 && !follows:
		d.class, d.body = startsWith(text, "class"), 0
	case indent == 0:
		d.class = startsWith(text, "class")
	case len(d.pieces) == 0:
		return false
	case !d.class:
		return true
	case d.body == 0:
		d.body = indent
	case indent < d.body:
		return false
	}
	if indent <= d.body && !follows {
		d.pieces = append(d.pieces, piece{lines: qa.Range{Start: line}, from: at})
	}
	return true
}

// finish ends each piece where the next begins.
func (d *pythonDivider) finish(size, line int) []piece {
	for i := range d.pieces {
		p := &d.pieces[i]
		p.to, p.lines.End = size, line
		if i+1 < len(d.pieces) {
			p.to, p.lines.End = d.pieces[i+1].from, d.pieces[i+1].lines.Start-1
		}
	}
	return d.pieces
}

// indentation is how far a line is indented, as Python's grammar counts, and how many
// bytes that takes.
func indentation(line []byte) (indent, width int) {
	for ; width < len(line); width++ {
		switch line[width] {
		case ' ':
			indent++
		case '\t':
			indent += 8
		default:
			return indent, width
		}
	}
	return indent, width
}

// logicalLine goes to the end of the line, which goes on in the next where a bracket or a
// string is open or a backslash ends it; empty is one without a statement.
func logicalLine(source []byte, at int) (end, lines int, empty, ok bool) {
	depth := 0
	for empty = true; at < len(source); {
		switch c := source[at]; c {
		case '\n':
			at, lines = at+1, lines+1
			if depth == 0 {
				return at, lines, empty, true
			}
			continue
		case '\r':
			if at+1 == len(source) || source[at+1] != '\n' {
				return 0, 0, false, false
			}
		case '\f':
			return 0, 0, false, false
		case ' ', '\t':
		case '#':
			if rest := bytes.IndexAny(source[at:], "\r\n"); rest >= 0 {
				at += rest
			} else {
				at = len(source)
			}
			continue
		case '\\':
			next := bytes.TrimPrefix(source[at+1:], []byte("\r"))
			if empty || len(next) == 0 || next[0] != '\n' {
				return 0, 0, false, false
			}
			at, lines = len(source)-len(next), lines+1
		case '\'', '"':
			empty = false
			size, breaks, closed := pythonString(source[at:])
			if !closed {
				return 0, 0, false, false
			}
			at, lines = at+size, lines+breaks
			continue
		default:
			empty = false
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				if depth--; depth < 0 {
					return 0, 0, false, false
				}
			}
		}
		at++
	}
	return at, lines, empty, depth == 0
}

// pythonString is the size of the string that text begins with, and how many lines it goes over.
func pythonString(text []byte) (size, breaks int, closed bool) {
	mark := text[:1]
	if len(text) >= 3 && text[1] == text[0] && text[2] == text[0] {
		mark = text[:3]
	}
	for at := len(mark); at < len(text); at++ {
		switch c := text[at]; {
		case c == '\\' && at+1 < len(text):
			if at++; text[at] == '\r' && at+1 < len(text) && text[at+1] == '\n' {
				at++
			}
			if text[at] == '\n' {
				breaks++
			}
		case c == '\n' && len(mark) == 1:
			return 0, 0, false
		case c == '\n':
			breaks++
		case bytes.HasPrefix(text[at:], mark):
			return at + len(mark), breaks, true
		}
	}
	return 0, 0, false
}

// startsWith reports whether text begins with a word.
func startsWith(text []byte, word string) bool {
	return bytes.HasPrefix(text, []byte(word)) && len(text) > len(word) && !inWord(text[len(word)]) && text[len(word)] < 0x80
}
