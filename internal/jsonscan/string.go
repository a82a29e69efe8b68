package jsonscan

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// str takes the string that starts at pos. A string that lies whole and
// without escapes in the buffer is returned in place; anything else is
// gathered in scratch. Keys are always copied, for they outlive their value.
func (s *Scanner) str(limit int, scratch *[]byte) ([]byte, error) {
	s.pos++
	s.cut = false
	if n := bytes.IndexByte(s.buf[s.pos:s.end], '"'); n >= 0 && bytes.IndexByte(s.buf[s.pos:s.pos+n], '\\') < 0 {
		got := s.buf[s.pos : s.pos+n]
		s.pos += n + 1
		if len(got) > limit {
			got, s.cut = got[:limit], true
		}
		if scratch == &s.key {
			s.key = append(s.key[:0], got...)
			return s.key, nil
		}
		return got, nil
	}
	out := (*scratch)[:0]
	for s.fill() {
		seg := s.buf[s.pos:s.end]
		n := bytes.IndexByte(seg, '"')
		if n < 0 {
			n = len(seg)
		}
		if e := bytes.IndexByte(seg[:n], '\\'); e >= 0 {
			n = e
		}
		out = s.add(out, seg[:n], limit)
		s.pos += n
		if n == len(seg) {
			continue
		}
		s.pos++
		if seg[n] == '"' {
			*scratch = out
			return out, nil
		}
		var err error
		if out, err = s.escape(out, limit); err != nil {
			return nil, err
		}
	}
	return nil, s.fail(`the closing double quote of a string`)
}

func (s *Scanner) add(out, more []byte, limit int) []byte {
	if room := limit - len(out); len(more) > room {
		s.cut = true
		more = more[:max(room, 0)]
	}
	return append(out, more...)
}

// escape takes what follows a backslash.
func (s *Scanner) escape(out []byte, limit int) ([]byte, error) {
	if !s.fill() {
		return nil, s.fail("an escaped character")
	}
	c := s.buf[s.pos]
	s.pos++
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
		return s.unicode(out, limit)
	}
	return s.add(out, []byte{c}, limit), nil
}

func (s *Scanner) unicode(out []byte, limit int) ([]byte, error) {
	r, err := s.hex4()
	if err != nil {
		return nil, err
	}
	for utf16.IsSurrogate(r) {
		// A lone half is kept as the replacement character; a pair is one rune.
		if !s.fill() || s.buf[s.pos] != '\\' {
			r = utf8.RuneError
			break
		}
		s.pos++
		if !s.fill() || s.buf[s.pos] != 'u' {
			out = s.add(out, []byte(string(utf8.RuneError)), limit)
			return s.escape(out, limit)
		}
		s.pos++
		low, err := s.hex4()
		if err != nil {
			return nil, err
		}
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			r = pair
			break
		}
		out = s.add(out, []byte(string(utf8.RuneError)), limit)
		r = low
	}
	return s.add(out, utf8.AppendRune(nil, r), limit), nil
}

func (s *Scanner) hex4() (rune, error) {
	var r rune
	for range 4 {
		if !s.fill() {
			return 0, s.fail(`four hexadecimal digits after \u`)
		}
		c := s.buf[s.pos]
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, s.fail(`four hexadecimal digits after \u`)
		}
		s.pos++
	}
	return r, nil
}

// skipString takes a string without keeping it.
func (s *Scanner) skipString() error {
	s.pos++
	for s.fill() {
		seg := s.buf[s.pos:s.end]
		n := bytes.IndexByte(seg, '"')
		if n < 0 {
			n = len(seg)
		}
		if e := bytes.IndexByte(seg[:n], '\\'); e >= 0 {
			s.pos += e + 1
			if s.fill() {
				s.pos++
			}
			continue
		}
		s.pos += n
		if n < len(seg) {
			s.pos++
			return nil
		}
	}
	return s.fail(`the closing double quote of a string`)
}
