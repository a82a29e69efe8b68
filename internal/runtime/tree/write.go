package tree

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
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

// Preparing is called before a command of the preparation; the function that it gives
// makes what that command left part of the tree as it was opened, so that Restore keeps
// it. What tests did to the project's files before stays theirs.
func (t *Tree) Preparing() (adopt func() error, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before, err := Look(t.box.Place.Tree, t.Tracked)
	if err != nil {
		return nil, fmt.Errorf("look at what a preparation begins with: %w", err)
	}
	own := ownFiles(t.box.Place)
	return func() error {
		t.mu.Lock()
		defer t.mu.Unlock()
		keepOwn(t, own)
		if t.opened.Project == nil { // the tree is not ready yet
			return nil
		}
		now, err := Look(t.box.Place.Tree, t.Tracked)
		if err != nil {
			return fmt.Errorf("look at what the preparation made: %w", err)
		}
		changed, made := each.Differ(before.Project, now.Project)
		for _, name := range append(changed, made...) {
			if s, ok := now.Project[name]; ok {
				t.opened.Project[name] = s
			} else {
				delete(t.opened.Project, name)
			}
		}
		for dir, own := range now.dirs {
			if !before.dirs[dir] {
				t.opened.dirs[dir] = own
			}
		}
		maps.DeleteFunc(t.opened.dirs, func(dir string, _ bool) bool {
			_, was := before.dirs[dir]
			_, still := now.dirs[dir]
			return was && !still
		})
		t.Names.begin(t.box.Place.Tree, watched(t.opened.dirs))
		return nil
	}, nil
}

// Had gives the files that the tree was opened with, or that a preparation made, slash
// separated, which git does not know: what a build left, say.
func Had(t *Tree) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []string
	for name := range t.opened.Project {
		if !t.Tracked.File(name) {
			out = append(out, filepath.ToSlash(name))
		}
	}
	slices.Sort(out)
	return out
}
