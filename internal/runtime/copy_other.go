//go:build !linux

package runtime

import (
	"errors"
	"os"
)

// reflink is not done here: the caller copies.
func reflink(_, _ *os.File) error { return errors.ErrUnsupported }
