//go:build unix

package session

import (
	"os"
	"syscall"
)

const errLocked = syscall.EWOULDBLOCK

// lock takes a file's lock or fails with errLocked at once. The kernel gives it
// free when its holder ends.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// unlock gives the lock free although a program that is just being started still
// holds a copy of the file.
func unlock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }

// look fails with errLocked while somebody holds the lock. Closing the file
// gives free what it took.
func look(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) }
