package tree

import (
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

	"github.com/org/qa-action/internal/runtime/user"
)

// Write puts a file, relative to the root and slash-separated, into the copy.
// It never leaves the tree, not even through a link. The file is replaced, not
// changed in place. Restore undoes it.
func (t *Tree) Write(name string, data []byte) error {
	return t.change(name, func(root *os.Root, name string) error {
		mode := fs.FileMode(0o644)
		if info, err := root.Lstat(name); err == nil {
			mode = info.Mode().Perm()
		} else if err := makeDirs(t.box.User, root, path.Dir(name)); err != nil {
			return err
		}
		return replace(t.box.User, root, name, written(data), mode)
	})
}

// Remove takes a file out of the copy; Restore brings it back.
func (t *Tree) Remove(name string) error {
	return t.change(name, func(root *os.Root, name string) error { return root.Remove(name) })
}

func (t *Tree) change(name string, do func(*os.Root, string) error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !filepath.IsLocal(name) || slices.Contains(strings.Split(name, "/"), ".git") {
		return fmt.Errorf("write %q: not a path inside the tree", name)
	}
	root, err := os.OpenRoot(t.box.Place.Tree)
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

func makeDirs(u *user.User, root *os.Root, dir string) error {
	var missing []string
	for ; dir != "."; dir = path.Dir(dir) {
		if _, err := root.Stat(dir); err == nil {
			break
		}
		missing = append(missing, dir)
	}
	for _, dir := range slices.Backward(missing) {
		if err := errors.Join(root.Mkdir(dir, 0o755), ownIn(u, root, dir)); err != nil {
			return err
		}
	}
	return nil
}

func replace(u *user.User, root *os.Root, name string, content func(io.Writer) error, mode fs.FileMode) error {
	temp := path.Join(path.Dir(name), ".qa-"+rand.Text())
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if err := errors.Join(content(f), f.Chmod(mode), f.Close(), ownIn(u, root, temp)); err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return root.Rename(temp, name)
}

func ownIn(u *user.User, root *os.Root, name string) error {
	if u == nil {
		return nil
	}
	return root.Lchown(name, u.UID, u.GID)
}

// Adopt makes what a preparation left part of the tree as it was opened: Restore
// keeps it.
func (t *Tree) Adopt() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, err := Look(t.box.Place.Tree, t.Tracked)
	if err != nil {
		return fmt.Errorf("look at what the preparation made: %w", err)
	}
	t.opened.Project, t.opened.dirs = now.Project, now.dirs
	return nil
}
