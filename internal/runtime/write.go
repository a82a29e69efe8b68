package runtime

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Write puts a file, relative to the root and slash-separated, into the copy.
// It never leaves the tree, not even through a link. The file is replaced, not
// changed in place. Restore undoes it.
func (w *Workspace) Write(name string, data []byte) error {
	return w.change(name, func(root *os.Root, name string) error {
		mode := fs.FileMode(0o644)
		if info, err := root.Lstat(name); err == nil {
			mode = info.Mode().Perm()
		} else if err := w.makeDirs(root, path.Dir(name)); err != nil {
			return err
		}
		return w.replace(root, name, data, mode)
	})
}

// Remove takes a file out of the copy; Restore brings it back.
func (w *Workspace) Remove(name string) error {
	return w.change(name, func(root *os.Root, name string) error { return root.Remove(name) })
}

func (w *Workspace) change(name string, do func(*os.Root, string) error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !filepath.IsLocal(name) || slices.Contains(strings.Split(name, "/"), ".git") {
		return fmt.Errorf("write %q: not a path inside the tree", name)
	}
	root, err := os.OpenRoot(w.box.Place.Tree)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() { _ = root.Close() }()
	if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("write %s: not a regular file (%s)", name, info.Mode().Type())
	}
	if err := do(root, name); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

func (w *Workspace) makeDirs(root *os.Root, dir string) error {
	var missing []string
	for ; dir != "."; dir = path.Dir(dir) {
		if _, err := root.Stat(dir); err == nil {
			break
		}
		missing = append(missing, dir)
	}
	for _, dir := range slices.Backward(missing) {
		if err := errors.Join(root.Mkdir(dir, 0o755), w.ownIn(root, dir)); err != nil {
			return err
		}
	}
	return nil
}

func (w *Workspace) replace(root *os.Root, name string, data []byte, mode fs.FileMode) error {
	temp := path.Join(path.Dir(name), ".qa-"+rand.Text())
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, bytes.NewReader(data))
	if err := errors.Join(err, f.Chmod(mode), f.Close(), w.ownIn(root, temp)); err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return root.Rename(temp, name)
}

func (w *Workspace) ownIn(root *os.Root, name string) error {
	if w.box.User == nil {
		return nil
	}
	return root.Lchown(name, w.box.User.UID, w.box.User.GID)
}
