package runtime

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	from, to, t := w.parent.place.tree, w.place.tree, w.parent.tracked.And(w.tracked)
	s := share{from: from, to: to, via: w.place.inHead(w.parent.place, from), named: w.shown(to), tracked: t, frozen: w.user != nil}
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
			return skipDir(s.dir(rel, 2))
		case t.Venv(from, rel) && (own.python || !plainDir(to, filepath.Dir(rel))):
			return fs.SkipDir
		case t.Venv(from, rel):
			return skipDir(s.venv(rel))
		}
		return nil
	})
}

// skipDir tells WalkDir to go on beside a directory that was dealt with; it
// compares with ==, so the sentinel must not be joined with anything.
func skipDir(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
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
	if !plainDir(s.to, filepath.Dir(rel)) {
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
	if !plainDir(s.to, rel) {
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

// plainDir reports whether a path below top is a directory, and so is all that it
// leads through: nothing is a link.
func plainDir(top, rel string) bool {
	for ; ; rel = filepath.Dir(rel) {
		if info, err := os.Lstat(filepath.Join(top, rel)); err != nil || !info.IsDir() {
			return false
		}
		if rel == "." {
			return true
		}
	}
}

// descends reports whether a directory's entries are shared one by one.
func descends(e fs.DirEntry, depth int) bool {
	return e.IsDir() && depth > 0 && (strings.HasPrefix(e.Name(), "@") || e.Name() == ".bin")
}

func (s share) entry(e fs.DirEntry, rel string, depth int) error {
	path, goal := filepath.Join(s.from, rel), filepath.Join(s.to, rel)
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		return linkTurned(path, goal, s.from, s.to)
	case descends(e, depth):
		return s.dir(rel, depth-1)
	case e.IsDir() && strings.HasPrefix(e.Name(), ".") && e.Name() != ".pnpm":
		return nil // caches of tools know their own tree
	case e.IsDir():
		return linkBeside(filepath.Join(s.via, rel), goal)
	}
	info, err := e.Info()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	return copyFile(path, goal, info)
}

// linkTurned copies a link; one that leads into from by an absolute path leads into
// to by the way from where it is.
func linkTurned(path, goal, from, to string) error {
	dest, err := os.Readlink(path)
	if err != nil {
		return err
	}
	if turned := turned(dest, from, to); filepath.IsAbs(dest) && turned != dest {
		return linkBeside(turned, goal)
	}
	return os.Symlink(dest, goal)
}

// linkBeside links by the way from one tree to the other, which is the same in
// another container that sees both by another name.
func linkBeside(path, goal string) error {
	way, err := filepath.Rel(filepath.Dir(goal), path)
	if err != nil {
		return err
	}
	return os.Symlink(way, goal)
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
			return linkTurned(path, goal, s.from, s.to)
		case d.IsDir() && inSite && !strings.HasSuffix(d.Name(), ".dist-info"):
			return skipDir(linkBeside(filepath.Join(s.via, rel), goal))
		case d.IsDir():
			return os.MkdirAll(goal, 0o755)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if err := copyFile(path, goal, info); err != nil {
			return err
		}
		if namesPaths(goal) {
			return rewriteFile(goal, s.from, s.named)
		}
		return nil
	})
}

// moved is the environment of w with its directories replaced by those of p.
func (w *Workspace) moved(p place) []string {
	env := make([]string, len(w.env))
	for i, kv := range w.env {
		kv = strings.ReplaceAll(kv, w.place.home, p.home)
		env[i] = kv
	}
	return env
}
