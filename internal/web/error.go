package web

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/wording"
)

// What can be the matter with a reply, for errors.Is.
var (
	ErrTooLarge = errors.New("reply too large")
	ErrTooLate  = errors.New("reply too late")
	ErrRedirect = errors.New("redirect refused")
	ErrBroken   = errors.New("reply broken")
)

// Error is a reply that was refused.
type Error struct {
	Err   error // one of the values above
	Who   string
	Where string
	What  string
	Next  string
	cause error
}

func (e *Error) Error() string {
	text := e.Who + " at " + e.Where + ": " + e.What
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	if e.Next != "" {
		text += "; " + e.Next
	}
	return text
}

func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.cause}
}

// Final says that the same request would be refused again: not worth a retry.
func (e *Error) Final() bool { return e.Err == ErrTooLarge || e.Err == ErrRedirect }

// Refused finds the refusal in an error, nil when there is none.
func Refused(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// maxAddress is how much of an address is told; where a redirect leads is the
// other side's text.
const maxAddress = 200

// address is where a request goes, without the parts that may hold secrets.
func address(u *url.URL) string {
	text := (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
	return strconv.Quote(wording.Cut(text, maxAddress))
}

func bounds(err error) string {
	if e := new(jsonscan.BoundsError); errors.As(err, &e) {
		return e.Error()
	}
	return ""
}

func size(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}
