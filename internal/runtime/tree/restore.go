package tree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/clone"
)

// Restore puts the project's files back to what they were when the workspace was
// opened, whoever wrote, made or removed them since, and lists those, slash
// separated, with those that [Tree.Afresh] put back. Where originals come from no command
// has ever been: the checkout, or the repository's objects. What was made by the
// installation or the setup commands and changed later has no original; the error names
// it. Installed packages and git metadata are left as they are.
func (t *Tree) Restore(ctx context.Context) ([]string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.Names.Stirred() // what is put back is our doing
	touched, err := putBack(ctx, t)
	touched = each.Sorted(t.before, touched)
	t.before = nil
	return slices.Clip(touched), err
}

// putBack is what is common to Restore and Afresh.
func putBack(ctx context.Context, t *Tree) ([]string, error) {
	now, err := Look(t.box.Place.Tree, t.Tracked)
	if err != nil {
		return nil, fmt.Errorf("restore tree: %w", err)
	}
	changed, made := each.Differ(t.opened.Project, now.Project)
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
	}
	// Directories that hold nothing now go too, unless the project has them.
	for _, dir := range slices.Backward(slices.Sorted(maps.Keys(now.dirs))) {
		if _, had := t.opened.dirs[dir]; !had {
			_ = root.Remove(dir) // one that holds something stays
		}
	}
	for _, name := range changed {
		err := t.bringBack(ctx, root, filepath.ToSlash(name))
		errs = append(errs, err)
		// Bringing it back is a change as well; what could not be stays a change.
		if info, gone := root.Lstat(name); err == nil && gone == nil {
			t.opened.Project[name], err = stampsBelow(t.box.Place.Tree).of(filepath.Join(t.box.Place.Tree, name), info)
			errs = append(errs, err)
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

// errNoOriginal is said of a file that nobody can bring back.
var errNoOriginal = errors.New("was changed and has no original")

// bringBack makes one file anew.
func (t *Tree) bringBack(ctx context.Context, root *os.Root, name string) error {
	was, err := t.original(ctx, name)
	if err != nil {
		return fmt.Errorf("%s %w: %w", name, errNoOriginal, err)
	}
	if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		if err := rooted.Remove(root, name); err != nil {
			return err
		}
	}
	if err := makeDirs(t.box.User, root, path.Dir(name)); err != nil {
		return err
	}
	if was.mode&fs.ModeSymlink == 0 {
		return replace(t.box.User, root, name, was.content, was.mode.Perm())
	}
	var dest target
	if err := was.content(&dest); err != nil {
		return fmt.Errorf("%s: where the link leads: %w", name, err)
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return errors.Join(root.Symlink(string(dest), name), ownIn(t.box.User, root, name))
}

// An original is what a file was. It is written as it is read: it may be larger
// than memory.
type original struct {
	mode    fs.FileMode
	content func(io.Writer) error // of a link: where it leads
}

// target is where a link leads, which no system takes beyond maxTarget bytes.
type target []byte

const maxTarget = 4096

func (t *target) Write(data []byte) (int, error) {
	if len(*t)+len(data) > maxTarget {
		return 0, fmt.Errorf("longer than %d bytes", maxTarget)
	}
	*t = append(*t, data...)
	return len(data), nil
}

func (t *Tree) original(ctx context.Context, name string) (original, error) {
	if t.Commit != "" {
		git := t.box.Machine.Repository
		f, err := git.Committed(ctx, t.Commit, name)
		return original{f.Mode, func(to io.Writer) error { return git.Content(ctx, f, to) }}, err
	}
	if slices.Contains(t.Private, name) {
		return original{}, fs.ErrNotExist
	}
	top, err := filepath.EvalSymlinks(t.box.Machine.Root)
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
	if info.Mode()&fs.ModeSymlink != 0 {
		dest, err := root.Readlink(name)
		return original{fs.ModeSymlink, written([]byte(clone.Turn(dest, top, t.box.Place.Tree)))}, err
	}
	was := original{mode: info.Mode().Perm() | 0o600}
	if clone.NamesPaths(filepath.Join(top, filepath.FromSlash(name))) && info.Size() <= clone.MaxRewrite {
		data, err := rooted.Read(root, name, clone.MaxRewrite)
		was.content = written(clone.ReplacePath(data, top, t.box.Place.Tree))
		return was, err
	}
	was.content = func(to io.Writer) error { return copied(top, name, to) }
	return was, nil
}

// copied writes what a file of the checkout has, whatever the bytes of its name.
func copied(top, name string, to io.Writer) error {
	root, err := os.OpenRoot(top)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	f, _, err := rooted.Open(root, name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	_, err = io.Copy(to, f)
	return err
}

func written(data []byte) func(io.Writer) error {
	return func(to io.Writer) error {
		_, err := to.Write(data)
		return err
	}
}
