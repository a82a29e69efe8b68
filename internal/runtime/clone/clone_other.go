//go:build !linux

package clone

import (
	"errors"
	"os"
)

// reflink is not done here: the caller copies.
func reflink(_, _ *os.File) error { return errors.ErrUnsupported }
