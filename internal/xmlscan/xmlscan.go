// Package xmlscan reads the XML that coverage and test tools write: fast, in
// bounded memory, and forgiving where those tools are known to be wrong. Start
// at [New]; the loop is
//
//	s := xmlscan.New(r, xmlscan.Limits{})
//	for s.Next() {
//		switch s.Kind() {
//		case xmlscan.Start: // s.Name, s.Attr
//		case xmlscan.Text:  // s.Text
//		case xmlscan.End:   // s.Name
//		}
//	}
//	err := s.Err()
//
// It is not a general XML parser. Comments, processing instructions and
// DOCTYPE are passed over; no entity is ever declared or expanded beyond the
// five predefined and the numeric ones; name prefixes are dropped. Input may be
// UTF-8, UTF-16, ISO-8859-1 or windows-1252. Tolerated and counted (see
// [Scanner.Salvaged]): raw '<' and control characters, unknown entities and
// broken UTF-8. Everything else that is not well formed ends the scan with an
// error that names the line and what was expected.
package xmlscan

import (
	"bytes"
	"fmt"
	"io"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens. An empty element gives Start and End.
const (
	Start Kind = iota + 1
	End
	Text
)

// Limits bound what a hostile document can make a Scanner hold. A zero field
// takes its default.
type Limits struct {
	Depth int // nesting of elements, default 256
	Tag   int // bytes of one tag with its attributes, default 8 MiB
}

const (
	defaultDepth = 256
	defaultTag   = 8 << 20
	bufferSize   = 64 << 10
	maxName      = 1 << 10 // bytes of an element or attribute name
	maxAttrs     = 256     // attributes of one element
)

// Scanner is a pull reader of tokens. What Name, Attr and Text return is valid
// until the next call of Next.
type Scanner struct {
	reader

	kind      Kind
	name      []byte // with its prefix
	attrs     []attr
	text      []byte
	selfClose bool
	inCDATA   bool // more of a CDATA section follows
	rooted    bool // a root element was seen

	stack []byte // names of the open elements, joined
	ends  []int  // where each name ends in stack
}

type attr struct {
	name, value []byte
	plain       bool // value needs no decoding
}

// New reads from r. The encoding is found when the first token is asked for.
func New(r io.Reader, lim Limits) *Scanner {
	if lim.Depth <= 0 {
		lim.Depth = defaultDepth
	}
	if lim.Tag <= 0 {
		lim.Tag = defaultTag
	}
	return &Scanner{reader: reader{input: input{src: r, line: 1, buf: make([]byte, bufferSize)}, lim: lim}}
}

// Kind is the kind of the current token.
func (s *Scanner) Kind() Kind { return s.kind }

// Name is the name of the current Start or End token without its prefix.
func (s *Scanner) Name() []byte { return local(s.name) }

// Depth is the number of open elements; a Start counts itself, its End does not.
func (s *Scanner) Depth() int { return len(s.ends) }

// Attr is the value of an attribute of the current Start token, entities
// resolved. The name is compared without prefixes.
func (s *Scanner) Attr(name string) (value []byte, ok bool) {
	for i := range s.attrs {
		if string(local(s.attrs[i].name)) == name {
			if s.attrs[i].plain {
				return s.attrs[i].value, true
			}
			return s.decode(s.attrs[i].value, true), true
		}
	}
	return nil, false
}

// Text is the current Text token with entities resolved. Long text comes in
// several tokens; white space between tags comes in none.
func (s *Scanner) Text() []byte { return s.text }

// Skip passes over the rest of the element whose Start was just read, with its
// End.
func (s *Scanner) Skip() {
	for depth := s.Depth(); s.Next(); {
		if s.kind == End && s.Depth() < depth {
			return
		}
	}
}

// Next moves to the next token; false at the end or at an error.
func (s *Scanner) Next() bool {
	if s.err != nil {
		return false
	}
	s.decoded = s.decoded[:0]
	s.attrs = s.attrs[:0]
	if !s.started {
		if s.err = s.start(); s.err != nil {
			return false
		}
	}
	if s.selfClose {
		s.selfClose = false
		s.kind = End
		s.pop()
		return true
	}
	for {
		s.tok = s.r
		if s.r == s.w && !s.fill() {
			return s.finish()
		}
		if s.inCDATA {
			if s.readCDATA() {
				return true
			}
		} else if s.buf[s.r] != '<' {
			if s.readText(false) {
				return true
			}
		} else if s.readMarkup() {
			return true
		}
		if s.err != nil {
			return false
		}
	}
}

// finish judges the end of input.
func (s *Scanner) finish() bool {
	switch {
	case s.srcErr != io.EOF:
		s.err = fmt.Errorf("line %d: %w", s.Line(), s.srcErr)
	case len(s.ends) > 0:
		s.Fail("unexpected end of the document, expected </%s>", clip(s.top()))
	case !s.rooted:
		s.Fail("no XML element found, the document is empty")
	}
	return false
}

// readMarkup handles what begins with '<'; true when it made a token.
func (s *Scanner) readMarkup() bool {
	if !s.need(2) {
		s.finishMarkup("markup")
		return false
	}
	switch c := s.buf[s.r+1]; {
	case c == '/':
		return s.readEnd()
	case c == '?':
		return s.skipPast("<?", "?>")
	case c == '!':
		return s.readDeclaration()
	case isNameStart(c):
		return s.readStart()
	}
	return s.readText(true)
}

func (s *Scanner) top() []byte {
	n := len(s.ends)
	from := 0
	if n > 1 {
		from = s.ends[n-2]
	}
	return s.stack[from:s.ends[n-1]]
}

func (s *Scanner) pop() {
	s.name = s.top()
	s.stack = s.stack[:len(s.stack)-len(s.name)]
	s.ends = s.ends[:len(s.ends)-1]
}

// local drops the prefix of a name.
func local(name []byte) []byte {
	if i := bytes.IndexByte(name, ':'); i >= 0 {
		return name[i+1:]
	}
	return name
}

// clip shortens a name for a message.
func clip(name []byte) string {
	if len(name) > 60 {
		return fmt.Sprintf("%.60q…", name)
	}
	return string(name)
}
