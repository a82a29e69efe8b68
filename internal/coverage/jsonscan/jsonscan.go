// Package jsonscan walks a JSON document of any size without building it, for
// coverage reports that run to hundreds of megabytes. Start at [New]; the shape
// of the walk is the shape of the data:
//
//	s := jsonscan.New(r)
//	s.Object(func(key []byte) {
//		switch string(key) {
//		case "line":
//			n, ok = s.Int()
//		case "names":
//			s.Array(func() { names = append(names, string(s.String())) })
//		}
//	})
//	err := s.End()
//
// A value that the callback leaves alone is passed over, whatever it is. The
// first error sticks: all calls after it do nothing. NaN and Infinity, which
// some writers emit against the standard, count as null. One buffer is held,
// however long the document; strings that are asked for end at 1 MiB, nesting
// at 512.
package jsonscan

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
)

const (
	bufferSize = 64 << 10
	maxString  = 1 << 20
	maxDepth   = 512
)

// Scanner is a cursor in a document.
type Scanner struct {
	src     io.Reader
	srcErr  error
	buf     []byte
	r, w    int
	base    int64 // offset of buf[0] in the input
	line    int   // line of buf[counted]
	counted int
	depth   int
	key     []byte
	decoded []byte
	err     error
}

// New reads from r, which holds UTF-8 with or without byte order mark.
func New(r io.Reader) *Scanner {
	s := &Scanner{src: r, line: 1, buf: make([]byte, bufferSize)}
	for s.w < 3 && s.fill() {
	}
	if bytes.HasPrefix(s.buf[:s.w], []byte("\xEF\xBB\xBF")) {
		s.r = 3
	}
	return s
}

// Line is the line the cursor is in, from 1.
func (s *Scanner) Line() int {
	if s.r > s.counted {
		s.line += bytes.Count(s.buf[s.counted:s.r], []byte{'\n'})
		s.counted = s.r
	}
	return s.line
}

// Err is the first error.
func (s *Scanner) Err() error { return s.err }

// Fail makes the scan end with an error at the cursor, as if the document were
// broken there.
func (s *Scanner) Fail(format string, args ...any) {
	if s.err != nil {
		return
	}
	if s.srcErr != nil && s.srcErr != io.EOF {
		s.err = fmt.Errorf("line %d: %w", s.Line(), s.srcErr)
		return
	}
	s.err = fmt.Errorf("line %d, byte %d: %s", s.Line(), s.base+int64(s.r), fmt.Sprintf(format, args...))
}

// End checks that nothing but white space is left and gives the first error.
func (s *Scanner) End() error {
	if c, ok := s.peek(); ok {
		s.Fail("unexpected %q after the end of the document", c)
	} else if s.srcErr != io.EOF {
		s.Fail("")
	}
	return s.err
}

// Object reads an object and calls each for its keys, with the cursor on the
// value. The key is valid until the value is read. null is an empty object.
func (s *Scanner) Object(each func(key []byte)) {
	if !s.open('{', "an object") {
		return
	}
	if s.closes('}') {
		return
	}
	for s.err == nil {
		s.key = append(s.key[:0], s.str()...) // the buffer may move before each sees it
		if c, ok := s.peek(); !ok || c != ':' {
			s.unexpected("':' after a key")
			return
		}
		s.r++
		at := s.cursor()
		each(s.key)
		s.skipUnread(at)
		if s.closes('}') {
			return
		}
		s.comma("',' or '}'")
	}
}

// Array reads an array and calls each with the cursor on every element. null
// is an empty array.
func (s *Scanner) Array(each func()) {
	if !s.open('[', "an array") {
		return
	}
	if s.closes(']') {
		return
	}
	for s.err == nil {
		at := s.cursor()
		each()
		s.skipUnread(at)
		if s.closes(']') {
			return
		}
		s.comma("',' or ']'")
	}
}

// cursor is the offset of the next value.
func (s *Scanner) cursor() int64 {
	s.peek()
	return s.base + int64(s.r)
}

// skipUnread passes over the value at offset at if it was not read.
func (s *Scanner) skipUnread(at int64) {
	if s.err == nil && s.base+int64(s.r) == at {
		s.skip()
	}
}

// open steps into an object or array; false for null and at an error.
func (s *Scanner) open(bracket byte, what string) bool {
	c, ok := s.peek()
	if ok && c == bracket {
		if s.depth++; s.depth > maxDepth {
			s.Fail("nested deeper than %d", maxDepth)
			return false
		}
		s.r++
		return true
	}
	if !ok || !s.null() {
		s.unexpected(what)
	}
	return false
}

func (s *Scanner) closes(bracket byte) bool {
	if c, ok := s.peek(); ok && c == bracket {
		s.r++
		s.depth--
		return true
	}
	return false
}

func (s *Scanner) comma(expected string) {
	if c, ok := s.peek(); !ok || c != ',' {
		s.unexpected(expected)
		return
	}
	s.r++
}

// String reads a string; it is valid until the next call. null is empty.
func (s *Scanner) String() []byte {
	if c, _ := s.peek(); c != '"' && s.null() {
		return nil
	}
	return s.str()
}

// Bool reads true or false; null is false.
func (s *Scanner) Bool() bool {
	word := string(s.word())
	if s.err == nil && word != "true" && word != "false" && !isNull(word) {
		s.Fail("unexpected %.40q, expected true or false", word)
	}
	return word == "true"
}

// Int reads a number, cut to a whole one and to the range of int64. ok is false
// for null, NaN and Infinity.
func (s *Scanner) Int() (n int64, ok bool) {
	// Digits that end inside the buffer, as nearly all do.
	i := s.r
	for i < s.w && (s.buf[i] == ' ' || s.buf[i] == '\n') {
		i++
	}
	from := i
	for i < s.w && s.buf[i]-'0' <= 9 {
		n = n*10 + int64(s.buf[i]-'0')
		i++
	}
	if s.err == nil && i > from && i-from <= 18 && i < s.w && delimits(s.buf[i]) {
		s.r = i
		return n, true
	}
	word := s.word()
	if s.err != nil {
		return 0, false
	}
	if n, ok := digits(word); ok {
		return n, true
	}
	if isNull(string(word)) {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(word), 64)
	switch {
	case math.IsInf(f, 1), f >= math.MaxInt64:
		return math.MaxInt64, true
	case math.IsInf(f, -1), f <= math.MinInt64:
		return math.MinInt64, true
	case err != nil || !isNumber(word):
		s.Fail("unexpected %.40q, expected a number", word)
		return 0, false
	}
	return int64(f), true
}

// Ints reads an array of numbers and calls each for every element, with what Int
// would give. It is the fast way through lists of line numbers.
func (s *Scanner) Ints(each func(n int64, ok bool)) {
	s.Array(func() {
		each(s.Int())
		for s.err == nil && s.r < s.w && s.buf[s.r] == ',' { // as far as the buffer goes
			i := s.r + 1
			for i < s.w && s.buf[i] == ' ' {
				i++
			}
			from, n := i, int64(0)
			for i < s.w && s.buf[i]-'0' <= 9 {
				n = n*10 + int64(s.buf[i]-'0')
				i++
			}
			if i == from || i-from > 18 || i >= s.w || s.buf[i] != ',' && s.buf[i] != ']' {
				return
			}
			s.r = i
			each(n, true)
		}
	})
}

// digits is the fast path of Int.
func digits(word []byte) (n int64, ok bool) {
	if len(word) == 0 || len(word) > 18 {
		return 0, false
	}
	for _, c := range word {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// isNumber keeps out what ParseFloat takes and JSON does not.
func isNumber(word []byte) bool {
	for _, c := range word {
		if (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' {
			return false
		}
	}
	return true
}

func isNull(word string) bool {
	return word == "null" || word == "NaN" || word == "Infinity" || word == "-Infinity"
}

// null reads null or what stands for it, or leaves the cursor where it is.
func (s *Scanner) null() bool {
	if c, ok := s.peek(); !ok || c != 'n' && c != 'N' && c != 'I' {
		return false
	}
	word := string(s.word())
	if s.err == nil && !isNull(word) {
		s.Fail("unexpected %.40q, expected a value", word)
	}
	return true
}

// skip passes over any value.
func (s *Scanner) skip() {
	switch c, ok := s.peek(); {
	case !ok:
		s.unexpected("a value")
	case c == '{':
		s.Object(func([]byte) {})
	case c == '[':
		s.Array(func() {})
	case c == '"':
		s.skipString()
	default:
		word := s.word()
		if _, ok := digits(word); s.err == nil && !ok && !isNull(string(word)) &&
			string(word) != "true" && string(word) != "false" && !isNumber(word) {
			s.Fail("unexpected %.40q, expected a value", word)
		}
	}
}

func (s *Scanner) unexpected(expected string) {
	if c, ok := s.peek(); ok {
		s.Fail("unexpected %q, expected %s", c, expected)
		return
	}
	s.Fail("unexpected end of the document, expected %s", expected)
}
