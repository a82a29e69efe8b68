package rooted

import (
	"io/fs"
	"os"
	"path/filepath"
)

// RemoveAll removes a directory with all that is in it, also where a command
// took its owner's right to write there. A link is removed, not followed.
func RemoveAll(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// Remove is RemoveAll for a name below a root: nothing outside of it is reached, whatever
// links stand there.
func Remove(root *os.Root, name string) error {
	if err := root.RemoveAll(name); err == nil {
		return nil
	}
	_ = fs.WalkDir(root.FS(), filepath.ToSlash(name), func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = root.Chmod(filepath.FromSlash(path), 0o700)
		}
		return nil
	})
	return root.RemoveAll(name)
}
