package provision

import (
	"errors"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/process"
)

// unready is why something could not be made ready. It is [ErrProvision] without its
// words: what is shown begins with the cause.
type unready struct {
	text    string
	stopped error
	by      ByPackage
	kind    diagnosis.Kind
}

// ErrConflict says that what was to be installed contradicts itself.
var ErrConflict = errors.New("requirements contradict each other")

// ErrOutdated says that a lock file does not say what the project says.
var ErrOutdated = errors.New("the lock file is outdated")

// ByPackage is a package whose own script ended an installation, and what it said.
type ByPackage struct{ Name, Said string }

func (b ByPackage) Error() string { return "the install script of " + b.Name + " fails: " + b.Said }

func (u unready) Error() string { return u.text }
func (u unready) Is(target error) bool {
	switch target {
	case ErrConflict:
		return u.kind == diagnosis.Conflict && u.stopped == nil
	case ErrOutdated:
		return u.kind == diagnosis.Lock && u.stopped == nil
	}
	return target == ErrProvision
}
func (u unready) Unwrap() error { return u.stopped }
func (u unready) As(target any) bool {
	by, ok := target.(*ByPackage)
	if ok = ok && u.by.Name != "" && u.stopped == nil; ok {
		*by = u.by
	}
	return ok
}

// Unready diagnoses a command that was to make something ready. stopped is why it was
// ended, if somebody did. find looks for the programs that would mend it; nil where
// it would look in another place.
func Unready(what, command string, res process.Result, stopped error, find func(program string) (string, error)) error {
	var has func(string) bool
	if find != nil {
		has = func(program string) bool { _, err := find(program); return err == nil }
	}
	d := diagnosis.Of(res.ExitCode, res.Stderr, res.Stdout, has)
	d.Said = command
	ended := " failed"
	switch {
	case stopped != nil:
		ended = fmt.Sprintf(" did not end within %.0f s, when there was no more time (%v)", res.Seconds, stopped)
	case res.TimedOut:
		ended = fmt.Sprintf(" did not end within %.0f s", res.Seconds)
	case what == "":
		ended = ""
	}
	u := unready{text: strings.TrimPrefix(strings.TrimSpace(what+ended)+": "+d.String(), ": "), stopped: stopped, kind: d.Kind}
	u.by.Name, u.by.Said = diagnosis.Package(res.Stderr, res.Stdout)
	return u
}
