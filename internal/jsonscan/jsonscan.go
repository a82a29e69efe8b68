// Package jsonscan pulls values out of a JSON stream without building a tree,
// so that memory is bounded by what the caller keeps and not by the file.
//
// Start at [New], then walk with [Scanner.Object] and [Scanner.Array], which
// call back once per member; every callback takes exactly one value with
// [Scanner.Text], [Scanner.Float], [Scanner.Bool], [Scanner.Skip] or a nested
// walk. A value of another type than asked for is skipped and reads as zero:
// reports of many writers differ in harmless ways, and what a reader cannot do
// without it checks itself.
//
// The grammar is RFC 8259, read forgivingly: raw control characters and
// invalid UTF-8 inside strings pass through for the caller to clean, and the
// inside of skipped values is only matched for brackets and quotes.
package jsonscan

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// window is the size of the sliding buffer.
const window = 128 << 10

// maxNumber is the length from which a number is taken for garbage.
const maxNumber = 4 << 10

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

// Error says where the text stops being JSON. It wraps [io.ErrUnexpectedEOF]
// when the input ended too early.
type Error struct {
	Line int    // 1-based
	Want string // what was expected there
	Err  error  // the cause, nil for a wrong character
	Got  string
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("line %d: %v, expected %s", e.Line, e.Err, e.Want)
	}
	return fmt.Sprintf("line %d: found %s, expected %s", e.Line, e.Got, e.Want)
}

func (e *Error) Unwrap() error { return e.Err }

// Scanner reads one stream. The zero value is not usable; see [New].
type Scanner struct {
	r        io.Reader
	buf      []byte
	pos, end int
	lines    int // line feeds before buf[0]
	readErr  error
	key      []byte // copy of the current key
	text     []byte // scratch of strings that do not lie whole in the buffer
	cut      bool
}

// New makes a scanner over r.
func New(r io.Reader) *Scanner {
	return &Scanner{r: r, buf: make([]byte, window)}
}

// Reset starts over with data as the whole input, keeping the scratch memory;
// data is not changed and must stay as it is meanwhile.
func (s *Scanner) Reset(data []byte) {
	s.r, s.buf, s.pos, s.end, s.lines, s.readErr = nil, data, 0, len(data), 0, io.EOF
}

// SetLine says on which line of a larger text the input begins.
func (s *Scanner) SetLine(line int) { s.lines = line - 1 }

// Line is the 1-based line of the next byte.
func (s *Scanner) Line() int { return s.lines + bytes.Count(s.buf[:s.pos], []byte{'\n'}) + 1 }

// Next tells the kind of the next value without taking it.
func (s *Scanner) Next() Kind {
	switch c := s.peek(); {
	case c == '-' || '0' <= c && c <= '9':
		return Number
	case c == 0 && s.pos == s.end:
		return End
	case bytes.IndexByte([]byte(`{["tfn`), c) >= 0:
		return Kind(c)
	}
	return Other
}

// Object calls member for each key of the object that comes next. The key is
// valid until the next object is walked; member must take the value.
func (s *Scanner) Object(member func(key []byte) error) error {
	if s.Next() != Object {
		return s.Skip()
	}
	s.pos++
	if s.peek() == '}' {
		s.pos++
		return nil
	}
	for {
		if s.peek() != '"' {
			return s.fail(`a key in double quotes or "}"`)
		}
		key, err := s.str(1<<10, &s.key)
		if err != nil {
			return err
		}
		if s.peek() != ':' {
			return s.fail(`":" after a key`)
		}
		s.pos++
		if err := member(key); err != nil {
			return err
		}
		switch s.peek() {
		case ',':
			s.pos++
			s.peek()
		case '}':
			s.pos++
			return nil
		default:
			return s.fail(`"," or "}"`)
		}
	}
}

// Array calls element before each element of the array that comes next;
// element must take the value.
func (s *Scanner) Array(element func() error) error {
	if s.Next() != Array {
		return s.Skip()
	}
	s.pos++
	if s.peek() == ']' {
		s.pos++
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		switch s.peek() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			return nil
		default:
			return s.fail(`"," or "]"`)
		}
	}
}

// Text takes a string and returns at most limit bytes of it, unescaped; what
// is longer is read over and [Scanner.Cut] says so. The bytes are valid until
// the next call. Any other value reads as empty.
func (s *Scanner) Text(limit int) ([]byte, error) {
	if s.Next() != String {
		return nil, s.Skip()
	}
	return s.str(limit, &s.text)
}

// Cut reports whether the last string was longer than its limit.
func (s *Scanner) Cut() bool { return s.cut }

// Float takes a number; ok is false for any other value.
func (s *Scanner) Float() (value float64, ok bool, err error) {
	if s.Next() != Number {
		return 0, false, s.Skip()
	}
	s.text = s.text[:0]
	for s.fill() {
		c := s.buf[s.pos]
		if (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' {
			break
		}
		if len(s.text) < maxNumber {
			s.text = append(s.text, c)
		}
		s.pos++
	}
	if len(s.text) == maxNumber {
		return 0, false, nil
	}
	value, err = strconv.ParseFloat(string(s.text), 64)
	return value, err == nil, nil
}

// Bool takes true or false; any other value reads as false.
func (s *Scanner) Bool() (bool, error) {
	kind := s.Next()
	return kind == True, s.Skip()
}

// Skip takes the next value, whatever it is.
func (s *Scanner) Skip() error {
	switch s.Next() {
	case String:
		return s.skipString()
	case Object, Array:
		return s.skipNested()
	case Number, True, False, Null:
		for s.fill() {
			switch s.buf[s.pos] {
			case ',', '}', ']', ' ', '\n', '\r', '\t':
				return nil
			}
			s.pos++
		}
		return s.ioErr()
	}
	return s.fail("a JSON value")
}

func (s *Scanner) skipNested() error {
	depth := 0
	for s.fill() {
		switch s.buf[s.pos] {
		case '"':
			if err := s.skipString(); err != nil {
				return err
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.pos++
		if depth == 0 {
			return nil
		}
	}
	return s.fail("the end of the object or array")
}

// peek skips white space and returns the next byte, 0 at the end.
func (s *Scanner) peek() byte {
	for {
		for s.pos < s.end {
			switch c := s.buf[s.pos]; c {
			case ' ', '\n', '\r', '\t':
				s.pos++
			default:
				return c
			}
		}
		if !s.fill() {
			return 0
		}
	}
}

// fill makes sure that buf[pos] exists.
func (s *Scanner) fill() bool {
	for s.pos == s.end {
		if s.readErr != nil {
			return false
		}
		s.lines += bytes.Count(s.buf[:s.end], []byte{'\n'})
		s.pos = 0
		s.end, s.readErr = s.r.Read(s.buf)
	}
	return true
}

func (s *Scanner) ioErr() error {
	if s.readErr != nil && s.readErr != io.EOF {
		return fmt.Errorf("line %d: %w", s.Line(), s.readErr)
	}
	return nil
}

// fail describes the byte at pos as not being want.
func (s *Scanner) fail(want string) error {
	if s.fill() {
		return &Error{Line: s.Line(), Want: want, Got: strconv.QuoteToASCII(string(s.buf[s.pos : s.pos+1]))}
	}
	if err := s.ioErr(); err != nil {
		return err
	}
	return &Error{Line: s.Line(), Want: want, Err: io.ErrUnexpectedEOF}
}
