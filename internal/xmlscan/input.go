package xmlscan

import (
	"bytes"
	"io"
)

// input is the buffer that slides over the document.
type input struct {
	src     io.Reader
	srcErr  error
	started bool // the encoding is known
	buf     []byte
	r, w    int // buf[r:w] is read but not consumed
	tok     int // where the current token starts
	line    int // line of buf[counted]
	counted int
}

// Line is the 1-based line where the current token starts.
func (s *input) Line() int {
	if s.tok > s.counted {
		s.line += bytes.Count(s.buf[s.counted:s.tok], []byte{'\n'})
		s.counted = s.tok
	}
	return s.line
}

// full reports that the buffer holds as much as one token of text may.
func (s *input) full() bool { return s.w-s.r >= bufferSize }

// need makes sure that n bytes are unread, if the input has them.
func (s *input) need(n int) bool {
	for s.w-s.r < n {
		if !s.fill() {
			return false
		}
	}
	return true
}

func (s *input) hasPrefix(prefix string) bool {
	s.need(len(prefix))
	return bytes.HasPrefix(s.buf[s.r:s.w], []byte(prefix))
}

// fill moves the unread bytes to the front and at least doubles them, so that
// parsing a token again costs no more than the token. False at the end.
func (s *input) fill() bool {
	if s.srcErr != nil {
		return false
	}
	if s.r > 0 {
		if s.r > s.counted {
			s.line += bytes.Count(s.buf[s.counted:s.r], []byte{'\n'})
			s.counted = s.r
		}
		s.counted -= s.r
		s.tok = max(0, s.tok-s.r)
		s.w = copy(s.buf, s.buf[s.r:s.w])
		s.r = 0
	}
	if s.w > len(s.buf)/2 {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	want := s.w + max(s.w, 1)
	before := s.w
	for idle := 0; s.w < want && s.srcErr == nil; {
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
