//go:build unix

package rooted

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// GiveBack gives what a container's root has made in dir and below it to the owner
// of root. On a runner of one's own, files of root that stay behind break the
// next job's checkout. A directory that does not exist has nothing to give back;
// a link is given away itself, and one on the way out of root is not followed.
func GiveBack(root string, dirs ...string) error {
	info, err := os.Stat(root)
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || owner.Uid == 0 || os.Geteuid() != 0 {
		return nil
	}
	var problems []error
	for _, dir := range dirs {
		top, name := root, ""
		if name, err = filepath.Rel(root, dir); err != nil || !filepath.IsLocal(name) {
			top, name = dir, "." // a session that was named
		}
		problems = append(problems, giveTo(int(owner.Uid), int(owner.Gid), top, filepath.ToSlash(name)))
	}
	return errors.Join(problems...)
}

func giveTo(uid, gid int, top, name string) error {
	root, err := os.OpenRoot(top)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing is buffered
	return fs.WalkDir(root.FS(), name, func(path string, _ fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		info, err := root.Lstat(filepath.FromSlash(path))
		if err != nil {
			return err
		}
		if st, ok := info.Sys().(*syscall.Stat_t); !ok || st.Uid != 0 {
			return nil
		}
		if err := root.Lchown(filepath.FromSlash(path), uid, gid); !errors.Is(err, syscall.EINVAL) {
			return err
		}
		return nil // an owner that our user namespace does not have
	})
}
