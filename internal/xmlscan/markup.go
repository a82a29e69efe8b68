package xmlscan

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// Byte classes of the two inner loops.
const (
	inName  = 1 << iota // may stand inside a name
	special             // inside a value: needs a closer look
)

var class = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c <= ' ' || c == '/' || c == '>' || c == '=' || c == '"' || c == '\'' || c == '<' || c == 0x7f:
		default:
			t[c] |= inName
		}
		switch {
		case c < ' ' && c != '\t' && c != '\n', c >= 0x7f, c == '<', c == '&', c == '"', c == '\'':
			t[c] |= special
		}
	}
	return t
}()

func isNameStart(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == ':' || c >= 0x80
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// readStart reads a start tag. The tag is parsed out of the buffer in one go;
// when the buffer ends first, more is read and the parse begins again.
func (s *Scanner) readStart() bool {
	for {
		salvaged, at := s.salvaged, s.salvageAt
		n := s.parseStart(s.buf[s.r:s.w])
		if s.err != nil {
			return false
		}
		if n > 0 {
			s.r += n
			return s.push()
		}
		s.salvaged, s.salvageAt = salvaged, at
		if !s.more("a tag") {
			return false
		}
	}
}

// push opens the element in s.name.
func (s *Scanner) push() bool {
	switch {
	case len(s.ends) == 0 && s.rooted:
		s.Fail("a second root element <%s>, expected the end of the document", clip(s.name))
		return false
	case len(s.ends) >= s.lim.Depth:
		s.Fail("elements are nested deeper than %d", s.lim.Depth)
		return false
	}
	s.rooted = true
	s.stack = append(s.stack, s.name...)
	s.ends = append(s.ends, len(s.stack))
	s.kind = Start
	return true
}

// parseStart parses b, which begins with '<', and gives the length of the tag;
// 0 when b ends first.
func (s *Scanner) parseStart(b []byte) int {
	s.attrs = s.attrs[:0]
	i := 1
	for i < len(b) && class[b[i]]&inName != 0 {
		i++
	}
	if i > maxName {
		s.Fail("an element name is longer than %d bytes", maxName)
		return 0
	}
	s.name = b[1:i]
	for {
		for i < len(b) && isSpace(b[i]) {
			i++
		}
		if i >= len(b) {
			return 0
		}
		switch b[i] {
		case '>':
			s.selfClose = false
			return i + 1
		case '/':
			if i+1 >= len(b) {
				return 0
			}
			if b[i+1] != '>' {
				s.Fail("unexpected '/' in <%s>, expected \"/>\"", clip(s.name))
				return 0
			}
			s.selfClose = true
			return i + 2
		}
		if i = s.parseAttr(b, i); i == 0 {
			return 0
		}
	}
}

// parseAttr parses one attribute at b[i:] and gives where it ends; 0 when b
// ends first or at an error.
func (s *Scanner) parseAttr(b []byte, i int) int {
	from := i
	for i < len(b) && class[b[i]]&inName != 0 {
		i++
	}
	name := b[from:i]
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	if i >= len(b) {
		return 0
	}
	if len(name) == 0 || len(name) > maxName || b[i] != '=' {
		s.Fail("malformed attribute near %.40q in <%s>, expected name=\"value\"", b[from:min(len(b), from+40)], clip(s.name))
		return 0
	}
	for i++; i < len(b) && isSpace(b[i]); i++ {
	}
	if i >= len(b) {
		return 0
	}
	quote := b[i]
	if quote != '"' && quote != '\'' {
		s.Fail("attribute %s of <%s> has no quoted value", clip(name), clip(s.name))
		return 0
	}
	i++
	plain := true
	for from = i; ; i++ {
		for i < len(b) && class[b[i]]&special == 0 {
			i++
		}
		if i >= len(b) {
			return 0
		}
		c := b[i]
		if c == quote {
			break
		}
		if c == '"' || c == '\'' {
			continue
		}
		if c == '&' || c == '\r' || c >= utf8.RuneSelf {
			plain = false
		} else {
			s.salvage(1) // a raw '<' or a control character
		}
	}
	if len(s.attrs) >= maxAttrs {
		s.Fail("<%s> has more than %d attributes", clip(s.name), maxAttrs)
		return 0
	}
	s.attrs = append(s.attrs, attr{name, b[from:i], plain})
	return i + 1
}

// readEnd reads an end tag.
func (s *Scanner) readEnd() bool {
	for {
		b := s.buf[s.r:s.w]
		i := bytes.IndexByte(b, '>')
		if i < 0 {
			if len(b) > maxName+2 {
				s.Fail("an end tag is longer than %d bytes", maxName)
				return false
			}
			if !s.more("an end tag") {
				return false
			}
			continue
		}
		name := bytes.TrimRight(b[2:i], " \t\r\n")
		switch {
		case len(s.ends) == 0:
			s.Fail("unexpected </%s>, no element is open", clip(name))
			return false
		case !bytes.Equal(name, s.top()):
			s.Fail("unexpected </%s>, expected </%s>", clip(name), clip(s.top()))
			return false
		}
		s.r += i + 1
		s.kind = End
		s.pop()
		return true
	}
}

// readDeclaration handles "<!": a comment, CDATA or DOCTYPE.
func (s *Scanner) readDeclaration() bool {
	switch {
	case s.hasPrefix("<!--"):
		return s.skipPast("<!--", "-->")
	case s.hasPrefix("<![CDATA["):
		s.r += len("<![CDATA[")
		return s.readCDATA()
	}
	return s.skipDoctype()
}

// skipPast passes over what begins with open and ends with end, however long.
func (s *Scanner) skipPast(open, end string) bool {
	s.Line() // the buffer will move: fix the line of the token first
	line := s.line
	s.r += len(open)
	for {
		if i := bytes.Index(s.buf[s.r:s.w], []byte(end)); i >= 0 {
			s.r += i + len(end)
			return false
		}
		s.r = max(s.r, s.w-len(end)+1)
		if !s.fill() {
			if s.srcErr == io.EOF && s.err == nil {
				s.failAt(line, "unexpected end of the document, expected %q", end)
			} else {
				s.finishMarkup("markup")
			}
			return false
		}
	}
}

// skipDoctype passes over a declaration with its internal subset; nothing in it
// is taken up, so no entity can expand.
func (s *Scanner) skipDoctype() bool {
	s.Line()
	line := s.line
	depth, brackets, quote := 0, 0, byte(0)
	for {
		for ; s.r < s.w; s.r++ {
			switch c := s.buf[s.r]; {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' || c == '\'':
				quote = c
			case c == '[':
				brackets++
			case c == ']':
				brackets--
			case c == '<':
				depth++
			case c == '>':
				if depth--; depth <= 0 && brackets <= 0 {
					s.r++
					return false
				}
			}
		}
		if !s.fill() {
			s.failAt(line, "unexpected end of the document, expected the end of <!DOCTYPE")
			return false
		}
	}
}
