package jsonscan

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Text takes a string and returns at most limit bytes of it, unescaped; what is
// longer is read over. The bytes are valid until the next call.
func (s *Scanner) Text(limit int) []byte {
	if c, ok := s.peek(); !ok || c != '"' {
		s.other("a string")
		return nil
	}
	if got, ok := s.inPlace(); ok {
		return got[:min(len(got), limit)]
	}
	s.text = s.gather(s.text[:0], limit)
	if s.err != nil {
		return nil
	}
	return s.text
}

// readKey copies the key at the cursor: it outlives the buffer it was read from.
func (s *Scanner) readKey() {
	if c, ok := s.peek(); !ok || c != '"' {
		s.fail("a key in double quotes")
		return
	}
	if got, ok := s.inPlace(); ok {
		s.key, s.cut = append(s.key[:0], got...), false
	} else {
		s.key = s.gather(s.key[:0], maxKey)
	}
	if s.cut || len(s.key) > maxKey {
		s.Fail("a key is longer than %d bytes", maxKey)
	}
}

// inPlace takes a string that lies whole and without escapes in the buffer.
func (s *cursor) inPlace() ([]byte, bool) {
	rest := s.buf[s.pos+1 : s.end]
	for i, c := range rest {
		if c == '"' {
			s.pos += i + 2
			return rest[:i], true
		}
		if c == '\\' {
			break
		}
	}
	return nil, false
}

// gather takes any other string.
func (s *cursor) gather(out []byte, limit int) []byte {
	s.cut = false
	s.pos++
	for s.err == nil && s.fill() {
		rest := s.buf[s.pos:s.end]
		n := bytes.IndexByte(rest, '"')
		if n < 0 {
			n = len(rest)
		}
		if e := bytes.IndexByte(rest[:n], '\\'); e >= 0 {
			n = e
		}
		out = s.add(out, rest[:n], limit)
		s.pos += n
		if n == len(rest) {
			continue
		}
		s.pos++
		if rest[n] == '"' {
			return out
		}
		out = s.escape(out, limit)
	}
	s.fail(`the closing double quote of a string`)
	return out
}

func (s *cursor) add(out, more []byte, limit int) []byte {
	if room := limit - len(out); len(more) > room {
		s.cut = true
		more = more[:max(room, 0)]
	}
	return append(out, more...)
}

// escape takes what follows a backslash.
func (s *cursor) escape(out []byte, limit int) []byte {
	if !s.fill() {
		s.fail("an escaped character")
		return out
	}
	c := s.buf[s.pos]
	switch c {
	case 'n':
		c = '\n'
	case 't':
		c = '\t'
	case 'r':
		c = '\r'
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'u':
		s.pos++
		return s.unicode(out, limit)
	case '"', '\\', '/':
	default:
		if s.strict {
			s.fail(`one of "\/bfnrtu after a backslash`)
		}
	}
	s.pos++
	return s.add(out, []byte{c}, limit)
}

func (s *cursor) unicode(out []byte, limit int) []byte {
	r := s.hex4()
	for utf16.IsSurrogate(r) {
		// A lone half is kept as the replacement character; a pair is one rune.
		if !s.fill() || s.buf[s.pos] != '\\' {
			r = utf8.RuneError
			break
		}
		s.pos++
		if !s.fill() || s.buf[s.pos] != 'u' {
			return s.escape(s.add(out, []byte(string(utf8.RuneError)), limit), limit)
		}
		s.pos++
		low := s.hex4()
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			r = pair
			break
		}
		out = s.add(out, []byte(string(utf8.RuneError)), limit)
		r = low
	}
	return s.add(out, utf8.AppendRune(nil, r), limit)
}

func (s *cursor) hex4() (r rune) {
	for range 4 {
		digit := rune(-1)
		if s.fill() {
			switch c := rune(s.buf[s.pos]); {
			case '0' <= c && c <= '9':
				digit = c - '0'
			case 'a' <= c && c <= 'f':
				digit = c - 'a' + 10
			case 'A' <= c && c <= 'F':
				digit = c - 'A' + 10
			}
		}
		if digit < 0 {
			s.fail(`four hexadecimal digits after \u`)
			return utf8.RuneError
		}
		s.pos++
		r = r<<4 | digit
	}
	return r
}
