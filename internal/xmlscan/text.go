package xmlscan

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// tail is how much of a full buffer stays behind when text is handed out in
// parts, so that no entity and no rune is torn.
const tail = 64

// readText reads character data up to the next tag. markup says that the data
// begins with a '<' that starts no tag. False when it was white space only.
func (s *Scanner) readText(markup bool) bool {
	skip := 0
	if markup {
		skip = 1
	}
	for {
		b := s.buf[s.r:s.w]
		end := bytes.IndexByte(b[skip:], '<')
		if end < 0 && !s.full() {
			if s.fill() {
				continue
			}
			b = s.buf[s.r:s.w] // fill has moved it
		}
		switch {
		case end >= 0:
			b = b[:end+skip]
		case s.srcErr == nil:
			b = b[:cut(b)]
		}
		s.r += len(b)
		if blank(b) {
			return false
		}
		if len(s.ends) == 0 {
			s.Fail("text %.40q outside the root element, expected XML", bytes.TrimSpace(b[:min(len(b), 80)]))
			return false
		}
		if markup {
			s.salvage(1)
		}
		s.kind, s.text = Text, s.decode(b, true)
		return true
	}
}

func blank(b []byte) bool {
	for _, c := range b {
		if !isSpace(c) {
			return false
		}
	}
	return true
}

// readCDATA hands out the content of a CDATA section, a long one in parts.
func (s *Scanner) readCDATA() bool {
	end := []byte("]]>")
	for {
		b := s.buf[s.r:s.w]
		i := bytes.Index(b, end)
		if i < 0 && !s.full() {
			if !s.more("a CDATA section") {
				return false
			}
			continue
		}
		if len(s.ends) == 0 {
			s.Fail("a CDATA section outside the root element, expected XML")
			return false
		}
		if s.inCDATA = i < 0; s.inCDATA {
			b = b[:cut(b[:len(b)-len(end)])]
			s.r += len(b)
		} else {
			b = b[:i]
			s.r += i + len(end)
		}
		if len(b) == 0 {
			return false
		}
		s.kind, s.text = Text, s.decode(b, false)
		return true
	}
}

// cut gives a length up to which b can be handed out on its own.
func cut(b []byte) int {
	n := len(b)
	if i := bytes.LastIndexByte(b[max(0, n-tail):], '&'); i >= 0 {
		n = max(0, n-tail) + i
	}
	for n > 0 && n < len(b) && !utf8.RuneStart(b[n]) {
		n--
	}
	if n == len(b) {
		for i := 1; i <= min(utf8.UTFMax-1, n); i++ {
			if utf8.RuneStart(b[n-i]) {
				if !utf8.FullRune(b[n-i:]) {
					n -= i
				}
				break
			}
		}
	}
	if n == 0 {
		return len(b)
	}
	return n
}

// entity reads the reference at the start of b: its rune and length, length 0
// for one that is unknown.
func entity(b []byte) (rune, int) {
	end := bytes.IndexByte(b[:min(len(b), 12)], ';')
	if end < 2 {
		return 0, 0
	}
	name := string(b[1:end])
	switch name {
	case "amp":
		return '&', end + 1
	case "lt":
		return '<', end + 1
	case "gt":
		return '>', end + 1
	case "quot":
		return '"', end + 1
	case "apos":
		return '\'', end + 1
	}
	if name[0] != '#' {
		return 0, 0
	}
	digits, base := name[1:], 10
	if digits != "" && digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil {
		return 0, 0
	}
	if n == 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return utf8.RuneError, end + 1
	}
	return rune(n), end + 1
}

// legal reports whether XML 1.0 allows r.
func legal(r rune) bool {
	return r >= ' ' && r != utf8.RuneError || r == '\t' || r == '\n' || r == '\r'
}
