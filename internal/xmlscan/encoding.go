package xmlscan

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// start finds the encoding by the byte order mark or the XML declaration.
func (s *input) start() error {
	s.started = true
	s.need(2)
	head := s.buf[:s.w]
	switch {
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		s.recode(2, utf16Decoder{big: true}.decode)
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		s.recode(2, utf16Decoder{}.decode)
	case bytes.HasPrefix(head, []byte{0, '<'}):
		s.recode(0, utf16Decoder{big: true}.decode)
	case bytes.HasPrefix(head, []byte{'<', 0}):
		s.recode(0, utf16Decoder{}.decode)
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
		s.recode(s.r, latin1)
	case "windows-1252", "cp1252":
		s.recode(s.r, windows1252)
	default:
		return fmt.Errorf("line 1: encoding %.40q is not supported, expected UTF-8, UTF-16, ISO-8859-1 or windows-1252", name)
	}
	return nil
}

// recode replaces the source, from offset on, by one that is decoded to UTF-8.
func (s *input) recode(offset int, decode func(dst, src []byte, eof bool) ([]byte, int)) {
	read := bytes.Clone(s.buf[offset:s.w])
	src := s.src
	if s.srcErr == nil {
		src = io.MultiReader(bytes.NewReader(read), src)
	} else {
		src = io.MultiReader(bytes.NewReader(read), failing{s.srcErr})
	}
	s.src, s.srcErr = &recoder{src: src, decode: decode, in: make([]byte, 0, 16<<10)}, nil
	s.r, s.w, s.tok, s.counted = 0, 0, 0, 0
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// recoder turns another encoding into UTF-8.
type recoder struct {
	src    io.Reader
	decode func(dst, src []byte, eof bool) (out []byte, used int)
	in     []byte
	out    []byte // decoded, not handed out
	buf    []byte
	err    error
}

func (r *recoder) Read(p []byte) (int, error) {
	for idle := 0; len(r.out) == 0; idle++ {
		if r.err != nil {
			return 0, r.err
		}
		if idle > 100 {
			return 0, io.ErrNoProgress
		}
		n, err := r.src.Read(r.in[len(r.in):cap(r.in)])
		r.in, r.err = r.in[:len(r.in)+n], err
		var used int
		r.buf, used = r.decode(r.buf[:0], r.in, err != nil)
		r.out = r.buf
		r.in = r.in[:copy(r.in, r.in[used:])]
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

type utf16Decoder struct{ big bool }

func (d utf16Decoder) decode(dst, src []byte, eof bool) ([]byte, int) {
	unit := func(i int) rune {
		if d.big {
			return rune(src[i])<<8 | rune(src[i+1])
		}
		return rune(src[i+1])<<8 | rune(src[i])
	}
	i := 0
	for ; i+1 < len(src); i += 2 {
		c := unit(i)
		if utf16.IsSurrogate(c) {
			if i+3 >= len(src) && !eof {
				break
			}
			if i+3 < len(src) {
				if r := utf16.DecodeRune(c, unit(i+2)); r != utf8.RuneError {
					c, i = r, i+2
				}
			}
		}
		dst = utf8.AppendRune(dst, c) // a lone surrogate becomes U+FFFD
	}
	if eof && i < len(src) {
		i = len(src)
		dst = utf8.AppendRune(dst, utf8.RuneError)
	}
	return dst, i
}

func latin1(dst, src []byte, _ bool) ([]byte, int) {
	for _, c := range src {
		dst = utf8.AppendRune(dst, rune(c))
	}
	return dst, len(src)
}

// high1252 is what windows-1252 puts at 0x80 to 0x9F.
var high1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

func windows1252(dst, src []byte, _ bool) ([]byte, int) {
	for _, c := range src {
		r := rune(c)
		if c >= 0x80 && c < 0xA0 {
			r = high1252[c-0x80]
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, len(src)
}
