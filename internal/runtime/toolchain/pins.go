package toolchain

import (
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/Masterminds/semver/v3"
	"github.com/pelletier/go-toml/v2"
)

// Pins are the versions that a tree asks for, by package: a range, or the version
// of a lock file, which may speak of packages that this platform does not have.
type Pins map[string]Pin

// Pin is one of them, with the file that says so.
type Pin struct {
	Spec, File string
	// Locked says that it stands in a lock file only.
	Locked bool
}

// Changed keeps the pins that another tree does not have.
func (p Pins) Changed(other Pins) Pins {
	out := maps.Clone(p)
	maps.DeleteFunc(out, func(name string, pin Pin) bool {
		was, ok := other[name]
		return ok && was.Spec == pin.Spec
	})
	return out
}

// NodePins are the direct dependencies of a directory.
func NodePins(fsys fs.FS, dir string) Pins {
	data, _ := Tree{fsys, nil}.read(dir, "package.json")
	var p struct {
		Dependencies    map[string]string `json:"dependencies"`
		DevDependencies map[string]string `json:"devDependencies"`
	}
	pins := Pins{}
	if json.Unmarshal([]byte(data), &p) != nil {
		return pins
	}
	for _, list := range []map[string]string{p.DevDependencies, p.Dependencies} {
		for name, spec := range list {
			pins[name] = Pin{Spec: spec, File: path.Join(dir, "package.json")}
		}
	}
	return pins
}

// NodeSatisfies reports whether a version is inside a range of npm; known is false
// for what is no range: a path, an address, a tag.
func NodeSatisfies(spec, version string) (fits, known bool) {
	constraint, err := semver.NewConstraint(spec)
	v, wrong := semver.NewVersion(version)
	if err != nil || wrong != nil {
		return false, false
	}
	return constraint.Check(v), true
}

var (
	requirement = pattern.New(`^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([=<>!~][^;#)\\]*)?\)?\s*(\\?)$`)
	lockEntry   = pattern.New(`(?m)^name = "([^"\n]+)"\nversion = "([^"\n]+)"`)
	comment     = pattern.New(`\s+#.*$`)
)

// PythonPins are the requirements of a directory and what its lock file has.
func PythonPins(fsys fs.FS, dir string) Pins {
	t, pins := Tree{fsys, nil}, Pins{}
	for _, file := range []string{"pdm.lock", "poetry.lock", "uv.lock"} {
		data, _ := t.read(dir, file)
		for _, m := range lockEntry.FindAllStringSubmatch(data, -1) {
			pins[PythonName(m[1])] = Pin{Spec: "==" + m[2], File: path.Join(dir, file), Locked: true}
		}
	}
	data, _ := t.read(dir, "pyproject.toml")
	var project struct {
		Project struct {
			Dependencies []string `toml:"dependencies"`
		} `toml:"project"`
	}
	if toml.Unmarshal([]byte(data), &project) == nil {
		for _, line := range project.Project.Dependencies {
			pins.require(line, path.Join(dir, "pyproject.toml"))
		}
	}
	for _, name := range testsOf(fsys, dir).Files {
		data, _ := t.read(dir, name)
		for line := range strings.Lines(data) {
			pins.require(comment.ReplaceAllString(strings.TrimSpace(line), ""), path.Join(dir, name))
		}
	}
	return pins
}

// require notes a requirement. One under a condition may not hold here, and one
// that a lock file has is said there.
func (p Pins) require(line, file string) {
	m := requirement.FindStringSubmatch(strings.TrimSpace(line))
	if m == nil || p[PythonName(m[1])].Locked {
		return
	}
	p[PythonName(m[1])] = Pin{Spec: strings.TrimSpace(m[2]), File: file}
}

var separators = pattern.New(`[-_.]+`)

// PythonName is how names of distributions are compared.
func PythonName(name string) string {
	return strings.ToLower(separators.ReplaceAllString(name, "-"))
}

// PythonSatisfies reports whether a version is inside a list of specifiers; known
// is false for versions that are not made of numbers alone.
func PythonSatisfies(spec, version string) (fits, known bool) {
	if exact, ok := strings.CutPrefix(spec, "=="); ok && !strings.ContainsAny(exact, ",*") {
		exact, _, _ = strings.Cut(strings.TrimSpace(exact), "+")
		version, _, _ = strings.Cut(version, "+")
		return exact == version || compareDotted(exact, version) == 0 && plainVersion.MatchString(exact) && plainVersion.MatchString(version), true
	}
	check, err := pythonSpec(spec)
	if err != nil || !plainVersion.MatchString(version) {
		return false, false
	}
	return check(version), true
}

var plainVersion = pattern.New(`^[0-9]+(\.[0-9]+)*$`)
