package toolchain

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

const (
	// maxMembers bounds how many directories count as members of a workspace.
	maxMembers = 2000
	// maxPatterns bounds how many patterns are held against each of them; beyond it
	// every package counts as a member.
	maxPatterns = 1000
)

var yamlItem = pattern.New(`(?m)^\s*-\s*['"]?([^'"#\s]+)`)

// members lists the directories, below dir and relative to the root of fsys, that
// the manifests of dir name as packages of one workspace; sorted.
func members(fsys fs.FS, dir string) []string {
	patterns := memberPatterns(fsys, dir)
	if len(patterns) == 0 {
		return nil
	}
	var out []string
	_ = fs.WalkDir(fsys, path.Clean(dir), func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is no member
		case len(out) >= maxMembers:
			return fs.SkipAll
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir() || d.Name() != "package.json" || path.Dir(name) == path.Clean(dir):
			return nil
		}
		member := path.Dir(name)
		rel := member
		if clean := path.Clean(dir); clean != "." {
			rel = strings.TrimPrefix(member, clean+"/")
		}
		if isMember(patterns, rel) {
			out = append(out, member)
		}
		return nil
	})
	slices.Sort(out)
	return out
}

func memberPatterns(fsys fs.FS, dir string) []string {
	t := Tree{fsys, nil}
	var patterns []string
	for _, file := range []string{"package.json", "lerna.json"} {
		data, _ := t.read(dir, file)
		var p struct {
			Workspaces json.RawMessage `json:"workspaces"`
			Packages   []string        `json:"packages"`
		}
		if json.Unmarshal([]byte(data), &p) != nil {
			continue
		}
		var list []string
		var object struct {
			Packages []string `json:"packages"`
		}
		if json.Unmarshal(p.Workspaces, &list) != nil && json.Unmarshal(p.Workspaces, &object) == nil {
			list = object.Packages
		}
		patterns = append(patterns, list...)
		if file == "lerna.json" {
			patterns = append(patterns, p.Packages...)
		}
	}
	data, _ := t.read(dir, "pnpm-workspace.yaml")
	return append(patterns, firstGroups(yamlItem, data)...)
}

// isMember reports whether a directory matches one of the patterns and none of those
// that begin with "!".
func isMember(patterns []string, dir string) bool {
	if len(patterns) > maxPatterns {
		return true
	}
	in := false
	for _, pattern := range patterns {
		pattern, not := strings.CutPrefix(pattern, "!")
		if matchParts(strings.Split(path.Clean(pattern), "/"), strings.Split(dir, "/")) {
			if not {
				return false
			}
			in = true
		}
	}
	return in
}

// matchParts matches part by part; "**" stands for any number of them. It notes how
// many parts what it has seen of the pattern may stand for, so that a pattern full
// of "**" costs no more than its length times that of the path.
func matchParts(pattern, parts []string) bool {
	now := make([]bool, len(parts)+1)
	now[0] = true
	for _, p := range pattern {
		next := make([]bool, len(parts)+1)
		for i, reached := range now {
			switch {
			case p == "**":
				next[i] = reached || i > 0 && next[i-1]
			case reached && i < len(parts):
				ok, err := path.Match(p, parts[i])
				next[i+1] = ok && err == nil
			}
		}
		now = next
	}
	return now[len(parts)]
}

// hooks are the scripts of package.json that an installation runs.
var hooks = []string{"preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"}

var localPackage = pattern.New(`["'@\s](file|link|portal|patch|exec):`)

// managerSettings are the files in which a project names programs of its own that
// a package manager is, loads or starts.
var managerSettings = map[string]*pattern.Pattern{
	".yarnrc.yml": pattern.New(`(?m)^\s*(?:yarnPath|plugins)\s*:`),
	".yarnrc":     pattern.New(`(?m)^\s*yarn-path\b`),
	".npmrc":      pattern.New(`(?m)^\s*(?:git|shell|script-shell|node-options)\s*=`),
}

// UsesProject reports whether files of the project take part in the installation
// of a directory: scripts run them, or they are packages themselves.
func UsesProject(fsys fs.FS, dir string) bool {
	t := Tree{fsys, nil}
	if _, ok := t.read(dir, ".pnpmfile.cjs"); ok {
		return true
	}
	for file, runs := range managerSettings {
		if data, ok := t.read(dir, file); ok && runs.MatchString(data) {
			return true
		}
	}
	for _, member := range append([]string{dir}, members(fsys, dir)...) {
		data, _ := t.read(member, "package.json")
		var p struct {
			Scripts map[string]string `json:"scripts"`
		}
		if json.Unmarshal([]byte(data), &p) != nil || localPackage.MatchString(data) {
			return true
		}
		for _, hook := range hooks {
			if p.Scripts[hook] != "" {
				return true
			}
		}
	}
	_, err := fs.Stat(fsys, path.Join(dir, "binding.gyp")) // npm builds it
	return err == nil
}

// OwnNames are the names of the packages that the installation in a directory is
// for, its workspaces among them, by their directories.
func OwnNames(fsys fs.FS, dir string) map[string]string {
	names := map[string]string{}
	for _, member := range append(members(fsys, dir), dir) {
		if p := nameOf(fsys, member); p.Name != "" {
			names[p.Name] = member
		}
	}
	return names
}

// SelfName is the package that code in a directory is part of, when it finds that
// by its own name: Node.js looks into the nearest package.json first if it has
// exports.
func SelfName(fsys fs.FS, dir string) string {
	for _, dir := range Upwards(dir) {
		if _, err := fs.Stat(fsys, path.Join(dir, "package.json")); err != nil {
			continue
		}
		if p := nameOf(fsys, dir); len(p.Exports) > 0 && string(p.Exports) != "null" {
			return p.Name
		}
		return ""
	}
	return ""
}

type packageName struct {
	Name    string          `json:"name"`
	Exports json.RawMessage `json:"exports"`
}

func nameOf(fsys fs.FS, dir string) packageName {
	var p packageName
	data, _ := Tree{fsys, nil}.read(dir, "package.json")
	if json.Unmarshal([]byte(data), &p) != nil || !fs.ValidPath(p.Name) {
		return packageName{}
	}
	return p
}
