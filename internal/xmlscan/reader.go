package xmlscan

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// reader tells where a document is broken, and how much was read in spite of that.
type reader struct {
	input
	lim       Limits
	decoded   []byte
	salvaged  int
	salvageAt int
	err       error
}

// Err is what ended the scan; nil after a whole document.
func (s *reader) Err() error { return s.err }

// Salvaged is the number of ill-formed spots read in spite of the standard, and
// the line of the first. Spots inside text and values count once looked at.
func (s *reader) Salvaged() (spots, firstLine int) { return s.salvaged, s.salvageAt }

// Fail ends the scan with an error at the current token, unless one ended it before.
func (s *reader) Fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("line %d: %s", s.Line(), fmt.Sprintf(format, args...))
	}
}

func (s *reader) failAt(line int, format string, args ...any) {
	s.tok, s.counted, s.line = s.r, s.r, line
	s.Fail(format, args...)
}

// finishMarkup reports input that ends inside what.
func (s *reader) finishMarkup(what string) {
	if s.err == nil && s.srcErr != nil && s.srcErr != io.EOF {
		s.err = fmt.Errorf("line %d: %w", s.Line(), s.srcErr)
		return
	}
	s.Fail("unexpected end of the document inside %s", what)
}

func (s *reader) salvage(spots int) {
	if s.salvaged == 0 && spots > 0 {
		s.salvageAt = s.Line()
	}
	s.salvaged += spots
}

// more reads on because the token at s.r is not complete; false when it is too
// long or the input ends, which is then the error.
func (s *reader) more(what string) bool {
	if s.w-s.r > s.lim.Tag {
		s.Fail("%s is longer than %d bytes, is a quote or an end mark missing?", what, s.lim.Tag)
		return false
	}
	if !s.fill() {
		s.finishMarkup(what)
		return false
	}
	return true
}

// decode resolves entities where asked to, turns CR LF into LF and replaces
// broken UTF-8. What needs none of it comes back as it is.
func (s *reader) decode(b []byte, entities bool) []byte {
	if (!entities || bytes.IndexByte(b, '&') < 0) && bytes.IndexByte(b, '\r') < 0 && utf8.Valid(b) {
		return b
	}
	from := len(s.decoded)
	out := s.decoded
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '&' && entities:
			r, n := entity(b[i:])
			if n == 0 {
				s.salvage(1)
				out, i = append(out, c), i+1
				continue
			}
			if !legal(r) {
				s.salvage(1)
			}
			out, i = utf8.AppendRune(out, r), i+n
		case c == '\r':
			out, i = append(out, '\n'), i+1
			if i < len(b) && b[i] == '\n' {
				i++
			}
		case c < utf8.RuneSelf:
			out, i = append(out, c), i+1
		default:
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				s.salvage(1)
			}
			out, i = utf8.AppendRune(out, r), i+n
		}
	}
	s.decoded = out
	return out[from:]
}
