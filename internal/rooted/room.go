package rooted

import (
	"errors"
	"syscall"
)

// NoRoom reports whether something could not be written because the disk, or our
// share of it, is full.
func NoRoom(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
