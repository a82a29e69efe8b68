package jsonscan

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// fill makes sure that buf[pos] exists; false at the end of the input. Nothing
// is kept of what was read before.
func (s *Scanner) fill() bool {
	if s.pos < s.end {
		return true
	}
	if s.readErr != nil {
		return false
	}
	first := s.base == 0 && s.end == 0
	s.Line()
	s.base += int64(s.end)
	s.pos, s.end, s.counted = 0, 0, 0
	s.read()
	if first {
		mark := []byte("\xEF\xBB\xBF")
		for s.end < len(mark) && s.readErr == nil && bytes.HasPrefix(mark, s.buf[:s.end]) {
			s.read()
		}
		if bytes.HasPrefix(s.buf[:s.end], mark) {
			s.pos = len(mark)
			return s.fill()
		}
	}
	return s.pos < s.end
}

// read adds to the buffer.
func (s *Scanner) read() {
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.readErr = err
		if n > 0 || err != nil {
			return
		}
	}
	s.readErr = io.ErrNoProgress
}

// peek gives the next byte that is not white space, without taking it.
func (s *Scanner) peek() (byte, bool) {
	for s.err == nil {
		for ; s.pos < s.end; s.pos++ {
			if c := s.buf[s.pos]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
				return c, true
			}
		}
		if !s.fill() {
			break
		}
	}
	return 0, false
}

// word takes a number or literal: everything up to a delimiter. It is valid
// until the next call.
func (s *Scanner) word() []byte {
	if _, ok := s.peek(); !ok {
		s.fail("a value")
		return nil
	}
	n := s.undelimited()
	word := s.buf[s.pos : s.pos+n]
	s.pos += n
	if s.pos == s.end && s.readErr == nil { // it may go on behind the buffer
		s.text = append(s.text[:0], word...)
		for len(s.text) <= maxNumber && s.fill() {
			n := s.undelimited()
			s.text = append(s.text, s.buf[s.pos:s.pos+n]...)
			if s.pos += n; s.pos < s.end {
				break
			}
		}
		word = s.text
	}
	if len(word) > maxNumber {
		s.Fail("a number or word is longer than %d bytes", maxNumber)
		return nil
	}
	if len(word) == 0 {
		s.fail("a value")
	}
	return word
}

func (s *Scanner) undelimited() int {
	i := s.pos
	for i < s.end && !delimits(s.buf[i]) {
		i++
	}
	return i - s.pos
}

func delimits(c byte) bool {
	return c <= ' ' || c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || c == '[' || c == '{'
}

// Skip takes the next value, whatever it is.
func (s *Scanner) Skip() {
	switch s.Next() {
	case String:
		s.skipString()
	case Object, Array:
		s.skipNested()
	case Number, True, False, Null:
		word := s.word()
		if s.strict && !isNumber(word) && !isNull(word) && string(word) != "true" && string(word) != "false" {
			s.unexpected(quoted(word), "a value")
		}
	default:
		s.fail("a value")
	}
}

func (s *Scanner) skipNested() {
	depth := 0
	for s.err == nil && s.fill() {
		switch s.buf[s.pos] {
		case '"':
			s.skipString()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.pos++
		if depth == 0 {
			return
		}
	}
	s.fail("the end of the object or array")
}

// skipString takes a string without keeping it.
func (s *Scanner) skipString() {
	s.pos++
	for s.fill() {
		for ; s.pos < s.end; s.pos++ {
			switch s.buf[s.pos] {
			case '"':
				s.pos++
				return
			case '\\':
				s.pos++
				if !s.fill() {
					s.fail("an escaped character")
					return
				}
			}
		}
	}
	s.fail("the closing double quote of a string")
}

// fail describes the byte at the cursor as not being want.
func (s *Scanner) fail(want string) {
	got := ""
	if s.fill() {
		got = strconv.QuoteToASCII(string(s.buf[s.pos : s.pos+1]))
	}
	s.unexpected(got, want)
}

func (s *Scanner) unexpected(got, want string) {
	if s.err == nil && (got != "" || !s.unreadable()) {
		s.err = &Error{Line: s.Line(), Byte: s.base + int64(s.pos), Got: got, Want: want}
	}
}

// unreadable makes a failed read the error of the scan: what seems to be the end
// of the document is none.
func (s *Scanner) unreadable() bool {
	if s.pos < s.end || s.readErr == nil || s.readErr == io.EOF {
		return false
	}
	s.err = fmt.Errorf("line %d: %w", s.Line(), s.readErr)
	return true
}

// quoted is a word for a message.
func quoted(word []byte) string { return strconv.QuoteToASCII(string(word[:min(len(word), 40)])) }
