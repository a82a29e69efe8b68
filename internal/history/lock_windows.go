package history

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock waits for a file's lock, which is free again when the file is closed. A
// byte beyond any content is locked: here a lock keeps others from reading.
func lock(f *os.File) error {
	far := windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &far)
}
