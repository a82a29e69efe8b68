package toolchain

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/pattern"
)

// MeetsUV reports that uv.lock has, of everything that pyproject.toml asks for in its
// dependencies, extras and groups, a version that it asks for. uv calls a lock outdated
// that says the same in other words, such as those of another version of uv; what it
// installs as it stands is what the project wants all the same. A package of another
// source than a registry or the workspace is not judged: then it does not.
func MeetsUV(fsys fs.FS, dir string) bool {
	t := Tree{fsys, nil}
	lock, _ := t.read(dir, "uv.lock")
	data, _ := t.read(dir, "pyproject.toml")
	var p projectFile
	if lock == "" || toml.Unmarshal([]byte(data), &p) != nil || p.Project == nil || len(p.Tool.UV.Metadata) > 0 {
		return false
	}
	for _, source := range p.Tool.UV.Sources {
		if of, ok := source.(map[string]any); !ok || of["workspace"] != true {
			return false
		}
	}
	locked := map[string][]string{}
	for _, m := range lockEntry.FindAllStringSubmatch(lock, -1) {
		locked[PythonName(m[1])] = append(locked[PythonName(m[1])], m[2])
	}
	lines := slices.Concat(p.Project.Dependencies, p.Tool.UV.Dev)
	for _, extra := range p.Project.Extras {
		lines = append(lines, extra...)
	}
	for _, group := range p.Groups {
		for _, line := range group {
			if line, ok := line.(string); ok { // else it names another group
				lines = append(lines, line)
			}
		}
	}
	own := PythonName(p.Project.Name)
	return !slices.ContainsFunc(lines, func(line string) bool { return !meets(line, own, locked) || !extrasIn(lock, own, line) })
}

// extrasIn reports that the lock has the extras that a requirement asks for of another
// project.
func extrasIn(lock, project, line string) bool {
	m := extras.FindStringSubmatch(line)
	if m == nil || PythonName(m[1]) == project {
		return true
	}
	var wanted []string
	for _, extra := range strings.Split(m[2], ",") {
		wanted = append(wanted, `"`+PythonName(strings.TrimSpace(extra))+`"`)
	}
	slices.Sort(wanted)
	return strings.Contains(lock, `name = "`+PythonName(m[1])+`", extras = [`+strings.Join(wanted, ", ")+"]")
}

var extras = pattern.New(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*\[([^\]]*)\]`)

// meets reports that one of the locked versions is what a requirement asks for.
func meets(line, project string, locked map[string][]string) bool {
	line, _, _ = strings.Cut(line, ";")
	m := requirement.FindStringSubmatch(strings.TrimSpace(line))
	if m == nil {
		return false
	}
	name, spec := PythonName(m[1]), strings.TrimSpace(m[2])
	if name == project && spec == "" {
		return true // its own extras
	}
	return slices.ContainsFunc(locked[name], func(version string) bool {
		fits, known := PythonSatisfies(spec, version)
		return fits && known || spec == ""
	})
}
