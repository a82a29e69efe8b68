package runtime

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Restore puts the project's files back to what they were when the workspace was
// opened, whoever wrote, made or removed them since, and lists those, slash
// separated. Where originals come from no command has ever been: the checkout,
// or the repository's objects. What was made by the installation or the setup
// commands and changed later has no original; the error names it. Installed
// packages and git metadata are left as they are.
func (w *Workspace) Restore(ctx context.Context) ([]string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now, err := stampTree(w.place.tree, w.tracked)
	if err != nil {
		return nil, fmt.Errorf("restore tree: %w", err)
	}
	changed, made := differ(w.opened.project, now.project)
	root, err := os.OpenRoot(w.place.tree)
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
		for dir := filepath.Dir(name); dir != "." && !w.opened.dirs[dir] && root.Remove(dir) == nil; {
			dir = filepath.Dir(dir)
		}
	}
	for _, name := range changed {
		errs = append(errs, w.bringBack(ctx, root, filepath.ToSlash(name)))
		// Bringing it back is a change as well.
		if info, err := root.Lstat(name); err == nil {
			w.opened.project[name] = stampOf(info)
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

// original is a file as the workspace was opened with it.
type original struct {
	mode fs.FileMode
	data []byte // of a link: where it leads
}

// bringBack makes one file anew.
func (w *Workspace) bringBack(ctx context.Context, root *os.Root, name string) error {
	was, err := w.original(ctx, name)
	if err != nil {
		return fmt.Errorf("%s was changed and has no original: %w", name, err)
	}
	if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		if err := root.RemoveAll(name); err != nil {
			return err
		}
	}
	if err := w.makeDirs(root, path.Dir(name)); err != nil {
		return err
	}
	if was.mode&fs.ModeSymlink == 0 {
		return w.replace(root, name, was.data, was.mode.Perm())
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return errors.Join(root.Symlink(string(was.data), name), w.ownIn(root, name))
}

func (w *Workspace) original(ctx context.Context, name string) (original, error) {
	if w.commit != "" {
		return w.committed(ctx, name)
	}
	if slices.Contains(w.private, name) {
		return original{}, fs.ErrNotExist
	}
	top, err := filepath.EvalSymlinks(w.opts.Root)
	if err != nil {
		return original{}, err
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return original{}, err
	}
	defer func() { _ = root.Close() }()
	info, err := root.Lstat(name)
	if err != nil {
		return original{}, err
	}
	was := original{mode: info.Mode().Perm() | 0o600}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		dest, err := root.Readlink(name)
		was.mode, was.data = fs.ModeSymlink, []byte(turned(dest, top, w.place.tree))
		return was, err
	case !info.Mode().IsRegular():
		return was, fmt.Errorf("%s is not a regular file", name)
	}
	was.data, err = root.ReadFile(name)
	if namesPaths(filepath.Join(top, filepath.FromSlash(name))) {
		was.data = replacePath(was.data, top, w.place.tree)
	}
	return was, err
}

// committed reads a file out of the repository's own objects.
func (w *Workspace) committed(ctx context.Context, name string) (original, error) {
	entry, err := askGit(ctx, w.opts, "ls-tree", w.commit, "--", ":(literal)"+name)
	if err != nil {
		return original{}, err
	}
	fields := strings.Fields(string(entry)) // mode, kind, object, path
	if len(fields) < 4 || fields[1] != "blob" {
		return original{}, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	was := original{mode: map[string]fs.FileMode{"100755": 0o755, "120000": fs.ModeSymlink}[fields[0]]}
	if was.mode == 0 {
		was.mode = 0o644
	}
	was.data, err = askGit(ctx, w.opts, "cat-file", "blob", fields[2])
	return was, err
}
