package jsonscan

import (
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// fill moves the unread bytes to the front and at least doubles them; false at
// the end of input.
func (s *Scanner) fill() bool {
	if s.srcErr != nil {
		return false
	}
	if s.r > 0 {
		s.Line()
		s.base += int64(s.r)
		s.counted -= s.r
		s.w = copy(s.buf, s.buf[s.r:s.w])
		s.r = 0
	}
	if s.w > len(s.buf)/2 {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	before := s.w
	for idle := 0; s.w < before+max(before, 1) && s.srcErr == nil; {
		n, err := s.src.Read(s.buf[s.w:])
		s.w += n
		s.srcErr = err
		if n > 0 {
			idle = 0
		} else if idle++; err == nil && idle > 100 {
			s.srcErr = io.ErrNoProgress
		}
	}
	return s.w > before
}

// peek gives the next byte that is not white space, without reading it.
func (s *Scanner) peek() (byte, bool) {
	for s.err == nil {
		for ; s.r < s.w; s.r++ {
			if c := s.buf[s.r]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
				return c, true
			}
		}
		if !s.fill() {
			break
		}
	}
	return 0, false
}

// word reads a number or literal: everything up to a delimiter.
func (s *Scanner) word() []byte {
	if _, ok := s.peek(); !ok {
		s.unexpected("a value")
		return nil
	}
	for n := 0; ; {
		for s.r+n < s.w && !delimits(s.buf[s.r+n]) {
			n++
		}
		if n > 512 {
			s.Fail("a number or word is longer than 512 bytes")
			return nil
		}
		if s.r+n < s.w || !s.fill() {
			word := s.buf[s.r : s.r+n]
			if n == 0 {
				s.unexpected("a value")
			}
			s.r += n
			return word
		}
	}
}

func delimits(c byte) bool {
	return c <= ' ' || c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || c == '[' || c == '{'
}

// str reads a string.
func (s *Scanner) str() []byte {
	if c, ok := s.peek(); !ok || c != '"' {
		s.unexpected("a string")
		return nil
	}
	escaped := false
	for i := 1; ; {
		b := s.buf[s.r:s.w]
		for i < len(b) && b[i] != '"' && b[i] != '\\' {
			i++
		}
		switch {
		case i < len(b) && b[i] == '"':
			s.r += i + 1
			if escaped {
				return s.unescape(b[1:i])
			}
			return b[1:i]
		case i+1 < len(b):
			escaped = true
			i += 2
			continue
		}
		if i > maxString {
			s.Fail("a string is longer than %d bytes", maxString)
			return nil
		}
		if !s.fill() {
			s.Fail("unexpected end of the document inside a string")
			return nil
		}
	}
}

// skipString passes over a string of any length.
func (s *Scanner) skipString() {
	s.r++
	for {
		for s.r < s.w {
			switch s.buf[s.r] {
			case '"':
				s.r++
				return
			case '\\':
				if s.r+1 >= s.w && !s.fill() {
					s.Fail("unexpected end of the document inside a string")
					return
				}
				s.r++
			}
			s.r++
		}
		if !s.fill() {
			s.Fail("unexpected end of the document inside a string")
			return
		}
	}
}

// unescape resolves the escapes of b.
func (s *Scanner) unescape(b []byte) []byte {
	out := s.decoded[:0]
	for i := 0; i < len(b); i++ {
		c := b[i]
		if c != '\\' {
			out = append(out, c)
			continue
		}
		i++ // str has made sure of a byte after the backslash
		switch b[i] {
		case '"', '\\', '/':
			out = append(out, b[i])
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, ok := hex4(b[i+1:])
			if !ok {
				s.Fail("malformed escape \\u in a string, expected four hexadecimal digits")
				return nil
			}
			i += 4
			if utf16.IsSurrogate(r) {
				low, ok := rune(0), false
				if len(b) > i+2 && b[i+1] == '\\' && b[i+2] == 'u' {
					low, ok = hex4(b[i+3:])
				}
				if full := utf16.DecodeRune(r, low); ok && full != utf8.RuneError {
					r = full
					i += 6
				}
			}
			out = utf8.AppendRune(out, r)
		default:
			s.Fail("unknown escape \\%c in a string", b[i])
			return nil
		}
	}
	s.decoded = out
	return out
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[:4]), 16, 16)
	return rune(n), err == nil
}
