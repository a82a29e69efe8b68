// Package folder reads the folders of a repository within bounds, and works with
// their paths.
package folder

import (
	"cmp"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/rooted"
)

// Bounds of the look around: real monorepos stay far below, a hostile
// repository does not hold us up.
const (
	maxDepth   = 6
	MaxFolders = 5000
	MaxConfig  = 1 << 20 // bytes read of one file
)

// Skipped reports whether a folder holds no packages of the repository itself, or
// such as show how to use it; a target in the configuration can still name it.
func Skipped(folder string) bool {
	return slices.Contains(aside, folder) || language.IsInstalled(folder) || language.IsVendored(folder) || language.IsBuilt(folder) || language.IsTrace(folder)
}

// aside are such folders of no language in particular.
var aside = strings.Fields("testdata __fixtures__ fixtures coverage venv env third_party examples example templates website")

// Tree reads a repository and nothing outside of it.
type Tree struct {
	Root *os.Root
	Abs  string
	Seen map[string]bool // the files of the repository that were looked at
}

// Packages lists dir and the folders below that hold a file by which a
// framework's project is known, parents first, sorted. Each folder is listed once: to ask
// for each name in each folder was the longest part of looking for frameworks.
func (t *Tree) Packages(dir string, known []string) []string {
	out := []string{dir}
	queue, entries, seen := []string{dir}, [][]fs.DirEntry{t.List(dir)}, 0
	for depth := 0; depth < maxDepth && len(queue) > 0; depth++ {
		var next []string
		var below [][]fs.DirEntry
		for i, at := range queue {
			for _, e := range entries[i] {
				name := e.Name()
				if !e.IsDir() || Skipped(name) || strings.HasPrefix(name, ".") || seen >= MaxFolders {
					continue
				}
				seen++
				inside := path.Join(at, name)
				held := t.List(inside)
				next, below = append(next, inside), append(below, held)
				if slices.ContainsFunc(held, func(e fs.DirEntry) bool { return t.isKnown(inside, e, known) }) {
					out = append(out, inside)
				}
			}
		}
		queue, entries = next, below
	}
	slices.Sort(out)
	return out
}

// isKnown reports whether an entry of a folder has one of the names; a link counts if it
// leads somewhere within the repository.
func (t *Tree) isKnown(dir string, e fs.DirEntry, known []string) bool {
	return slices.Contains(known, e.Name()) && (e.Type()&fs.ModeSymlink == 0 || t.Exists(path.Join(dir, e.Name())))
}

func (t *Tree) List(dir string) []fs.DirEntry {
	entries, err := fs.ReadDir(t.Root.FS(), dir)
	if err != nil {
		return nil
	}
	return entries
}

func (t *Tree) Exists(name string) bool {
	_, err := t.Root.Stat(name)
	return err == nil
}

// Read gives the beginning of a regular file; ok is false when there is none.
func (t *Tree) Read(name string) (data []byte, ok bool) {
	if data, ok = beginning(t.Root, name); ok {
		t.saw(name)
	}
	return data, ok
}

// beginning is that of a regular file.
func beginning(root *os.Root, name string) ([]byte, bool) {
	f, _, err := rooted.Open(root, name)
	if err != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(f, MaxConfig))
	return data, err == nil
}

// saw notes a file that detection depends on.
func (t *Tree) saw(name string) {
	if t.Seen != nil {
		t.Seen[path.Clean(name)] = true
	}
}

// First gives the first of names that exists in dir.
func (t *Tree) First(dir string, names ...string) string {
	for _, name := range names {
		if t.Exists(path.Join(dir, name)) {
			t.saw(path.Join(dir, name))
			return name
		}
	}
	return ""
}

// Up looks for name in dir and its parents up to the root and gives the path
// relative to dir ("../../node_modules"), or "".
func (t *Tree) Up(dir, name string) string {
	prefix := ""
	for {
		// Installed dependencies may be links to a store outside the
		// repository: they are only looked at, so plain os is enough.
		if _, err := os.Stat(filepath.Join(t.Abs, filepath.FromSlash(dir), filepath.FromSlash(name))); err == nil {
			return prefix + name
		}
		if dir == "." {
			return ""
		}
		dir, prefix = path.Dir(dir), prefix+"../"
	}
}

// Installed reads the beginning of a file of an installed dependency; name is
// relative to dir and may climb.
func (t *Tree) Installed(dir, name string) ([]byte, bool) {
	at := filepath.Join(t.Abs, filepath.FromSlash(dir), filepath.FromSlash(name))
	root, err := os.OpenRoot(filepath.Dir(at))
	if err != nil {
		return nil, false
	}
	defer func() { _ = root.Close() }() // only read
	return beginning(root, filepath.Base(at))
}

// Holds reports whether the name of a file below dir satisfies want, within the bounds.
func (t *Tree) Holds(dir string, want func(name string) bool) bool {
	return t.HoldsPath(dir, func(file string) bool { return want(path.Base(file)) })
}

// HoldsPath is Holds for the paths of files.
func (t *Tree) HoldsPath(dir string, want func(file string) bool) (holds bool) {
	t.Below(dir, func(folder string) bool { return Skipped(path.Base(folder)) && !packages.MatchString("/"+folder) }, func(file string) bool {
		holds = want(file)
		return !holds
	})
	return holds
}

// Below visits the files below dir until visit returns false, without the folders to skip
// and hidden ones. whole says that it saw all of them, within the bounds.
func (t *Tree) Below(dir string, skip func(folder string) bool, visit func(file string) bool) (whole bool) {
	queue, seen := []string{dir}, 0
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, e := range t.List(at) {
			if seen++; seen > 10*MaxFolders {
				return false
			}
			if e.IsDir() {
				if in := path.Join(at, e.Name()); !skip(in) && !strings.HasPrefix(e.Name(), ".") {
					queue = append(queue, in)
				}
				continue
			}
			if !visit(path.Join(at, e.Name())) {
				return false
			}
		}
	}
	return true
}

// packages are where folders are called as packages of Java are, whatever that is.
var packages = pattern.New(`/src/(?:main|test)/(?:java|kotlin|scala|groovy)/`)

// Aside reports whether a path lies in a folder that holds nothing of the
// project's own suite: installed packages, samples that tests read, build
// output, hidden folders.
func Aside(file string) bool {
	if at := packages.FindStringIndex("/" + file); at != nil {
		file = file[:at[0]] + "/x"
	}
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if Skipped(dir) || strings.HasPrefix(dir, ".") && dir != "." {
			return true
		}
	}
	return false
}

// AmongSources reports whether a folder is called as samples are ("templates") and is one
// of the folders of the project's sources: what lies there may be its own.
func AmongSources(dir string) bool {
	parent, name := path.Split(dir)
	return slices.Contains(aside, name) && sources.MatchString(parent)
}

var sources = pattern.New(`(?:^|/)(?:src|lib|app)/`)

// Manifests reads the files of a name below a folder, within the bounds.
func Manifests(tree *os.Root, dir, file string, found func(dir string, raw []byte)) {
	seen := 0
	_ = fs.WalkDir(tree.FS(), path.Clean(cmp.Or(dir, ".")), func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read has none
		case e.IsDir() && name != "." && name != dir && (Skipped(e.Name()) || e.Name()[0] == '.'):
			return fs.SkipDir
		case e.IsDir():
			if seen++; seen > MaxFolders {
				return fs.SkipAll
			}
		case e.Name() == file:
			if raw, ok := RegularFile(tree, name); ok {
				found(path.Dir(name), raw)
			}
		}
		return nil
	})
}

func RegularFile(tree *os.Root, name string) ([]byte, bool) {
	info, err := tree.Lstat(filepath.FromSlash(name))
	if err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	return beginning(tree, name)
}
