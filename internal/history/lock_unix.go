//go:build unix

package history

import (
	"os"
	"syscall"
)

// lock waits for a file's lock, which is free again when the file is closed.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }
