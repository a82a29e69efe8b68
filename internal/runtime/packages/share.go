package packages

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/user"
	"github.com/org/qa-action/internal/runtime/walk"
)

// Share is the sharing of one tree's packages with another.
type Share struct {
	From, To string
	// Via is what From is called below base's home, and Named what base's commands
	// call To.
	Via, Named string
	Tracked    *repository.Tracked // in both
	// Frozen says that packages are ours: what is not was put there by a command.
	Frozen bool
}

// Installs gives the second tree the packages installed in the first, without copying
// them: node_modules and virtual environments become directories of links into that
// tree. A link inside them that leads back into the project is made anew, so that it
// leads into the second tree, and so are files that name the first. What git knows in
// either tree is no installation, what base has for itself is left out, and so is
// what is not ours where packages are frozen.
func (s Share) Installs(own Needed) error {
	return walk.Below(s.From, func(rel string, d fs.DirEntry) error {
		switch {
		case !d.IsDir():
		case d.Name() == ".git", slices.Contains(own.Folders, rel):
			return fs.SkipDir
		case d.Name() == "node_modules":
			return walk.Beside(s.dir(rel, 2))
		case s.Tracked.Venv(s.From, rel) && (own.Python || !clone.PlainDir(s.To, filepath.Dir(rel))):
			return fs.SkipDir
		case s.Tracked.Venv(s.From, rel):
			return walk.Beside(s.Venv(rel))
		}
		return nil
	})
}

// dir links the entries of a directory. Scopes (@name) and tool folders
// (.bin, .cache) are directories of their own, because links may lie in them;
// depth bounds that. The parent of the target must exist: a package directory
// that the commit does not have needs no dependencies.
func (s Share) dir(rel string, depth int) error {
	if !clone.PlainDir(s.To, filepath.Dir(rel)) {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(s.From, rel))
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		name := filepath.Join(rel, e.Name())
		info, err := e.Info()
		return err != nil || s.Frozen && !user.Ours(info) || s.Tracked.File(name) || s.Tracked.Dir(name) && !descends(e, depth)
	})
	if len(entries) == 0 {
		return nil
	}
	if err := os.Mkdir(filepath.Join(s.To, rel), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if !clone.PlainDir(s.To, rel) {
		return nil // a link of the commit, which may lead anywhere
	}
	for _, e := range entries {
		name := filepath.Join(rel, e.Name())
		if _, err := os.Lstat(filepath.Join(s.To, name)); err == nil && !descends(e, depth) {
			continue // the commit has it
		}
		if err := s.entry(e, name, depth); err != nil {
			return err
		}
	}
	return nil
}

// descends reports whether a directory's entries are shared one by one.
func descends(e fs.DirEntry, depth int) bool {
	return e.IsDir() && depth > 0 && (strings.HasPrefix(e.Name(), "@") || e.Name() == ".bin")
}

func (s Share) entry(e fs.DirEntry, rel string, depth int) error {
	path, goal := filepath.Join(s.From, rel), filepath.Join(s.To, rel)
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		return clone.LinkTurned(path, goal, s.From, s.To)
	case descends(e, depth):
		return s.dir(rel, depth-1)
	case e.IsDir() && repository.Cache(e.Name()):
		return nil // caches of tools know their own tree
	case e.IsDir():
		return clone.LinkRelative(filepath.Join(s.Via, rel), goal)
	}
	info, err := e.Info()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	return clone.File(path, goal, info, nil)
}

// Venv makes a virtual environment whose site-packages are links, except for the
// files that name the project's directory.
func (s Share) Venv(at string) error {
	return walk.Below(filepath.Join(s.From, at), func(inside string, d fs.DirEntry) error {
		rel := filepath.Join(at, inside)
		path, goal := filepath.Join(s.From, rel), filepath.Join(s.To, rel)
		inSite := filepath.Base(filepath.Dir(path)) == "site-packages"
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			return clone.LinkTurned(path, goal, s.From, s.To)
		case d.IsDir() && inSite && !strings.HasSuffix(d.Name(), ".dist-info"):
			return walk.Beside(clone.LinkRelative(filepath.Join(s.Via, rel), goal))
		case d.IsDir():
			return os.MkdirAll(goal, 0o755)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if err := clone.File(path, goal, info, nil); err != nil {
			return err
		}
		if clone.NamesPaths(goal) {
			return clone.Rewrite(goal, s.From, s.Named)
		}
		return nil
	})
}
