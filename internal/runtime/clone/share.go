package clone

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/user"
	"github.com/org/qa-action/internal/runtime/walk"
)

// packages reports whether a file is installed, and not the project's own: below a
// folder of packages, or in a virtual environment, which the walk has entered before.
func (c *copier) packages(rel string, t *repository.Tracked) bool {
	_, in := rooted.Within(c.venv, rel)
	return t.Installed(rel) || in && c.venv != "" && !t.File(rel)
}

// unchangeable reports whether a file of the checkout is one that the code can read in
// a copy and never change: an installed package, ours, with rights for nobody else to
// write. What tools note beside the packages is theirs to change.
func (c *copier) unchangeable(rel string, info fs.FileInfo) bool {
	return c.packages(rel, c.private.Tracked) && !repository.InToolCache(rel) && user.Ours(info) && info.Mode()&^fs.ModePerm == 0 &&
		info.Mode().Perm()&0o022 == 0 && info.Mode().Perm()&0o004 != 0
}

// Unshare makes files below a directory of a copy its own, and the user's, where they are
// second names of ours: before a command that may write to them.
func Unshare(dir string, u *user.User) error {
	return walk.Files(dir, func(rel string, info fs.FileInfo) error {
		if !user.Ours(info) || !user.Linked(info) {
			return nil
		}
		path := filepath.Join(dir, rel)
		temp := path + ".qa-new"
		if err := File(path, temp, info, u); err != nil {
			return errors.Join(err, os.Remove(temp))
		}
		return os.Rename(temp, path)
	})
}
