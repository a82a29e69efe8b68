package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/repository"
)

// Restore puts the project's files back to what they were when the workspace was
// opened, whoever wrote, made or removed them since, and lists those, slash
// separated. Where originals come from no command has ever been: the checkout,
// or the repository's objects. What was made by the installation or the setup
// commands and changed later has no original; the error names it. Installed
// packages and git metadata are left as they are.
func (t *Tree) Restore(ctx context.Context) ([]string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, err := Look(t.box.Place.Tree, t.Tracked)
	if err != nil {
		return nil, fmt.Errorf("restore tree: %w", err)
	}
	changed, made := Differ(t.opened.Project, now.Project)
	root, err := os.OpenRoot(t.box.Place.Tree)
	if err != nil {
		return nil, fmt.Errorf("restore tree: %w", err)
	}
	defer func() { _ = root.Close() }()
	var errs []error
	for _, name := range made {
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		// Emptied directories go too, unless the project has them.
		for dir := filepath.Dir(name); dir != "." && !t.opened.dirs[dir] && root.Remove(dir) == nil; {
			dir = filepath.Dir(dir)
		}
	}
	for _, name := range changed {
		errs = append(errs, t.bringBack(ctx, root, filepath.ToSlash(name)))
		// Bringing it back is a change as well.
		if info, err := root.Lstat(name); err == nil {
			t.opened.Project[name] = stampOf(info)
		}
	}
	all := append(changed, made...)
	for i := range all {
		all[i] = filepath.ToSlash(all[i])
	}
	slices.Sort(all)
	if err := errors.Join(errs...); err != nil {
		return all, fmt.Errorf("restore tree: %w", err)
	}
	return all, nil
}

// bringBack makes one file anew.
func (t *Tree) bringBack(ctx context.Context, root *os.Root, name string) error {
	was, err := t.original(ctx, name)
	if err != nil {
		return fmt.Errorf("%s was changed and has no original: %w", name, err)
	}
	if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		if err := root.RemoveAll(name); err != nil {
			return err
		}
	}
	if err := makeDirs(t.box.User, root, path.Dir(name)); err != nil {
		return err
	}
	if was.Mode&fs.ModeSymlink == 0 {
		return replace(t.box.User, root, name, was.Data, was.Mode.Perm())
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return errors.Join(root.Symlink(string(was.Data), name), ownIn(t.box.User, root, name))
}

func (t *Tree) original(ctx context.Context, name string) (repository.File, error) {
	if t.Commit != "" {
		return t.box.Machine.Repository.Committed(ctx, t.Commit, name)
	}
	if slices.Contains(t.Private, name) {
		return repository.File{}, fs.ErrNotExist
	}
	top, err := filepath.EvalSymlinks(t.box.Machine.Root)
	if err != nil {
		return repository.File{}, err
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return repository.File{}, err
	}
	defer func() { _ = root.Close() }()
	info, err := root.Lstat(name)
	if err != nil {
		return repository.File{}, err
	}
	was := repository.File{Mode: info.Mode().Perm() | 0o600}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		dest, err := root.Readlink(name)
		was.Mode, was.Data = fs.ModeSymlink, []byte(clone.Turn(dest, top, t.box.Place.Tree))
		return was, err
	case !info.Mode().IsRegular():
		return was, fmt.Errorf("%s is not a regular file", name)
	}
	was.Data, err = root.ReadFile(name)
	if clone.NamesPaths(filepath.Join(top, filepath.FromSlash(name))) {
		was.Data = clone.ReplacePath(was.Data, top, t.box.Place.Tree)
	}
	return was, err
}
