// Package loads says which files of a repository a file may load, by its text alone. It
// says more than is so rather than less: words of a comment count as well. What cannot
// be read from a text is a doubt. Start at [New].
package loads

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
)

// Loads is what one file may load.
type Loads struct {
	Files []string // of the repository, sorted
	// Doubt is what of the text may load more than can be read from it; empty is nothing.
	Doubt string
}

// Tree is the files of a repository.
type Tree struct {
	files   map[string]bool
	folders map[string]bool
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
	t := &Tree{files: map[string]bool{}, folders: map[string]bool{}, modules: map[string][]string{}, packages: map[string]bool{}, declared: map[string]map[string]bool{}}
	for _, name := range files {
		t.files[name] = true
		for dir := path.Dir(name); dir != "." && !t.folders[dir]; dir = path.Dir(dir) {
			t.folders[dir] = true
		}
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

// Named are the files that a configuration has loaded before the tests: every word of it
// that is the path of a file, from its folder or from the root. Of a package.json those
// count that runners are told of, and of Python's, where a plugin is named, every module.
func (t *Tree) Named(name string, src []byte) []string {
	var out []string
	words := word.FindAllString(string(src), -1)
	switch base := path.Base(name); {
	case base == "package.json":
		words = told(src)
	case language.Of(name).Name == "python" || language.Steers(base) || path.Ext(base) == ".ini":
		for _, m := range plugins.FindAllStringSubmatch(string(src), -1) {
			out = append(out, t.absolute(m[1])...)
		}
		if !plugged.Match(src) {
			return out
		}
		for _, w := range words {
			out = append(out, t.absolute(w)...)
		}
	default:
		words = append(words, joined(src)...)
	}
	return append(out, t.paths(words, path.Dir(name))...)
}

// Quoted are the files that the strings of a file name, from its folder, from another one
// or from the root: of one that a configuration has loaded, which may be a part of it.
func (t *Tree) Quoted(name string, src []byte, from string) []string {
	return t.paths(append(joined(src), literals(src)...), path.Dir(name), from)
}

// paths are the files that words name, from some folders or from the root.
func (t *Tree) paths(words []string, from ...string) (out []string) {
	for _, w := range words {
		w = strings.TrimPrefix(w, "<rootDir>/")
		for _, dir := range append(from, ".") {
			if file := t.scriptAt(path.Join(dir, w)); file != "" {
				out = append(out, file)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var (
	word = pattern.New(`[\w@<][\w@./~>-]*|\.[\w./-]+`)
	// plugged has pytest, or Django, load what the project brings, plugins name what pytest
	// does.
	plugged = pattern.New(`pytest11|SETTINGS_MODULE|PYTEST_PLUGINS`)
	plugins = pattern.New(`["'\s=]-p["'\s=,]*([A-Za-z_][\w.]*)`)
	// preloaded is what a script tells a runner to load first.
	preloaded = pattern.New(`(?:\s|^)(?:-r|--require|--import|--loader|--experimental-loader|--file|--globals?|--setup\w*|--preload)[= ]+["']?([^\s"']+)`)
)

// told are the words of package.json that runners are told of.
func told(src []byte) []string {
	var m map[string]json.RawMessage
	if json.Unmarshal(src, &m) != nil {
		return word.FindAllString(string(src), -1)
	}
	var out []string
	for _, found := range preloaded.FindAllStringSubmatch(string(m["scripts"]), -1) {
		out = append(out, found[1])
	}
	for _, key := range []string{"jest", "mocha", "ava", "tap", "vitest", "borp"} {
		out = append(out, word.FindAllString(string(m[key]), -1)...)
	}
	return out
}
