package collect

import (
	"bufio"
	"bytes"
	"io"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
)

// Document is a report that is one JSON object.
type Document struct {
	Begins func(head []byte) bool // whether it begins here
	// Member takes what the object has under a key.
	Member func(s *jsonscan.Scanner, key string)
	// Listed says whether there was what every report of the format has, Want what
	// that is.
	Listed func() bool
	Want   string
}

// Read reads a report to the end of its object; what follows is left out.
func (d Document) Read(r *bufio.Reader, c *Collector) error {
	s, err := document(r, c, d.Begins)
	if err != nil {
		return err
	}
	line := s.Line()
	s.Object(func(key []byte) { d.Member(s, string(key)) })
	switch {
	case s.Err() != nil:
		return s.Err()
	case !d.Listed():
		return &Error{Line: line, Err: ErrFormat, Want: d.Want}
	case s.Next() != jsonscan.End:
		c.Warnf("line %d: what follows the report was left out", s.Line())
	}
	return nil
}

// AddEach takes an array of tests.
func (c *Collector) AddEach(s *jsonscan.Scanner, test func(*jsonscan.Scanner) qa.Case) {
	s.Array(func() {
		if t := test(s); s.Err() == nil {
			s.Stop(c.Add(t, 0))
		}
	})
}

// document finds the JSON object of a report that a runner printed on standard
// output, where a package manager or console.log may have written before it:
// the first line that begins with "{" and one of the format's first keys. A
// file that is nothing but the object always qualifies.
func document(r *bufio.Reader, c *Collector, isStart func(head []byte) bool) (*jsonscan.Scanner, error) {
	noise := 0
	for {
		head, err := r.Peek(HeadSize)
		if isStart(head) || noise == 0 && bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte{'{'}) && !StartsLine(head, isStart) {
			break
		}
		if len(head) == 0 {
			if err != io.EOF {
				return nil, err
			}
			return nil, &Error{Line: noise + 1, Err: ErrFormat, Want: "a JSON object that begins with a key of this format"}
		}
		if _, _, err := ReadLine(r, nil); err != nil && err != io.EOF {
			return nil, err
		}
		noise++
	}
	if noise > 0 {
		c.Warnf("lines before the report, left out: %d", noise)
	}
	scan := jsonscan.New(r)
	scan.SetLine(noise + 1)
	return scan, nil
}

// StartsLine reports whether the document begins in head: at its first byte or
// at the beginning of a later line.
func StartsLine(head []byte, isStart func(head []byte) bool) bool {
	for {
		if isStart(head) {
			return true
		}
		i := bytes.Index(head, []byte("\n{"))
		if i < 0 {
			return false
		}
		head = head[i+1:]
	}
}

// BeginsWithKey reports whether head is an object whose first key is accepted.
func BeginsWithKey(head []byte, accept func(key string) bool) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if len(head) == 0 || head[0] != '{' {
		return false
	}
	head = bytes.TrimLeft(head[1:], " \t\r\n")
	if len(head) == 0 || head[0] != '"' {
		return false
	}
	key, _, ok := bytes.Cut(head[1:], []byte{'"'})
	return ok && accept(string(key))
}

// Name takes a string as a name.
func Name(s *jsonscan.Scanner) string { return CleanName(s.Text(8 * MaxName)) }

// Prose takes a string as text of at most limit bytes.
func Prose(s *jsonscan.Scanner, limit int) string { return Clean(s.Text(limit+1), limit) }

// Whole takes a number as an int of at least zero; -1 for anything else.
func Whole(s *jsonscan.Scanner) int {
	n, ok := s.Int()
	if !ok || n < 0 || n > 1e9 {
		return -1
	}
	return int(n)
}

// Seconds takes a number of milliseconds; anything else is 0.
func Seconds(s *jsonscan.Scanner) float64 {
	ms, _ := s.Float()
	return ms / 1000
}
