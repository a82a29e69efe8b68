package session

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// reserveFile keeps room on the disk while a run goes on.
const reserveFile = ".reserve"

// Reserve takes n bytes of the disk for what a run has to say when the disk is
// full, until [Files.Yield].
func (f Files) Reserve(n int) error {
	if info, err := f.disk.root.Lstat(reserveFile); err == nil && info.Mode().IsRegular() && info.Size() >= int64(n) {
		return nil // of a process that was killed
	}
	room := make([]byte, n)
	_, _ = rand.Read(room) // what is all the same takes no room on every file system
	switch err := f.disk.write(reserveFile, room); {
	case errors.Is(err, syscall.EFBIG): // a limit on files is no full disk
		return nil
	case err != nil:
		return fmt.Errorf("keep room for the report: %w", err)
	}
	return nil
}

// Yield gives the reserve back, if there is one.
func (f Files) Yield() error {
	if err := f.disk.root.Remove(reserveFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("give room back: %w", err)
	}
	return nil
}
