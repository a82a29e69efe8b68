// Package shell reads command lines as a POSIX shell would: into commands, words
// and what variables make of them. Nothing is run; text that only a shell can
// understand is kept as text for one.
package shell

import (
	"errors"
	"strings"
)

// Word is one word of a command.
type Word struct {
	Text string // without quotes
	At   int    // where it begins in the script
	// expands: text holds an expansion; dollar: a "$" that is none. glob: an
	// unquoted pattern of files. opaque: a shell alone knows what it becomes.
	expands, dollar, Glob, opaque bool
	quoted                        bool
}

// Simple is one command of a script, or a group of commands in parentheses.
type Simple struct {
	Words []Word
	Group []Simple
	From  int // where it begins and ends in the script
	To    int
	Joint string // the operator before it: "", "&&", "||", ";"
	// Plain says that its words are all there is: no redirection, no pipe.
	Plain      bool
	Piped      bool
	Background bool
}

var errShell = errors.New("only a shell can read it")

// control are words that begin what is no simple command.
var control = map[string]bool{
	"if": true, "then": true, "else": true, "elif": true, "fi": true, "for": true, "while": true, "until": true, "do": true, "done": true,
	"case": true, "esac": true, "function": true, "select": true, "{": true, "}": true, "!": true, "[": true, "[[": true, "test": true,
	"source": true, ".": true, "eval": true, "trap": true,
}

// maxNesting bounds parentheses in parentheses.
const maxNesting = 20

// Parse splits a script into its commands; an error says that it has
// something that cannot be taken apart soundly.
func Parse(script string) ([]Simple, error) {
	p := &shellParser{in: script}
	out, err := p.list(0)
	if err != nil {
		return nil, err
	}
	if p.i < len(p.in) {
		return nil, errShell // a parenthesis too many
	}
	return out, nil
}

type shellParser struct {
	in string
	i  int
}

// list reads commands up to the end or a closing parenthesis.
func (p *shellParser) list(depth int) ([]Simple, error) {
	if depth > maxNesting {
		return nil, errShell
	}
	var out []Simple
	joint := ""
	for {
		c, err := p.command(depth)
		if err != nil {
			return nil, err
		}
		c.Joint = joint
		op := p.operator()
		for op == "|" {
			more, err := p.command(depth)
			if err != nil || len(c.Group) > 0 || len(more.Words) == 0 {
				return nil, errShell
			}
			c.To, c.Piped, c.Plain = more.To, true, false
			op = p.operator()
		}
		c.Background = op == "&"
		if len(c.Words) > 0 || len(c.Group) > 0 {
			out = append(out, c)
		}
		switch op {
		case "":
			return out, nil
		case "&":
			op = ";"
		}
		joint = op
	}
}

// operator reads what ends a command; "" at the end of a list.
func (p *shellParser) operator() string {
	if p.i >= len(p.in) || p.in[p.i] == ')' {
		return ""
	}
	c := p.in[p.i]
	p.i++
	switch {
	case (c == '&' || c == '|') && p.i < len(p.in) && p.in[p.i] == c:
		p.i++
		return string([]byte{c, c})
	case c == '|':
		if p.i < len(p.in) && p.in[p.i] == '&' {
			p.i++
		}
		return "|"
	case c == '&':
		return "&"
	}
	return ";"
}

func (p *shellParser) command(depth int) (Simple, error) {
	p.blanks()
	c := Simple{From: p.i, To: p.i, Plain: true}
	if p.i < len(p.in) && p.in[p.i] == '(' {
		p.i++
		group, err := p.list(depth + 1)
		if err != nil || p.i >= len(p.in) {
			return c, errShell
		}
		p.i++
		p.blanks()
		c.Group, c.To = group, p.i
		if p.i < len(p.in) && !strings.ContainsRune("&|;)\n", rune(p.in[p.i])) {
			return c, errShell // a redirected group
		}
		return c, nil
	}
	for p.i < len(p.in) {
		switch b := p.in[p.i]; {
		case b == '>' || b == '<':
			if err := p.redirection(&c); err != nil {
				return c, err
			}
		case b == '&' && p.i+1 < len(p.in) && p.in[p.i+1] == '>':
			p.i++
		case strings.IndexByte("&|;)\n\r", b) >= 0:
			return c, nil
		case b == '(':
			return c, errShell // a function, or words of another shell
		default:
			w, err := p.word()
			if err != nil {
				return c, err
			}
			if len(c.Words) == 0 && control[w.Text] && !w.quoted {
				return c, errShell
			}
			c.Words, c.To = append(c.Words, w), p.i
		}
		p.blanks()
	}
	return c, nil
}

// redirection skips one, with the number before and the file behind it.
func (p *shellParser) redirection(c *Simple) error {
	c.Plain = false
	if n := len(c.Words); n > 0 && c.To == p.i && strings.Trim(c.Words[n-1].Text, "0123456789") == "" && !c.Words[n-1].quoted {
		c.Words = c.Words[:n-1]
	}
	if strings.HasPrefix(p.in[p.i:], "<<") {
		return errShell
	}
	for p.i < len(p.in) && strings.IndexByte("<>&|", p.in[p.i]) >= 0 {
		p.i++
	}
	p.blanks()
	if _, err := p.word(); err != nil {
		return err
	}
	c.To = p.i
	return nil
}

// blanks skips spaces, continued lines and comments.
func (p *shellParser) blanks() {
	for p.i < len(p.in) {
		switch b := p.in[p.i]; {
		case b == ' ' || b == '\t':
			p.i++
		case b == '\\' && p.i+1 < len(p.in) && p.in[p.i+1] == '\n':
			p.i += 2
		case b == '#':
			if n := strings.IndexByte(p.in[p.i:], '\n'); n >= 0 {
				p.i += n
			} else {
				p.i = len(p.in)
			}
		default:
			return
		}
	}
}

func (p *shellParser) word() (Word, error) {
	w := Word{At: p.i}
	var text strings.Builder
	for p.i < len(p.in) {
		switch b := p.in[p.i]; {
		case strings.IndexByte(" \t\n\r&|;()<>", b) >= 0:
			w.Text = text.String()
			return w, nil
		case b == '\'':
			end := strings.IndexByte(p.in[p.i+1:], '\'')
			if end < 0 {
				return w, errShell
			}
			inner := p.in[p.i+1 : p.i+1+end]
			w.quoted, w.dollar = true, w.dollar || strings.Contains(inner, "$")
			text.WriteString(inner)
			p.i += end + 2
		case b == '"':
			w.quoted = true
			if err := p.double(&w, &text); err != nil {
				return w, err
			}
		default:
			if err := p.bare(&w, &text); err != nil {
				return w, err
			}
		}
	}
	w.Text = text.String()
	return w, nil
}

// double reads what stands in double quotes.
func (p *shellParser) double(w *Word, text *strings.Builder) error {
	for p.i++; p.i < len(p.in); {
		switch b := p.in[p.i]; {
		case b == '"':
			p.i++
			return nil
		case b == '\\' && p.i+1 < len(p.in) && strings.IndexByte("\"\\$`\n", p.in[p.i+1]) >= 0:
			text.WriteByte(p.in[p.i+1])
			w.dollar = w.dollar || p.in[p.i+1] == '$'
			p.i += 2
		case b == '$' || b == '`':
			if err := p.expansion(w, text); err != nil {
				return err
			}
		default:
			text.WriteByte(b)
			p.i++
		}
	}
	return errShell
}

// bare reads one character, escape or expansion outside of quotes.
func (p *shellParser) bare(w *Word, text *strings.Builder) error {
	switch b := p.in[p.i]; {
	case b == '\\' && p.i+1 < len(p.in):
		text.WriteByte(p.in[p.i+1])
		w.quoted, w.dollar = true, w.dollar || p.in[p.i+1] == '$'
		p.i += 2
		return nil
	case b == '$' || b == '`':
		return p.expansion(w, text)
	case b == '*' || b == '?' || b == '[':
		w.Glob = true
	case b == '~' && p.i == w.At:
		w.opaque = true
	}
	text.WriteByte(p.in[p.i])
	p.i++
	return nil
}

// expansion copies $NAME and ${NAME…}; what runs a command is opaque.
func (p *shellParser) expansion(w *Word, text *strings.Builder) error {
	rest := p.in[p.i:]
	n := 1
	switch {
	case rest[0] == '`':
		end := strings.IndexByte(rest[1:], '`')
		if end < 0 {
			return errShell
		}
		n, w.opaque = end+2, true
	case strings.HasPrefix(rest, "$("):
		end := closing(rest[1:])
		if end < 0 {
			return errShell
		}
		n, w.opaque = end+2, true
	case strings.HasPrefix(rest, "${"):
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return errShell
		}
		n, w.expands = end+1, true
	default:
		for n < len(rest) && (rest[n] == '_' || rest[n] >= 'a' && rest[n] <= 'z' || rest[n] >= 'A' && rest[n] <= 'Z' || rest[n] >= '0' && rest[n] <= '9') {
			n++
		}
		if n == 1 && len(rest) > 1 && strings.IndexByte("@*#?$!-", rest[1]) >= 0 {
			n = 2
		}
		w.expands = w.expands || n > 1
	}
	text.WriteString(rest[:n])
	p.i += n
	return nil
}

// closing finds the parenthesis that closes the first one; quotes in between
// are not looked at, which can only make the text longer.
func closing(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
