package framework

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
)

// Bounds of the look around: real monorepos stay far below, a hostile
// repository does not hold us up.
const (
	maxDepth   = 6
	maxFolders = 5000
	maxConfig  = 1 << 20 // bytes read of one file
)

// skipped reports whether a folder holds no packages of the repository itself, or
// such as show how to use it; a target in the configuration can still name it.
func skipped(folder string) bool {
	return aside[folder] || language.IsInstalled(folder) || language.IsVendored(folder) || language.IsBuilt(folder) || language.IsTrace(folder)
}

// aside are such folders of no language in particular.
var aside = set("testdata __fixtures__ fixtures coverage venv env third_party examples example templates website")

// tree reads a repository and nothing outside of it.
type tree struct {
	root    *os.Root
	abs     string
	machine Machine
	seen    map[string]bool // the files of the repository that were looked at
}

// packages lists dir and the folders below that hold a file by which a
// framework's project is known, parents first, sorted.
func (t *tree) packages(dir string) []string {
	out, known := []string{dir}, markers()
	queue, seen := []string{dir}, 0
	for depth := 0; depth < maxDepth && len(queue) > 0; depth++ {
		var next []string
		for _, at := range queue {
			for _, e := range t.list(at) {
				name := e.Name()
				if !e.IsDir() || skipped(name) || strings.HasPrefix(name, ".") || seen >= maxFolders {
					continue
				}
				seen++
				next = append(next, path.Join(at, name))
			}
		}
		queue = next
		for _, at := range queue {
			if slices.ContainsFunc(known, func(m string) bool { return t.exists(path.Join(at, m)) }) {
				out = append(out, at)
			}
		}
	}
	slices.Sort(out)
	return out
}

// markers are the files that make a folder a project of its own.
func markers() []string {
	return append(language.Manifests(), joined(func(a Adapter) []string { return a.Signs.Markers })...)
}

func (t *tree) list(dir string) []fs.DirEntry {
	entries, err := fs.ReadDir(t.root.FS(), dir)
	if err != nil {
		return nil
	}
	return entries
}

func (t *tree) exists(name string) bool {
	_, err := t.root.Stat(name)
	return err == nil
}

// read gives the beginning of a regular file; ok is false when there is none.
func (t *tree) read(name string) (data []byte, ok bool) {
	if info, err := t.root.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	f, err := t.root.Open(name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	t.saw(name)
	data, err = io.ReadAll(io.LimitReader(f, maxConfig))
	return data, err == nil
}

// saw notes a file that detection depends on.
func (t *tree) saw(name string) {
	if t.seen != nil {
		t.seen[path.Clean(name)] = true
	}
}

// first gives the first of names that exists in dir.
func (t *tree) first(dir string, names ...string) string {
	for _, name := range names {
		if t.exists(path.Join(dir, name)) {
			t.saw(path.Join(dir, name))
			return name
		}
	}
	return ""
}

// up looks for name in dir and its parents up to the root and gives the path
// relative to dir ("../../node_modules"), or "".
func (t *tree) up(dir, name string) string {
	prefix := ""
	for {
		// Installed dependencies may be links to a store outside the
		// repository: they are only looked at, so plain os is enough.
		if _, err := os.Stat(filepath.Join(t.abs, filepath.FromSlash(dir), filepath.FromSlash(name))); err == nil {
			return prefix + name
		}
		if dir == "." {
			return ""
		}
		dir, prefix = path.Dir(dir), prefix+"../"
	}
}

// installed reads the beginning of a file of an installed dependency; name is
// relative to dir and may climb.
func (t *tree) installed(dir, name string) ([]byte, bool) {
	f, err := os.Open(filepath.Join(t.abs, filepath.FromSlash(dir), filepath.FromSlash(name)))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	data, err := io.ReadAll(io.LimitReader(f, maxConfig))
	return data, err == nil
}

// holds reports whether a file below dir satisfies want, within the bounds.
func (t *tree) holds(dir string, want func(name string) bool) bool {
	queue, seen := []string{dir}, 0
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, e := range t.list(at) {
			if seen++; seen > 10*maxFolders {
				return false
			}
			if e.IsDir() {
				if !skipped(e.Name()) && !strings.HasPrefix(e.Name(), ".") {
					queue = append(queue, path.Join(at, e.Name()))
				}
				continue
			}
			if want(e.Name()) {
				return true
			}
		}
	}
	return false
}

// Aside reports whether a path lies in a folder that holds nothing of the
// project's own suite: installed packages, samples that tests read, build
// output, hidden folders.
func Aside(file string) bool {
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if skipped(dir) || strings.HasPrefix(dir, ".") && dir != "." {
			return true
		}
	}
	return false
}

// manifests reads the files of a name below a folder, within the bounds.
func manifests(tree *os.Root, dir, file string, found func(dir string, raw []byte)) {
	seen := 0
	_ = fs.WalkDir(tree.FS(), path.Clean(or(dir, ".")), func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read has none
		case e.IsDir() && name != "." && name != dir && (skipped(e.Name()) || e.Name()[0] == '.'):
			return fs.SkipDir
		case e.IsDir():
			if seen++; seen > maxFolders {
				return fs.SkipAll
			}
		case e.Name() == file:
			if raw, ok := regularFile(tree, name); ok {
				found(path.Dir(name), raw)
			}
		}
		return nil
	})
}
