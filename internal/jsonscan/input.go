package jsonscan

import (
	"bytes"
	"io"
)

// input is the buffer that slides over the document.
type input struct {
	r        io.Reader
	buf      []byte
	pos, end int
	base     int64 // offset of buf[0] in the input
	lines    int   // line feeds before buf[counted]
	counted  int
	readErr  error
}

// fill makes sure that buf[pos] exists; false at the end of the input. Nothing
// is kept of what was read before.
func (s *input) fill() bool {
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
func (s *input) read() {
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

func (s *input) undelimited() int {
	i := s.pos
	for i < s.end && !delimits(s.buf[i]) {
		i++
	}
	return i - s.pos
}

func delimits(c byte) bool {
	return c <= ' ' || c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || c == '[' || c == '{'
}

// SetLine says on which line of a larger text the input begins; it is called
// before anything is read.
func (s *input) SetLine(line int) { s.lines = line - 1 }

// Line is the line the cursor is in, from 1.
func (s *input) Line() int {
	if s.pos > s.counted {
		s.lines += bytes.Count(s.buf[s.counted:s.pos], []byte{'\n'})
		s.counted = s.pos
	}
	return s.lines + 1
}
