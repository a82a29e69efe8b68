package collect

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/org/qa-action/internal/jsonscan"
)

// What can be wrong with a report. All of them leave the outcome of the tests
// unknown; a file that is missing is [fs.ErrNotExist].
var (
	ErrEmpty     = errors.New("report is empty")
	ErrNoTests   = errors.New("report holds no test")
	ErrFormat    = errors.New("not a readable test report")
	ErrTruncated = errors.New("report ends too early")
)

// Error says which report cannot be relied on, where and why. It wraps one of
// the sentinels of this package or [fs.ErrNotExist].
type Error struct {
	File string
	Line int    // 1-based, 0 when the whole file is meant
	Want string // what was expected there
	Got  string // what was there instead, may be empty
	Err  error
}

func (e *Error) Error() string {
	text := e.File
	if e.Line > 0 {
		text += ":" + strconv.Itoa(e.Line)
	}
	text += ": " + e.Err.Error()
	if e.Got != "" {
		text += ": found " + e.Got
	}
	if e.Want != "" {
		text += ", expected " + e.Want
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// Located turns what a format's reader returns into an [Error] of the file.
func Located(err error, file string) error {
	var own *Error
	if errors.As(err, &own) {
		own.File = file
		return own
	}
	var syntax *jsonscan.Error
	if errors.As(err, &syntax) {
		kind := ErrFormat
		if errors.Is(err, io.ErrUnexpectedEOF) {
			kind = ErrTruncated
		}
		return &Error{File: file, Line: syntax.Line, Want: syntax.Want, Got: syntax.Got, Err: kind}
	}
	return fmt.Errorf("read %s: %w", file, err)
}
