package framework

import (
	"iter"
	"path"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// Places are the names under which interpreters and runners look for the code of a
// project. What appears under one while a suite runs may be loaded in its place.
type Places struct {
	known    map[string]bool // files and their directories
	modules  map[string]bool // paths without their extension, and directories of code; true where an import finds it
	packages map[string]bool // names of Python's packages, wherever they lie
}

var (
	// importable are extensions that an import leaves out, compiled those that carry
	// the platform before theirs.
	importable = pattern.New(`\.(?:py|[cm]?[jt]sx?|node)$`)
	platform   = pattern.New(`(?:\.[\w-]+)?\.(?:so|pyd)$`)
	entry      = pattern.New(`(?:^|/)(?:__init__\.py|index\.[cm]?[jt]sx?)$`)
	declares   = pattern.New(`\.d\.[cm]?ts$`)
)

// PlacesOf are those of a project's files.
func PlacesOf(files iter.Seq[string]) Places {
	p := Places{known: map[string]bool{}, modules: map[string]bool{}, packages: map[string]bool{}}
	for name := range files {
		p.known[name] = true
		stem := moduleOf(name)
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			p.known[dir] = true
			if stem != "" {
				p.modules[dir] = p.modules[dir] || entry.MatchString(name) && dir == path.Dir(name)
			}
		}
		if stem != "" {
			p.modules[stem] = true
		}
		if dir := path.Dir(name); path.Base(name) == "__init__.py" && !pyFolder.MatchString(name) {
			p.packages[path.Base(dir)] = true
		}
	}
	return p
}

// moduleOf is the path under which code is imported; empty for what is no code.
func moduleOf(name string) string {
	for _, of := range []*pattern.Pattern{platform, importable} {
		if at := of.FindStringIndex(name); at != nil && !declares.MatchString(name) {
			return name[:at[0]]
		}
	}
	return ""
}

// kept are files in which programs keep what happened, and no code.
var kept = pattern.New(`(?:^|/)coverage/|\.(?:log|pid|lock|tmp|db|sqlite3?|tsbuildinfo)$`)

// Kept reports whether a file that git does not know is one in which programs keep what
// happened: suites write those as they run.
func Kept(name string) bool { return kept.MatchString(name) }

// Known reports whether the project has a file or directory.
func (p Places) Known(name string) bool { return p.known[name] }

// Takes reports whether something new of a name may be loaded in the place of what
// the project has: byte code, a module or package that is found first, packages nearer by, a file of a
// Go package, what configures a runner.
func (p Places) Takes(name string) bool {
	if p.known[name] {
		return false
	}
	dir, base := path.Dir(name), path.Base(name)
	stem := moduleOf(name)
	if stem == "" && path.Ext(base) == "" {
		stem = name // a directory, or a link to one
	}
	switch {
	case base == "node_modules", path.Base(dir) == "node_modules" && base[0] != '.': // nearer than others, but for tools' caches
		return true
	case path.Ext(base) == ".pyc", Configures(name):
		return true
	case path.Ext(base) == ".go":
		return p.known[dir] || dir == "."
	case stem == "":
		return false
	}
	if _, had := p.modules[stem]; had {
		return true
	}
	python := path.Ext(base) == ".py" || platform.MatchString(base) || stem == name
	return python && (p.packages[path.Base(stem)] || stem != name && shadows.MatchString(strings.TrimSuffix(base, ".py")))
}

// Covers reports whether a new file of the project is found under the name of another
// one that it has: a package beside a module, the same in another language, a package
// of a name that there is elsewhere.
func (p Places) Covers(name string) bool {
	stem := moduleOf(name)
	if stem == "" || p.known[name] {
		return false
	}
	if entry.MatchString(name) {
		dir := path.Dir(name)
		return p.modules[dir] && dir != "." || path.Ext(name) == ".py" && p.packages[path.Base(dir)]
	}
	return p.modules[stem] || path.Ext(name) == ".py" && p.packages[path.Base(stem)]
}
