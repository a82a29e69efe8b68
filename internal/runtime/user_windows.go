package runtime

import (
	"errors"
	"io/fs"
	"os"
)

// sandboxUser is always nil: users are not changed on Windows.
func sandboxUser() *user { return nil }

func (u *user) own(string) error { return nil }

func (u *user) owns(fs.FileInfo) bool { return true }

func ownerOf(string) *user { return nil }

func ownedByUs(fs.FileInfo) bool { return true }

func keepOwner(*os.File, fs.FileInfo) error { return nil }

func linkCount(fs.FileInfo) uint64 { return 1 }

// lockFile is not done here: what a killed process left stays.
func lockFile(*os.File) error { return errors.ErrUnsupported }
