package jsonscan

import (
	"math"
	"strconv"
)

// Bool takes true or false.
func (s *Scanner) Bool() bool {
	if kind := s.Next(); kind != True && kind != False {
		s.other("true or false")
		return false
	}
	word := string(s.word())
	if s.strict && word != "true" && word != "false" {
		s.unexpected(quoted([]byte(word)), "true or false")
	}
	return word == "true"
}

// Float takes a number; ok is false for null and, without [Strict], for any other
// value.
func (s *Scanner) Float() (value float64, ok bool) {
	return parse(s.number())
}

// Int takes a number, cut to a whole one and to the range of int64. ok is false
// as in [Scanner.Float].
func (s *Scanner) Int() (n int64, ok bool) {
	// Digits that end inside the buffer, as nearly all do.
	i := s.pos
	for i < s.end && (s.buf[i] == ' ' || s.buf[i] == '\n') {
		i++
	}
	from := i
	for i < s.end && s.buf[i]-'0' <= 9 {
		n = n*10 + int64(s.buf[i]-'0')
		i++
	}
	if s.err == nil && i > from && i-from <= 18 && i < s.end && delimits(s.buf[i]) {
		s.pos = i
		return n, true
	}
	word := s.number()
	if n, err := strconv.ParseInt(string(word), 10, 64); err == nil {
		return n, true
	}
	f, ok := parse(word)
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64, ok
	case f <= math.MinInt64:
		return math.MinInt64, ok
	}
	return int64(f), ok
}

// Ints reads an array of numbers and calls each for every element, with what Int
// would give. It is the fast way through lists of line numbers.
func (s *Scanner) Ints(each func(n int64, ok bool)) {
	s.Array(func() {
		each(s.Int())
		for s.err == nil && s.pos < s.end && s.buf[s.pos] == ',' { // as far as the buffer goes
			i := s.pos + 1
			for i < s.end && s.buf[i] == ' ' {
				i++
			}
			from, n := i, int64(0)
			for i < s.end && s.buf[i]-'0' <= 9 {
				n = n*10 + int64(s.buf[i]-'0')
				i++
			}
			if i == from || i-from > 18 || i >= s.end || s.buf[i] != ',' && s.buf[i] != ']' {
				return
			}
			s.pos = i
			each(n, true)
		}
	})
}

// number takes a number as it is written; empty stands for any other value.
func (s *Scanner) number() []byte {
	if s.Next() != Number {
		s.other("a number")
		return nil
	}
	word := s.word()
	if s.err != nil || isNull(word) { // -Infinity
		return nil
	}
	if _, ok := parse(word); !ok {
		if s.strict {
			s.unexpected(quoted(word), "a number")
		}
		return nil
	}
	return word
}

// parse is the value of a number; what is too large for a float64 is infinite.
func parse(word []byte) (float64, bool) {
	if !isNumber(word) {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(word), 64)
	return f, err == nil || math.IsInf(f, 0)
}

// isNumber keeps out what ParseFloat takes and JSON does not.
func isNumber(word []byte) bool {
	for _, c := range word {
		if (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' {
			return false
		}
	}
	return len(word) > 0
}

func isNull(word []byte) bool {
	switch string(word) {
	case "null", "NaN", "Infinity", "-Infinity":
		return true
	}
	return false
}

// Skip takes the next value, whatever it is.
func (s *Scanner) Skip() {
	switch s.Next() {
	case String:
		s.skipString()
	case Object, Array:
		s.skipNested()
	case Number, True, False, Null:
		word := s.word()
		if s.strict && !isNumber(word) && !isNull(word) && string(word) != "true" && string(word) != "false" {
			s.unexpected(quoted(word), "a value")
		}
	default:
		s.fail("a value")
	}
}
