package engine

import (
	"errors"
	"fmt"

	"github.com/org/qa-action/internal/wording"
)

// UnreadError is that of an engine which said nothing of some files, because their
// structure is beyond what a reader takes on: silence about them is no answer.
type UnreadError struct {
	Files []*File
	why   error
}

func (e *UnreadError) Error() string {
	text := fmt.Sprintf("the structure of %s could not be read: %v", wording.Count(len(e.Files), "file"), e.why)
	return text + "; nothing is known of what it looks for there"
}

// Unread is an [UnreadError] where the structure of some of the files, which an engine
// asked for, was not read.
func Unread(files []*File) error {
	var unread UnreadError
	for _, f := range files {
		var beyond interface{ Unread() bool }
		if f.outline == nil {
			continue
		}
		if _, err := f.outline(); errors.As(err, &beyond) {
			unread.Files = append(unread.Files, f)
			unread.why = err
		}
	}
	if len(unread.Files) == 0 {
		return nil
	}
	return &unread
}
