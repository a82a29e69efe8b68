// Package toolchain reads which versions of Node.js, Go, Python and of package
// managers a repository asks for, and how its dependencies are installed. It is
// pure: it reads files of a tree and knows no network. Start at [Resolve].
package toolchain

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
)

// Want is a version that a file asks for.
type Want struct {
	// Spec is the version, range or alias as it stands there: "20", ">=3.9,<4",
	// "lts/*", "1.22".
	Spec string `json:"spec"`
	// Source says where: "package.json engines.node".
	Source string `json:"source"`
}

// Wants is everything a directory asks for; an empty Spec is no wish, a nil Want
// a language that is not used there.
type Wants struct {
	Node   *Want `json:"node,omitempty"`
	Go     *Want `json:"go,omitempty"`
	Python *Want `json:"python,omitempty"`
	// Manager is the package manager where there is a package.json.
	Manager *Manager `json:"manager,omitempty"`
}

// Manager is a JavaScript package manager.
type Manager struct {
	Name    string `json:"name"` // npm, pnpm, yarn, bun
	Version Want   `json:"version"`
	// Hash is "algorithm.hex" of the package's archive, when it was pinned.
	Hash string `json:"hash,omitempty"`
}

// Resolve looks at dir, relative to the root of fsys, and up to the root: the
// nearest file wins, and of one directory the first in the order that the
// language's own tools use. Files that do not parse count as not there.
func Resolve(fsys fs.FS, dir string) Wants {
	var w Wants
	t := At(fsys, dir)
	if t.uses("javascript") {
		w.Node = t.first(nodeSources)
		w.Manager = t.manager()
	}
	if t.uses("go") {
		w.Go = t.first(goSources)
	}
	if t.uses("python") || t.hasAny("uv.lock", "poetry.lock", "pdm.lock", "pytest.ini", "tox.ini") {
		w.Python = t.first(pythonSources)
	}
	return w
}

// source reads one kind of file in one directory.
type source struct {
	file string
	read func(data string) (spec, key string)
}

// Tree is a directory of a repository with its parents.
type Tree struct {
	fsys fs.FS
	dirs []string // nearest first
}

// At gives the tree of a directory relative to the root of fsys.
func At(fsys fs.FS, dir string) Tree { return Tree{fsys, Upwards(dir)} }

// Upwards lists a directory, slash separated, and its parents up to the root.
func Upwards(dir string) []string {
	dir = path.Clean(strings.TrimSuffix("./"+dir, "/"))
	var out []string
	for ; ; dir = path.Dir(dir) {
		out = append(out, dir)
		if dir == "." || dir == "/" {
			return out
		}
	}
}

// uses reports whether a file says that something of a language is installed.
func (t Tree) uses(name string) bool {
	p := language.Named(name).Project
	return t.hasAny(slices.Concat(p.Manifests, p.Requirements)...)
}

func (t Tree) hasAny(names ...string) bool {
	for _, dir := range t.dirs {
		for _, name := range names {
			if _, err := fs.Stat(t.fsys, path.Join(dir, name)); err == nil {
				return true
			}
		}
	}
	return false
}

// maxFile bounds what is read of a file.
const maxFile = 4 << 20

func (t Tree) read(dir, name string) (string, bool) {
	info, err := fs.Stat(t.fsys, path.Join(dir, name))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return "", false
	}
	data, err := fs.ReadFile(t.fsys, path.Join(dir, name))
	return string(data), err == nil
}

// first gives the nearest wish; an empty one when there is none.
func (t Tree) first(sources []source) *Want {
	for _, dir := range t.dirs {
		for _, s := range sources {
			data, ok := t.read(dir, s.file)
			if !ok {
				continue
			}
			if spec, key := s.read(data); spec != "" {
				where := path.Join(dir, s.file)
				if key != "" {
					where += " " + key
				}
				return &Want{Spec: spec, Source: where}
			}
		}
	}
	return &Want{}
}

// ErrNoVersion is wrapped when nothing that there is fits a wish.
var ErrNoVersion = errors.New("no version fits")

// firstLine is the wish of files that hold nothing else.
func firstLine(data string) (spec, key string) {
	for line := range strings.Lines(data) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			return line, ""
		}
	}
	return "", ""
}

// toolVersions reads a line of .tool-versions: "nodejs 20.1.0".
func toolVersions(names ...string) func(string) (string, string) {
	return func(data string) (string, string) {
		for line := range strings.Lines(data) {
			line, _, _ = strings.Cut(line, "#")
			fields := strings.Fields(line)
			for _, name := range names {
				if len(fields) > 1 && fields[0] == name && fields[1] != "system" && !strings.HasPrefix(fields[1], "path:") {
					return strings.TrimPrefix(fields[1], "ref:"), name
				}
			}
		}
		return "", ""
	}
}
