package runtime

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/user"
)

// shareInstalls gives base the packages installed in head's tree, without copying
// them: node_modules and virtual environments become directories of links into that
// tree. A link inside them that leads back into the project is made anew, so that it
// leads into base's tree, and so are files that name head's. What git knows in
// either tree is no installation, what base has for itself is left out, and so is
// what is not ours where packages are frozen.
func (w *Workspace) shareInstalls(own needed) error {
	from, to, t := w.parent.box.Place.Tree, w.box.Place.Tree, w.parent.tree.Tracked.And(w.tree.Tracked)
	s := share{from: from, to: to, via: w.box.Place.InHead(w.parent.box.Place, from), named: w.box.Shown(to), tracked: t, frozen: w.box.User != nil}
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.Name() == ".git":
			return fs.SkipDir
		case slices.Contains(own.folders, rel):
			return fs.SkipDir
		case d.Name() == "node_modules":
			return clone.SkipDir(s.dir(rel, 2))
		case t.Venv(from, rel) && (own.python || !clone.PlainDir(to, filepath.Dir(rel))):
			return fs.SkipDir
		case t.Venv(from, rel):
			return clone.SkipDir(s.venv(rel))
		}
		return nil
	})
}

// share is the sharing of one tree's packages with another.
type share struct {
	from, to string
	// via is what from is called below base's home, and named what base's commands
	// call to.
	via, named string
	tracked    *repository.Tracked
	// frozen says that packages are ours: what is not was put there by a command.
	frozen bool
}

// dir links the entries of a directory. Scopes (@name) and tool folders
// (.bin, .cache) are directories of their own, because links may lie in them;
// depth bounds that. The parent of the target must exist: a package directory
// that the commit does not have needs no dependencies.
func (s share) dir(rel string, depth int) error {
	if !clone.PlainDir(s.to, filepath.Dir(rel)) {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(s.from, rel))
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		name := filepath.Join(rel, e.Name())
		info, err := e.Info()
		return err != nil || s.frozen && !user.Ours(info) || s.tracked.File(name) || s.tracked.Dir(name) && !descends(e, depth)
	})
	if len(entries) == 0 {
		return nil
	}
	if err := os.Mkdir(filepath.Join(s.to, rel), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if !clone.PlainDir(s.to, rel) {
		return nil // a link of the commit, which may lead anywhere
	}
	for _, e := range entries {
		name := filepath.Join(rel, e.Name())
		if _, err := os.Lstat(filepath.Join(s.to, name)); err == nil && !descends(e, depth) {
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

func (s share) entry(e fs.DirEntry, rel string, depth int) error {
	path, goal := filepath.Join(s.from, rel), filepath.Join(s.to, rel)
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		return clone.LinkTurned(path, goal, s.from, s.to)
	case descends(e, depth):
		return s.dir(rel, depth-1)
	case e.IsDir() && strings.HasPrefix(e.Name(), ".") && e.Name() != ".pnpm":
		return nil // caches of tools know their own tree
	case e.IsDir():
		return clone.LinkBeside(filepath.Join(s.via, rel), goal)
	}
	info, err := e.Info()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	return clone.File(path, goal, info)
}

// venv makes a virtual environment whose site-packages are links, except for the
// files that name the project's directory.
func (s share) venv(at string) error {
	dir := filepath.Join(s.from, at)
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.from, path)
		if err != nil {
			return err
		}
		goal := filepath.Join(s.to, rel)
		inSite := filepath.Base(filepath.Dir(path)) == "site-packages"
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			return clone.LinkTurned(path, goal, s.from, s.to)
		case d.IsDir() && inSite && !strings.HasSuffix(d.Name(), ".dist-info"):
			return clone.SkipDir(clone.LinkBeside(filepath.Join(s.via, rel), goal))
		case d.IsDir():
			return os.MkdirAll(goal, 0o755)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if err := clone.File(path, goal, info); err != nil {
			return err
		}
		if clone.NamesPaths(goal) {
			return clone.Rewrite(goal, s.from, s.named)
		}
		return nil
	})
}

// moved is the environment of w with its directories replaced by those of p.
func (w *Workspace) moved(p place.Place) []string {
	env := make([]string, len(w.env))
	for i, kv := range w.env {
		kv = strings.ReplaceAll(kv, w.box.Place.Home, p.Home)
		env[i] = kv
	}
	return env
}
