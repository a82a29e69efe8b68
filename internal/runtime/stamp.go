package runtime

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/runtime/repository"
)

// A stamp tells whether a file was touched: no user but root can set the time of
// the last change of its metadata. Where there is none, size and time must do.
type stamp struct {
	inode   uint64
	size    int64
	mode    fs.FileMode
	changed time.Time
	// modified is when the contents changed, as far as the file tells.
	modified time.Time
}

// stamps are the files of a tree, by their path relative to it.
type stamps struct {
	// project are the files of the repository itself, packages those that an
	// installation put into it.
	project, packages map[string]stamp
	// dirs are the directories of the project.
	dirs map[string]bool
}

// stampTree looks at every file below dir once, without reading any.
func stampTree(dir string, t *repository.Tracked) (stamps, error) {
	s := stamps{project: map[string]stamp{}, packages: map[string]stamp{}, dirs: map[string]bool{}}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" || toolCache(rel) && !t.Dir(rel) || t.Venv(dir, rel) {
				return fs.SkipDir
			}
			s.dirs[rel] = t.Dir(rel) || !repository.InPackages(rel)
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if t.Installed(rel) {
			s.packages[rel] = stampOf(info)
		} else {
			s.project[rel] = stampOf(info)
		}
		return nil
	})
	return s, err
}

// stampAll looks at every file below a directory.
func stampAll(dir string) (map[string]stamp, error) {
	out := map[string]stamp{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			out[rel] = stampOf(info)
		}
		return err
	})
	return out, err
}

// toolCache tells the folders of node_modules where test runners and compilers
// keep what they have worked out. A second tree does not get them.
func toolCache(rel string) bool {
	name, in := filepath.Base(rel), filepath.Base(filepath.Dir(rel))
	return in == "node_modules" && strings.HasPrefix(name, ".") && name != ".bin" && name != ".pnpm"
}

// differ lists the paths of was that are gone or differ now, and those that are
// new, sorted.
func differ(was, now map[string]stamp) (changed, made []string) {
	for path, s := range was {
		if now[path] != s {
			changed = append(changed, path)
		}
	}
	for path := range now {
		if _, ok := was[path]; !ok {
			made = append(made, path)
		}
	}
	slices.Sort(changed)
	slices.Sort(made)
	return changed, made
}

// untampered makes sure that the installed packages are what was installed: a
// second tree runs with them too. What commands added is removed, as compilers
// and test runners leave notes of their own there; what they changed or removed
// has no original and is an error. Where the packages are not the code's there is
// nothing to look at; see freeze.
func (w *Workspace) untampered() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.unmoved(); err != nil {
		return err
	}
	now, err := w.packagesNow()
	if err != nil {
		return fmt.Errorf("look at the installed packages: %w", err)
	}
	changed, made := differ(w.opened.packages, now)
	if len(changed) > 0 {
		return fmt.Errorf("%d files of installed packages were changed by commands, among them %s; packages must stay as they were installed for a comparison", len(changed), changed[0])
	}
	root, err := os.OpenRoot(w.box.Place.Home)
	if err != nil {
		return fmt.Errorf("look at the installed packages: %w", err)
	}
	defer func() { _ = root.Close() }()
	for _, name := range made {
		name = filepath.Join(filepath.Base(w.box.Place.Tree), name)
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove what a command added to the installed packages: %w", err)
		}
	}
	return nil
}

// packagesNow looks at what the code could have changed: frozen environments it
// could not.
func (w *Workspace) packagesNow() (map[string]stamp, error) {
	if w.box.User == nil {
		return w.packageStamps()
	}
	now, err := stampTree(w.box.Place.Tree, w.tracked)
	return now.packages, err
}
