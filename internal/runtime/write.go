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

// original is a file as it was before the first Write; absent when not there.
type original struct {
	data   []byte
	mode   fs.FileMode
	absent bool
	// made are the directories that Write created, outermost first.
	made []string
}

// Write puts a file, relative to the root and slash-separated, into the copy.
// It never leaves the tree, not even through a link. The file is replaced, not
// changed in place. Restore undoes it.
func (w *Workspace) Write(name string, data []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.change(name, func(root *os.Root, name string, mode fs.FileMode) error {
		return w.replace(root, name, data, mode)
	})
}

// Remove takes a file out of the copy; Restore brings it back.
func (w *Workspace) Remove(name string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.change(name, func(root *os.Root, name string, _ fs.FileMode) error { return root.Remove(name) })
}

// Restore undoes every Write and Remove since the last Restore, and whatever
// commands did to those files meanwhile.
func (w *Workspace) Restore() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	root, err := os.OpenRoot(w.place.tree)
	if err != nil {
		return fmt.Errorf("restore tree: %w", err)
	}
	defer func() { _ = root.Close() }()
	var errs []error
	for name, was := range w.written {
		if was.absent {
			if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
			for _, dir := range slices.Backward(was.made) {
				_ = root.Remove(dir) // not empty: something else lies there now
			}
			continue
		}
		errs = append(errs, w.replace(root, name, was.data, was.mode))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("restore tree: %w", err)
	}
	w.written = nil
	return nil
}

func (w *Workspace) change(name string, do func(*os.Root, string, fs.FileMode) error) error {
	if !filepath.IsLocal(name) || slices.Contains(strings.Split(name, "/"), ".git") {
		return fmt.Errorf("write %q: not a path inside the tree", name)
	}
	root, err := os.OpenRoot(w.place.tree)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() { _ = root.Close() }()
	was, err := w.remember(root, name)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := do(root, name, was.mode); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// remember keeps what Restore needs, and makes missing directories.
func (w *Workspace) remember(root *os.Root, name string) (original, error) {
	was := original{mode: 0o644}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		was.absent = true
		if was.made, err = w.makeDirs(root, path.Dir(name)); err != nil {
			return was, err
		}
	case err != nil:
		return was, err
	case !info.Mode().IsRegular():
		return was, fmt.Errorf("not a regular file (%s)", info.Mode().Type())
	default:
		was.mode = info.Mode().Perm()
		if was.data, err = root.ReadFile(name); err != nil {
			return was, err
		}
	}
	if w.written == nil {
		w.written = map[string]original{}
	}
	if first, ok := w.written[name]; ok {
		return first, nil
	}
	w.written[name] = was
	return was, nil
}

func (w *Workspace) makeDirs(root *os.Root, dir string) (made []string, err error) {
	var missing []string
	for ; dir != "."; dir = path.Dir(dir) {
		if _, err := root.Stat(dir); err == nil {
			break
		}
		missing = append(missing, dir)
	}
	for _, dir := range slices.Backward(missing) {
		if err := root.Mkdir(dir, 0o755); err != nil {
			return made, err
		}
		made = append(made, dir)
		if err := w.ownIn(root, dir); err != nil {
			return made, err
		}
	}
	return made, nil
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
	if w.user == nil {
		return nil
	}
	return root.Lchown(name, w.user.uid, w.user.gid)
}
