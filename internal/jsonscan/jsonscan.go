// Package jsonscan walks a JSON document of any size without building it, for
// reports that run to hundreds of megabytes. Start at [New]; the shape of the
// walk is the shape of the data:
//
//	s := jsonscan.New(r)
//	s.Object(func(key []byte) {
//		switch string(key) {
//		case "line":
//			line, _ = s.Int()
//		case "names":
//			s.Array(func() { names = append(names, string(s.Text(100))) })
//		}
//	})
//	err := s.End()
//
// A value that the callback leaves alone is passed over, whatever it is. The
// first error sticks: all calls after it do nothing and give zero values.
//
// The grammar is RFC 8259, read forgivingly: raw control characters and invalid
// UTF-8 inside strings pass through for the caller to clean, NaN and Infinity,
// which some writers emit against the standard, count as null, and the inside of
// values that are passed over is only matched for brackets and quotes. [Strict]
// looks closer. Objects and arrays that are walked may nest 512 deep. One buffer
// is held, however long the document.
package jsonscan

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"
)

const (
	window    = 128 << 10 // size of the sliding buffer
	maxDepth  = 512       // of what is walked
	maxKey    = 64 << 10  // bytes of a key
	maxNumber = 512       // bytes of a number or word
)

// Kind is the type of the next value, named by its first byte.
type Kind byte

// The kinds. End stands for the end of the input.
const (
	End    Kind = 0
	Object Kind = '{'
	Array  Kind = '['
	String Kind = '"'
	Number Kind = '0'
	True   Kind = 't'
	False  Kind = 'f'
	Null   Kind = 'n'
	Other  Kind = '?' // not JSON
)

// Error says where the text stops being what was expected. It wraps
// [io.ErrUnexpectedEOF] when the input ended too early.
type Error struct {
	Line int    // from 1
	Byte int64  // offset in the input, from 0
	Got  string // what stands there, empty at the end of the input
	Want string // what was expected there
}

func (e *Error) Error() string {
	got := cmp.Or(e.Got, "end of the document")
	return fmt.Sprintf("line %d, byte %d: unexpected %s, expected %s", e.Line, e.Byte, got, e.Want)
}

func (e *Error) Unwrap() error {
	if e.Got == "" {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// Scanner is a cursor in a document. The zero value is for [Scanner.Reset].
type Scanner struct {
	cursor
	depth int
	key   []byte // copy of the current key
}

// New reads from r, which holds UTF-8 with or without byte order mark. A value
// of another type than asked for is passed over and reads as zero: writers of
// reports differ in harmless ways, and what a reader cannot do without it
// checks itself.
func New(r io.Reader) *Scanner {
	return &Scanner{cursor: cursor{input: input{r: r, buf: make([]byte, window)}}}
}

// Strict is [New] where a value of another type than asked for is an error, as
// are words and escapes that JSON does not know: for numbers that must not be
// taken for zero. null stands for the zero value still.
func Strict(r io.Reader) *Scanner {
	s := New(r)
	s.strict = true
	return s
}

// Reset starts over with data as the whole input, keeping the scratch memory;
// data is not changed and must stay as it is meanwhile.
func (s *Scanner) Reset(data []byte) {
	*s = Scanner{cursor: cursor{input: input{buf: data, end: len(data), readErr: io.EOF}, strict: s.strict, text: s.text}, key: s.key}
}

// End checks that nothing but white space is left and gives the first error.
func (s *Scanner) End() error {
	if c, ok := s.peek(); ok {
		s.unexpected(strconv.QuoteToASCII(string(rune(c))), "the end of the document")
	} else if s.err == nil {
		s.unreadable()
	}
	return s.err
}

// Next tells the kind of the next value without taking it.
func (s *Scanner) Next() Kind {
	c, ok := s.peek()
	switch {
	case !ok:
		return End
	case '0' <= c && c <= '9', c == '-':
		return Number
	case c == 'N', c == 'I': // NaN, Infinity
		return Null
	case bytes.IndexByte([]byte(`{["tfn`), c) >= 0:
		return Kind(c)
	}
	return Other
}

// Object reads an object and calls member for each of its keys, with the cursor
// on the value. The key is valid until the value is read. null is an empty
// object.
func (s *Scanner) Object(member func(key []byte)) {
	if !s.open('{', "an object") {
		return
	}
	if s.closes('}') {
		return
	}
	for s.err == nil {
		s.readKey()
		if c, ok := s.peek(); !ok || c != ':' {
			s.fail(`":" after a key`)
			return
		}
		s.pos++
		at := s.next()
		member(s.key)
		s.skipUnread(at)
		if s.closes('}') {
			return
		}
		s.comma(`"," or "}"`)
	}
}

// Array reads an array and calls element with the cursor on each of them. null
// is an empty array.
func (s *Scanner) Array(element func()) {
	if !s.open('[', "an array") {
		return
	}
	if s.closes(']') {
		return
	}
	for s.err == nil {
		at := s.next()
		element()
		s.skipUnread(at)
		if s.closes(']') {
			return
		}
		s.comma(`"," or "]"`)
	}
}

// next is the offset of the next value.
func (s *Scanner) next() int64 {
	s.peek()
	return s.base + int64(s.pos)
}

// skipUnread passes over the value at offset at if it was not read.
func (s *Scanner) skipUnread(at int64) {
	if s.err == nil && s.base+int64(s.pos) == at {
		s.Skip()
	}
}

// open steps into an object or array.
func (s *Scanner) open(bracket byte, what string) bool {
	if c, ok := s.peek(); !ok || c != bracket {
		s.other(what)
		return false
	}
	if s.depth++; s.depth > maxDepth {
		s.Fail("nested deeper than %d", maxDepth)
		return false
	}
	s.pos++
	return true
}

func (s *Scanner) closes(bracket byte) bool {
	if c, ok := s.peek(); ok && c == bracket {
		s.pos++
		s.depth--
		return true
	}
	return false
}

func (s *Scanner) comma(want string) {
	if c, ok := s.peek(); !ok || c != ',' {
		s.fail(want)
		return
	}
	s.pos++
}

// other passes over a value that is not what was asked for.
func (s *Scanner) other(want string) {
	switch kind := s.Next(); {
	case !s.strict, kind == Null:
		s.Skip()
	case kind == Number, kind == True, kind == False:
		s.unexpected(quoted(s.word()), want)
	default:
		s.fail(want)
	}
}
