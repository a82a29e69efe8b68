package jsonscan

import (
	"fmt"
	"io"
	"strconv"
)

// cursor takes what a document consists of, and holds the first error.
type cursor struct {
	input
	strict bool
	err    error
	text   []byte // scratch of what does not lie whole in the buffer
	cut    bool   // the text gathered last was longer than its limit
}

// Err is the first error.
func (s *cursor) Err() error { return s.err }

// Stop ends the scan with the caller's own error.
func (s *cursor) Stop(err error) {
	if s.err == nil {
		s.err = err
	}
}

// Fail ends the scan with an error at the cursor, as if the document were broken
// there.
func (s *cursor) Fail(format string, args ...any) {
	if s.err == nil && !s.unreadable() {
		s.err = fmt.Errorf("line %d, byte %d: %s", s.Line(), s.base+int64(s.pos), fmt.Sprintf(format, args...))
	}
}

// peek gives the next byte that is not white space, without taking it.
func (s *cursor) peek() (byte, bool) {
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
func (s *cursor) word() []byte {
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

func (s *cursor) skipNested() {
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
func (s *cursor) skipString() {
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
func (s *cursor) fail(want string) {
	got := ""
	if s.fill() {
		got = strconv.QuoteToASCII(string(s.buf[s.pos : s.pos+1]))
	}
	s.unexpected(got, want)
}

func (s *cursor) unexpected(got, want string) {
	if s.err == nil && (got != "" || !s.unreadable()) {
		s.err = &Error{Line: s.Line(), Byte: s.base + int64(s.pos), Got: got, Want: want}
	}
}

// unreadable makes a failed read the error of the scan: what seems to be the end
// of the document is none.
func (s *cursor) unreadable() bool {
	if s.pos < s.end || s.readErr == nil || s.readErr == io.EOF {
		return false
	}
	s.err = fmt.Errorf("line %d: %w", s.Line(), s.readErr)
	return true
}

// quoted is a word for a message.
func quoted(word []byte) string { return strconv.QuoteToASCII(string(word[:min(len(word), 40)])) }
