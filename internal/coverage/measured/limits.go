package measured

import (
	"errors"
	"fmt"
	"io"
)

// What the reports of one run may hold together, far above what tools write for
// a repository of millions of lines. docs/limits.md has them.
const (
	MaxFiles     = 200_000
	maxLines     = 10_000_000
	maxUnits     = 10_000_000 // branch arms and statements
	maxFunctions = 2_000_000
	maxNames     = 256 << 20 // bytes of the names of files and functions
)

// ErrLimit is a report with more in it than is read.
var ErrLimit = errors.New("beyond a limit")

type kind int

const (
	OfFiles kind = iota
	OfLines
	OfUnits
	OfFunctions
	OfNames
)

var kinds = [...]string{
	OfFiles: "files", OfLines: "executable lines", OfUnits: "branch arms and statements",
	OfFunctions: "functions", OfNames: "bytes of names",
}

// Room is what is left for the reports of one run. It is asked before memory
// grows; the first refusal stays and ends the reading, see [reader].
type Room struct {
	Most, used [len(kinds)]int
	Err        error
}

func NewRoom() *Room {
	return &Room{Most: [...]int{OfFiles: MaxFiles, OfLines: maxLines, OfUnits: maxUnits, OfFunctions: maxFunctions, OfNames: maxNames}}
}

// Take counts n more of a kind and reports whether there is room for them.
func (r *Room) Take(k kind, n int) bool {
	r.used[k] += n
	return r.Fits(k, 0)
}

// Fits reports whether there would be room for n more. A file that stands alone
// has all of it.
func (r *Room) Fits(k kind, n int) bool {
	if r == nil {
		return true
	}
	if r.used[k]+n > r.Most[k] && r.Err == nil {
		r.Err = fmt.Errorf("%w: more than %d %s in the coverage reports of one run; measure parts of the repository in runs of their own and join them with qa merge, or leave generated files out of the measurement", ErrLimit, r.Most[k], kinds[k])
	}
	return r.Err == nil
}

// Reader ends when there is no room: every format reads as it stores, so that
// what was refused is noticed within a buffer.
type Reader struct {
	io.Reader
	Room *Room
}

func (r Reader) Read(p []byte) (int, error) {
	if r.Room.Err != nil {
		return 0, r.Room.Err
	}
	return r.Reader.Read(p)
}
