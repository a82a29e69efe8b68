package tree

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Accessed is when a file was last read, as far as the file system keeps it.
func Accessed(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Atim.Unix())
	}
	return time.Time{}
}

// setAccess sets the access time of a file or link in a directory, and no other.
func setAccess(dir *os.File, name string, to time.Time) error {
	at, err := unix.TimeToTimespec(to)
	if err != nil {
		return err
	}
	return unix.UtimesNanoAt(int(dir.Fd()), name, []unix.Timespec{at, {Nsec: unix.UTIME_OMIT}}, unix.AT_SYMLINK_NOFOLLOW)
}

// openQuietly opens a file for reading without setting its access time, where we
// may do that: it would count as read by the code.
func openQuietly(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOATIME, 0)
	if errors.Is(err, fs.ErrPermission) {
		return os.Open(path)
	}
	return f, err
}
