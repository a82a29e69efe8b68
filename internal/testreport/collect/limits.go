package collect

import (
	"errors"
	"fmt"
	"io"
)

// What the reports of one run may hold together, far above what runners write
// for the largest suites. docs/limits.md has them. Beyond maxText and maxHeld
// text is left out with a warning; beyond the others the reading ends.
const (
	MaxCases  = 500_000
	maxLevels = 4_000_000   // sub-tests above the tests, counted for each test
	maxNames  = 256 << 20   // bytes of the names of tests, suites and files
	maxPaths  = 2_000_000   // paths at which files of the reports are looked for
	MaxText   = 64 << 20    // bytes of messages and outputs
	MaxHeld   = 2 * MaxText // of outputs of go test whose tests have not ended
)

// ErrLimit is a report with more in it than is read.
var ErrLimit = errors.New("beyond a limit")

type Kind int

const (
	OfCases Kind = iota
	OfLevels
	OfNames
	OfPaths
)

var kinds = [...]string{
	OfCases: "tests", OfLevels: "levels of sub-tests", OfNames: "bytes of names", OfPaths: "paths to look for files at",
}

// Room is what is left for the reports of one run. It is asked before memory
// grows; the first refusal stays and ends the reading, see [reader].
type Room struct {
	Most, used [len(kinds)]int
	Text       int // bytes left for messages and outputs
	Err        error
}

func NewRoom() *Room {
	return &Room{Most: [...]int{OfCases: MaxCases, OfLevels: maxLevels, OfNames: maxNames, OfPaths: maxPaths}, Text: MaxText}
}

// Take counts n more of a kind and reports whether there is room for them.
func (r *Room) Take(k Kind, n int) bool {
	r.used[k] += n
	return r.Fits(k, 0)
}

// Fits reports whether there would be room for n more.
func (r *Room) Fits(k Kind, n int) bool {
	if r.used[k]+n > r.Most[k] && r.Err == nil {
		r.Err = &Error{Err: ErrLimit, Want: fmt.Sprintf("at most %d %s in the test reports of one run; run parts of the suite on their own and join them with qa merge", r.Most[k], kinds[k])}
	}
	return r.Err == nil
}

// Reader ends when there is no room.
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
