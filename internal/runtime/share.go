package runtime

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// shareInstalls gives the tree to the packages installed in the tree from,
// without copying them: node_modules and virtual environments become
// directories of links into the first tree. A link inside them that leads back
// into the project is made anew, so that it leads into the second tree, and
// files that name the first tree are rewritten.
func shareInstalls(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.Name() == ".git":
			return fs.SkipDir
		case d.Name() == "node_modules":
			return skipDir(shareDir(path, target, from, to, 2))
		case isVenv(path):
			return skipDir(shareVenv(path, target, from, to))
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

func isVenv(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "pyvenv.cfg"))
	return err == nil
}

// shareDir links the entries of a directory. Scopes (@name) and tool folders
// (.bin, .cache) are directories of their own, because links may lie in them;
// depth bounds that. The parent of the target must exist: a package directory
// that the commit does not have needs no dependencies.
func shareDir(dir, target, from, to string, depth int) error {
	if _, err := os.Stat(filepath.Dir(target)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.Mkdir(target, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path, goal := filepath.Join(dir, e.Name()), filepath.Join(target, e.Name())
		if _, err := os.Lstat(goal); err == nil {
			continue // the commit has it
		}
		if err := shareEntry(e, path, goal, from, to, depth); err != nil {
			return err
		}
	}
	return nil
}

func shareEntry(e fs.DirEntry, path, goal, from, to string, depth int) error {
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		dest, err := os.Readlink(path)
		if err != nil {
			return err
		}
		return os.Symlink(turned(dest, from, to), goal)
	case e.IsDir() && depth > 0 && (strings.HasPrefix(e.Name(), "@") || e.Name() == ".bin"):
		return shareDir(path, goal, from, to, depth-1)
	case e.IsDir() && strings.HasPrefix(e.Name(), ".") && e.Name() != ".pnpm":
		return nil // caches of tools know their own tree
	case e.IsDir():
		return linkBeside(path, goal)
	}
	info, err := e.Info()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	return copyFile(path, goal, info)
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

// shareVenv makes a virtual environment whose site-packages are links, except
// for the files that name the project's directory.
func shareVenv(dir, target, from, to string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		goal := filepath.Join(target, rel)
		inSite := filepath.Base(filepath.Dir(path)) == "site-packages"
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			return shareEntry(d, path, goal, from, to, 0)
		case d.IsDir() && inSite && !strings.HasSuffix(d.Name(), ".dist-info"):
			return skipDir(linkBeside(path, goal))
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
			return rewriteFile(goal, from, to)
		}
		return nil
	})
}

// ownAll gives a tree to the user, but for hard links: those are somebody
// else's files too.
func ownAll(dir string, u *user) error {
	if u == nil {
		return nil
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err != nil || info.Mode().IsRegular() && linkCount(info) > 1 {
			return err
		}
		return u.own(path)
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
