package toolchain

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/language"
)

// Needs are what an installation follows from, by file: the parts of manifests
// that speak of dependencies, and lock files. Trees with the same needs can run
// with one installation.
type Needs map[string]string

// Differ lists the files in which two trees need different things, sorted.
func (n Needs) Differ(other Needs) []string {
	changed, made := each.Differ(n, other)
	return slices.Sorted(slices.Values(append(changed, made...)))
}

// Digest stands for all of them.
func (n Needs) Digest() string {
	h := sha256.New()
	for _, file := range slices.Sorted(maps.Keys(n)) {
		_, _ = h.Write([]byte(file + "\x00" + n[file] + "\x00"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// add notes a file if it is there, by what is left of it. One that is too large to
// take parts from counts whole.
func (n Needs) add(fsys fs.FS, file string, part func(data string) string) {
	if data, ok := (Tree{fsys, nil}).read(path.Dir(file), path.Base(file)); ok && part != nil {
		sum := sha256.Sum256([]byte(part(data)))
		n[file] = hex.EncodeToString(sum[:])
		return
	}
	if info, err := fs.Stat(fsys, file); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := fsys.Open(file)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err == nil {
		n[file] = hex.EncodeToString(h.Sum(nil))
	}
}

// nodeFiles and pythonFiles say whole what is installed, or from where.
var (
	nodeFiles   = whole("javascript")
	pythonFiles = append(whole("python"), "Pipfile", "setup.py")
)

func whole(name string) []string {
	p := language.Named(name).Project
	return slices.Concat(p.Locks, p.Settings)
}

// nodeKeys are the parts of package.json that an installation reads.
var nodeKeys = []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta",
	"dependenciesMeta", "bundleDependencies", "bundledDependencies", "overrides", "resolutions", "pnpm", "packageManager",
	"workspaces", "engines", "devEngines"}

// MayNeed reports whether a file of that name, slash separated, can be one that
// needs are read from.
func MayNeed(name string) bool {
	base := path.Base(name)
	return base == "package.json" || base == "lerna.json" || base == "pyproject.toml" || base == "setup.cfg" || strings.HasSuffix(base, ".patch") ||
		slices.Contains(nodeFiles, base) || slices.Contains(pythonFiles, base) ||
		strings.HasSuffix(base, ".txt") && (strings.Contains(base, "requirements") || strings.Contains(base, "constraints") || path.Base(path.Dir(name)) == "requirements")
}

// NodeNeeds are those of the installation in a directory with its workspaces.
func NodeNeeds(fsys fs.FS, dir string) Needs {
	n := Needs{}
	for _, file := range nodeFiles {
		n.add(fsys, path.Join(dir, file), nil)
	}
	for _, folder := range []string{"patches", ".yarn/patches"} {
		patches, _ := fs.Glob(fsys, path.Join(dir, folder, "*.patch"))
		for _, file := range patches {
			n.add(fsys, file, nil)
		}
	}
	for _, member := range append([]string{dir}, members(fsys, dir)...) {
		n.add(fsys, path.Join(member, "package.json"), packageNeeds)
	}
	return n
}

func packageNeeds(data string) string {
	var all map[string]json.RawMessage
	if json.Unmarshal([]byte(data), &all) != nil {
		return data
	}
	kept := map[string]any{}
	for _, key := range nodeKeys {
		var value any
		if raw, ok := all[key]; ok && json.Unmarshal(raw, &value) == nil {
			kept[key] = value
		}
	}
	return canonical(kept)
}

// canonical writes maps in the order of their keys.
func canonical(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// PythonNeeds are those of the environment for a directory.
func PythonNeeds(fsys fs.FS, dir string) Needs {
	n := Needs{}
	for _, file := range pythonFiles {
		n.add(fsys, path.Join(dir, file), nil)
	}
	for _, pattern := range []string{"*requirements*.txt", "*constraints*.txt", "requirements/*.txt"} {
		files, _ := fs.Glob(fsys, path.Join(dir, pattern))
		for _, file := range files {
			n.add(fsys, file, nil)
		}
	}
	n.add(fsys, path.Join(dir, "pyproject.toml"), projectNeeds)
	n.add(fsys, path.Join(dir, "setup.cfg"), configNeeds)
	return n
}

// projectKeys are the parts of pyproject.toml that an installation reads.
var projectKeys = []string{"build-system", "dependency-groups",
	"project.name", "project.dependencies", "project.optional-dependencies", "project.requires-python", "project.dynamic",
	"tool.poetry.dependencies", "tool.poetry.dev-dependencies", "tool.poetry.group", "tool.poetry.extras", "tool.poetry.source",
	"tool.pdm.dev-dependencies", "tool.pdm.source", "tool.pdm.resolution", "tool.uv", "tool.pixi"}

func projectNeeds(data string) string {
	var all map[string]any
	if toml.Unmarshal([]byte(data), &all) != nil {
		return data
	}
	kept := map[string]any{}
	for _, key := range projectKeys {
		var at any = all
		for part := range strings.SplitSeq(key, ".") {
			table, _ := at.(map[string]any)
			at = table[part]
		}
		if at != nil {
			kept[key] = at
		}
	}
	return canonical(kept)
}

var cfgSection = pattern.New(`^\[([^\]]*)\]`)

// configNeeds keeps the sections of setup.cfg that setuptools installs by.
func configNeeds(data string) string {
	var out strings.Builder
	in := false
	for line := range strings.Lines(data) {
		if m := cfgSection.FindStringSubmatch(line); m != nil {
			in = m[1] == "options" || strings.HasPrefix(m[1], "options.")
		}
		if in {
			out.WriteString(line)
		}
	}
	return out.String()
}
