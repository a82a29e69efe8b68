package testreport

import (
	"errors"
	"fmt"
	"io"
)

// What the reports of one run may hold together, far above what runners write
// for the largest suites. docs/limits.md has them. Beyond maxText and maxHeld
// text is left out with a warning; beyond the others the reading ends.
const (
	maxCases  = 500_000
	maxLevels = 4_000_000   // sub-tests above the tests, counted for each test
	maxNames  = 256 << 20   // bytes of the names of tests, suites and files
	maxPaths  = 2_000_000   // paths at which files of the reports are looked for
	maxText   = 64 << 20    // bytes of messages and outputs
	maxHeld   = 2 * maxText // of outputs of go test whose tests have not ended
)

// ErrLimit is a report with more in it than is read.
var ErrLimit = errors.New("beyond a limit")

type kind int

const (
	ofCases kind = iota
	ofLevels
	ofNames
	ofPaths
)

var kinds = [...]string{
	ofCases: "tests", ofLevels: "levels of sub-tests", ofNames: "bytes of names", ofPaths: "paths to look for files at",
}

// room is what is left for the reports of one run. It is asked before memory
// grows; the first refusal stays and ends the reading, see [reader].
type room struct {
	most, used [len(kinds)]int
	text       int // bytes left for messages and outputs
	err        error
}

func newRoom() *room {
	return &room{most: [...]int{ofCases: maxCases, ofLevels: maxLevels, ofNames: maxNames, ofPaths: maxPaths}, text: maxText}
}

// take counts n more of a kind and reports whether there is room for them.
func (r *room) take(k kind, n int) bool {
	r.used[k] += n
	return r.fits(k, 0)
}

// fits reports whether there would be room for n more.
func (r *room) fits(k kind, n int) bool {
	if r.used[k]+n > r.most[k] && r.err == nil {
		r.err = &Error{Err: ErrLimit, Want: fmt.Sprintf("at most %d %s in the test reports of one run; run parts of the suite on their own and join them with qa merge", r.most[k], kinds[k])}
	}
	return r.err == nil
}

// reader ends when there is no room.
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
