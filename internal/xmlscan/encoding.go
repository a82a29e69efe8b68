package xmlscan

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// start finds the encoding by the byte order mark or the XML declaration.
func (s *input) start() error {
	s.started = true
	s.need(2)
	switch string(s.buf[:min(s.w, 2)]) {
	case "\xFE\xFF", "\x00<":
		s.recode(unicode.UTF16(unicode.BigEndian, unicode.UseBOM))
	case "\xFF\xFE", "<\x00":
		s.recode(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM))
	default:
		if s.hasPrefix("\xEF\xBB\xBF") {
			s.r += 3
			s.counted, s.tok = s.r, s.r
		}
		return s.declaredEncoding()
	}
	return nil
}

// declaredEncoding obeys encoding="…" of the XML declaration.
func (s *input) declaredEncoding() error {
	if !s.hasPrefix("<?xml") {
		return nil
	}
	for s.w-s.r < 512 && bytes.IndexByte(s.buf[s.r:s.w], '>') < 0 && s.fill() {
	}
	decl := s.buf[s.r:s.w]
	if i := bytes.IndexByte(decl, '>'); i >= 0 {
		decl = decl[:i]
	}
	_, after, ok := strings.Cut(string(decl), "encoding")
	after = strings.TrimLeft(after, " \t\r\n=")
	if !ok || len(after) < 2 {
		return nil
	}
	name, _, _ := strings.Cut(after[1:], after[:1])
	switch strings.ToLower(name) {
	case "utf-8", "utf8", "us-ascii", "ascii", "utf-16": // UTF-16 without its mark is in fact UTF-8
	case "iso-8859-1", "latin1", "latin-1", "iso8859-1", "iso_8859-1":
		s.recode(charmap.ISO8859_1)
	case "windows-1252", "cp1252":
		s.recode(charmap.Windows1252)
	default:
		return fmt.Errorf("line 1: encoding %.40q is not supported, expected UTF-8, UTF-16, ISO-8859-1 or windows-1252", name)
	}
	return nil
}

// recode replaces the source, from what is unread on, by one that is decoded to UTF-8.
func (s *input) recode(from encoding.Encoding) {
	src := io.Reader(failing{s.srcErr})
	if s.srcErr == nil {
		src = s.src
	}
	src = io.MultiReader(bytes.NewReader(bytes.Clone(s.buf[s.r:s.w])), src)
	s.src, s.srcErr = transform.NewReader(src, from.NewDecoder()), nil
	s.r, s.w, s.tok, s.counted = 0, 0, 0, 0
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
