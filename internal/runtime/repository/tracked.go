package repository

import (
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/rooted"
)

// Tracked are the files that git knows in a tree, slash separated. They are the
// project's source wherever they lie: a committed node_modules, or a directory
// with a committed pyvenv.cfg, is no installation, which base would share with
// head and which nothing would put back. Nil knows none.
type Tracked struct{ files, dirs map[string]bool }

// placeholders keep a directory in git whose contents are not.
var placeholders = []string{".gitkeep", ".keep", ".gitignore"}

func newTracked(names ...string) *Tracked {
	t := &Tracked{files: map[string]bool{}, dirs: map[string]bool{}}
	for _, name := range names {
		if name == "" {
			continue
		}
		t.files[name] = true
		if slices.Contains(placeholders, path.Base(name)) {
			continue
		}
		for dir := path.Dir(name); dir != "." && !t.dirs[dir]; dir = path.Dir(dir) {
			t.dirs[dir] = true
		}
	}
	return t
}

// File and dir ask for a path relative to the tree.
func (t *Tracked) File(rel string) bool { return t != nil && t.files[filepath.ToSlash(rel)] }

// Dir reports whether git knows something below a directory.
func (t *Tracked) Dir(rel string) bool { return t != nil && t.dirs[filepath.ToSlash(rel)] }

// Files gives every file, in no order.
func (t *Tracked) Files() iter.Seq[string] {
	if t == nil {
		return func(func(string) bool) {}
	}
	return maps.Keys(t.files)
}

// HasGo reports whether there may be code in Go.
func (t *Tracked) HasGo() bool {
	return t.mayHave(func(name string) bool { return language.Of(name).Name == "go" || path.Base(name) == "go.mod" })
}

// TestsPython reports whether there may be tests in Python.
func (t *Tracked) TestsPython() bool {
	return t.mayHave(func(name string) bool {
		return path.Ext(name) == ".py" && strings.Contains(strings.ToLower(name), "test")
	})
}

// Uses reports whether there may be a project in a language.
func (t *Tracked) Uses(l *language.Language) bool {
	return t.mayHave(func(name string) bool { return slices.Contains(l.Project.Manifests, path.Base(name)) })
}

// mayHave reports whether one of the files is of a kind; where git knows none, one may be.
func (t *Tracked) mayHave(kind func(name string) bool) bool {
	if t == nil || len(t.files) == 0 {
		return true
	}
	for name := range t.files {
		if kind(name) {
			return true
		}
	}
	return false
}

// Installed reports whether a file lies in a package folder and is not the
// project's own.
func (t *Tracked) Installed(rel string) bool { return InPackages(rel) && !t.File(rel) }

// Venv reports whether a directory of a tree is a virtual environment.
func (t *Tracked) Venv(tree, rel string) bool {
	return rel != "." && !t.Dir(rel) && IsVenv(filepath.Join(tree, rel))
}

// stores are where installers keep packages that links of node_modules lead to: pnpm, bun,
// npm and yarn, deno.
var stores = []string{".pnpm", ".bun", ".store", ".deno"}

// ToolCache tells the folders of node_modules where test runners and compilers keep
// what they have worked out. A second tree does not get them.
func ToolCache(rel string) bool {
	in := filepath.Base(filepath.Dir(rel))
	return in == "node_modules" && filepath.Base(rel) != ".bin" && Cache(filepath.Base(rel))
}

// Cache reports whether a folder among packages holds none: its name begins with a dot.
func Cache(name string) bool { return strings.HasPrefix(name, ".") && !slices.Contains(stores, name) }

// InToolCache reports whether a path lies in such a folder.
func InToolCache(rel string) bool {
	for ; rel != "." && rel != string(filepath.Separator); rel = filepath.Dir(rel) {
		if ToolCache(rel) {
			return true
		}
	}
	return false
}

// InPackages reports whether a path lies in a folder named as those of packages.
func InPackages(rel string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(filepath.Dir(rel)), "/"), "node_modules")
}

// Built reports whether a node_modules of a tree is what a build made, and no
// installation: below the root no manifest stands beside it, and it holds no package, but
// parts of what was built, or links to the project itself, as tshy makes one in dist.
func Built(tree, rel string) bool {
	root, err := os.OpenRoot(tree)
	if err != nil {
		return false
	}
	defer func() { _ = root.Close() }() // only looked at
	at := filepath.ToSlash(rel)
	if _, err := root.Stat(path.Join(path.Dir(at), "package.json")); err == nil || path.Dir(at) == "." {
		return false
	}
	names, err := fs.Glob(root.FS(), at+"/*")
	scoped, err2 := fs.Glob(root.FS(), at+"/@*/*")
	return err == nil && err2 == nil && !slices.ContainsFunc(append(names, scoped...), func(name string) bool {
		if to, err := root.Readlink(name); err == nil {
			return InPackages(filepath.Join(to, "x"))
		}
		_, err := root.Stat(path.Join(name, "package.json"))
		return err == nil || path.Base(name) == ".bin"
	})
}

func IsVenv(dir string) bool {
	_, err := fs.Stat(rooted.FS(dir), "pyvenv.cfg")
	return err == nil
}

// And knows what either knows.
func (t *Tracked) And(other *Tracked) *Tracked {
	return newTracked(slices.AppendSeq(slices.Collect(t.Files()), other.Files())...)
}
