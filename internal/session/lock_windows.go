package session

import (
	"os"

	"golang.org/x/sys/windows"
)

const errLocked = windows.ERROR_LOCK_VIOLATION

// lock takes a file's lock or fails with errLocked at once.
func lock(f *os.File) error { return take(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// unlock has nothing to do: no program gets copies of our files, and closing one
// gives its lock free.
func unlock(*os.File) error { return nil }

// look fails with errLocked while somebody holds the lock.
func look(f *os.File) error { return take(f, 0) }

// take locks a byte beyond any content: here a lock keeps others from reading.
func take(f *os.File, how uint32) error {
	far := windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(f.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &far)
}
