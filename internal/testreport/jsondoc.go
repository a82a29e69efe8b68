package testreport

import (
	"bufio"
	"bytes"
	"io"

	"github.com/org/qa-action/internal/jsonscan"
)

// document finds the JSON object of a report that a runner printed on standard
// output, where a package manager or console.log may have written before it:
// the first line that begins with "{" and one of the format's first keys. A
// file that is nothing but the object always qualifies.
func document(r *bufio.Reader, c *collector, isStart func(head []byte) bool) (*jsonscan.Scanner, error) {
	noise := 0
	for {
		head, err := r.Peek(headSize)
		if isStart(head) || noise == 0 && bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte{'{'}) && !startsLine(head, isStart) {
			break
		}
		if len(head) == 0 {
			if err != io.EOF {
				return nil, err
			}
			return nil, &Error{Line: noise + 1, Err: ErrFormat, Want: "a JSON object that begins with a key of this format"}
		}
		if _, _, err := readLine(r, nil); err != nil && err != io.EOF {
			return nil, err
		}
		noise++
	}
	if noise > 0 {
		c.warnf("lines before the report, left out: %d", noise)
	}
	scan := jsonscan.New(r)
	scan.SetLine(noise + 1)
	return scan, nil
}

// startsLine reports whether the document begins in head: at its first byte or
// at the beginning of a later line.
func startsLine(head []byte, isStart func(head []byte) bool) bool {
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

// beginsWithKey reports whether head is an object whose first key is accepted.
func beginsWithKey(head []byte, accept func(key string) bool) bool {
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

// trailing warns of what follows the object.
func trailing(scan *jsonscan.Scanner, c *collector) {
	if scan.Next() != jsonscan.End {
		c.warnf("line %d: what follows the report was left out", scan.Line())
	}
}

// name takes a string as a name.
func name(s *jsonscan.Scanner) string { return cleanName(s.Text(8 * maxName)) }

// prose takes a string as text of at most limit bytes.
func prose(s *jsonscan.Scanner, limit int) string { return clean(s.Text(limit+1), limit) }

// whole takes a number as an int of at least zero; -1 for anything else.
func whole(s *jsonscan.Scanner) int {
	n, ok := s.Int()
	if !ok || n < 0 || n > 1e9 {
		return -1
	}
	return int(n)
}

// seconds takes a number of milliseconds; anything else is 0.
func seconds(s *jsonscan.Scanner) float64 {
	ms, _ := s.Float()
	return ms / 1000
}
