package coverage

import (
	"errors"
	"fmt"
	"io"
)

// What the reports of one run may hold together, far above what tools write for
// a repository of millions of lines. docs/limits.md has them.
const (
	maxFiles     = 200_000
	maxLines     = 10_000_000
	maxUnits     = 10_000_000 // branch arms and statements
	maxFunctions = 2_000_000
	maxNames     = 256 << 20 // bytes of the names of files and functions
)

// ErrLimit is a report with more in it than is read.
var ErrLimit = errors.New("beyond a limit")

type kind int

const (
	ofFiles kind = iota
	ofLines
	ofUnits
	ofFunctions
	ofNames
)

var kinds = [...]string{
	ofFiles: "files", ofLines: "executable lines", ofUnits: "branch arms and statements",
	ofFunctions: "functions", ofNames: "bytes of names",
}

// room is what is left for the reports of one run. It is asked before memory
// grows; the first refusal stays and ends the reading, see [reader].
type room struct {
	most, used [len(kinds)]int
	err        error
}

func newRoom() *room {
	return &room{most: [...]int{ofFiles: maxFiles, ofLines: maxLines, ofUnits: maxUnits, ofFunctions: maxFunctions, ofNames: maxNames}}
}

// take counts n more of a kind and reports whether there is room for them.
func (r *room) take(k kind, n int) bool {
	r.used[k] += n
	return r.fits(k, 0)
}

// fits reports whether there would be room for n more. A file that stands alone
// has all of it.
func (r *room) fits(k kind, n int) bool {
	if r == nil {
		return true
	}
	if r.used[k]+n > r.most[k] && r.err == nil {
		r.err = fmt.Errorf("%w: more than %d %s in the coverage reports of one run; measure parts of the repository in runs of their own and join them with qa merge, or leave generated files out of the measurement", ErrLimit, r.most[k], kinds[k])
	}
	return r.err == nil
}

// reader ends when there is no room: every format reads as it stores, so that
// what was refused is noticed within a buffer.
type reader struct {
	io.Reader
	room *room
}

func (r reader) Read(p []byte) (int, error) {
	if r.room.err != nil {
		return 0, r.room.err
	}
	return r.Reader.Read(p)
}
