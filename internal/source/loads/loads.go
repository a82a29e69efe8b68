// Package loads says which files of a repository a file may load, by its text alone. It
// says more than is so rather than less: words of a comment count as well. What cannot
// be read from a text is a doubt. Start at [New].
package loads

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
)

// Loads is what one file may load.
type Loads struct {
	Files []string // of the repository, sorted
	// Doubt is what of the text may load more than can be read from it; empty is nothing.
	Doubt string
}

// Tree is the files of a repository.
type Tree struct {
	files map[string]bool
	// modules are the files and folders of Python by their name, wherever they lie.
	modules map[string][]string
	// packages are the packages of npm that the repository is, by name, and what those
	// around a folder declare.
	packages map[string]bool
	declared map[string]map[string]bool
}

// New is a tree of files, slash separated. read gives the text of a file, nil where it
// cannot be read.
func New(files []string, read func(name string) []byte) *Tree {
	t := &Tree{files: map[string]bool{}, modules: map[string][]string{}, packages: map[string]bool{}, declared: map[string]map[string]bool{}}
	for _, name := range files {
		t.files[name] = true
		t.python(name)
		if path.Base(name) == "package.json" {
			t.npm(path.Dir(name), read(name))
		}
	}
	return t
}

// Readable reports whether what a file loads can be read from its text.
func Readable(name string) bool { return reader(name) != nil }

func reader(name string) func(t *Tree, name string, src []byte, test bool) Loads {
	switch l := language.Of(name); l.Name {
	case "javascript", "typescript":
		return (*Tree).script
	case "python":
		return (*Tree).pythonFile
	}
	return nil
}

// Of is what a file may load; ok is false where that cannot be read. test says that it is
// a test, or there for tests: of those it is also asked whether they look for files.
func (t *Tree) Of(name string, src []byte, test bool) (l Loads, ok bool) {
	read := reader(name)
	if read == nil {
		return Loads{}, false
	}
	l = read(t, name, src, test)
	slices.Sort(l.Files)
	l.Files = slices.DeleteFunc(slices.Compact(l.Files), func(f string) bool { return f == name })
	return l, true
}

// Named are the files that texts in quotes name, from the folder of a file and from the
// root: what a configuration has loaded before the tests.
func (t *Tree) Named(name string, src []byte) []string {
	var out []string
	for _, m := range quoted.FindAllSubmatch(src, -1) {
		text := string(m[1]) + string(m[2]) + string(m[3])
		text = strings.TrimPrefix(text, "<rootDir>/")
		for _, at := range []string{path.Join(path.Dir(name), text), path.Clean(text)} {
			if file := t.scriptAt(at); file != "" {
				out = append(out, file)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
