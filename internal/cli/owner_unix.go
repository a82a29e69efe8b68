//go:build unix

package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// giveBack gives what a container's root has made below dirs to the owner of
// root. On a runner of one's own, files of root that stay behind break the next
// job's checkout. A directory that does not exist has nothing to give back.
func giveBack(root string, dirs ...string) error {
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
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			if st, ok := info.Sys().(*syscall.Stat_t); !ok || st.Uid != 0 {
				return nil
			}
			if err := os.Lchown(path, int(owner.Uid), int(owner.Gid)); !errors.Is(err, syscall.EINVAL) {
				return err
			}
			return nil // an owner that our user namespace does not have
		})
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}
