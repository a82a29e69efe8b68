// Package user knows as whom the code of a pull request runs, what belongs to whom,
// and who may enter a directory.
package user

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/org/qa-action/internal/runtime/walk"
)

// firstSandboxUID is where the search for a user id for the code begins: above
// the ids of people and services, and not 1001, which owns the files of the
// workflow runner on hosted machines.
const firstSandboxUID = 65532

// lastSandboxUID ends the search; a container of an ordinary user has ids up to
// 65535 only.
const lastSandboxUID = 65600

// Name is what the code's user is called where it can have a name, and Remark what an
// image says of it that made it ("qa:x:65532:65532:code that qa runs:/:/bin/sh"), so that
// its id counts as free.
const (
	Name   = "qa"
	Remark = "code that qa runs"
)

// User is whom the code runs as. A nil user is ourselves.
type User struct{ UID, GID int }

// Reachable reports whether u may enter dir. Only the modes for everybody count:
// the user is in no group and owns nothing there.
func Reachable(dir string, u *User) bool {
	return u == nil || ReachableBelow(string(filepath.Separator), dir)
}

// ReachableBelow is reachable for one who already is in top. A directory that
// is not there yet counts as its parent does.
func ReachableBelow(top, dir string) bool {
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case err != nil && !missing, err == nil && info.Mode().Perm()&0o001 == 0:
			return false
		case dir == top || dir == filepath.Dir(dir):
			return !missing
		}
	}
}

// OwnAll gives a tree to the user, but for hard links: those are somebody
// else's files too.
func OwnAll(dir string, u *User) error {
	if u == nil {
		return nil
	}
	return walk.Below(dir, func(rel string, d fs.DirEntry) error {
		if info, err := d.Info(); err != nil || info.Mode().IsRegular() && linkCount(info) > 1 {
			return err
		}
		return u.Own(filepath.Join(dir, rel))
	})
}

// ID is the number of the user, and ours where the code runs as ourselves.
func (u *User) ID() int {
	if u == nil {
		return os.Getuid()
	}
	return u.UID
}

// Pair is user and group as container engines write them.
func (u *User) Pair() string {
	if u == nil {
		return fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid())
	}
	return fmt.Sprintf("%d:%d", u.UID, u.GID)
}
