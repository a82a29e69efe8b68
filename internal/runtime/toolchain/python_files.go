package toolchain

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/ini"
)

// testNames are the customary names of extras and groups for tests. One that is
// named like that is taken; others only where they name a runner and nothing else
// does.
var testNames = []string{"test", "tests", "testing", "unittest", "unittests", "pytest"}

// projectFile is what pyproject.toml says of dependencies.
type projectFile struct {
	Build   map[string]any `toml:"build-system"`
	Project *struct {
		Name         string              `toml:"name"`
		Dependencies []string            `toml:"dependencies"`
		Extras       map[string][]string `toml:"optional-dependencies"`
	} `toml:"project"`
	Groups map[string][]any `toml:"dependency-groups"`
	Tool   struct {
		Poetry poetryTable `toml:"poetry"`
		PDM    struct {
			Dev map[string][]string `toml:"dev-dependencies"`
		} `toml:"pdm"`
		UV struct {
			Dev     []string `toml:"dev-dependencies"`
			Package *bool    `toml:"package"`
			// Conflicts are extras and groups that exclude each other.
			Conflicts uvConflicts `toml:"conflicts"`
			// Sources and Metadata say where packages come from, and what they need.
			Sources  map[string]any `toml:"sources"`
			Metadata []any          `toml:"dependency-metadata"`
		} `toml:"uv"`
		Hatch hatchTable `toml:"hatch"`
	} `toml:"tool"`
}

// project reads pyproject.toml.
func (r *pythonReader) project() {
	data, ok := r.read("pyproject.toml")
	if !ok {
		return
	}
	var p projectFile
	_ = toml.Unmarshal([]byte(data), &p) // what was read before an error counts
	r.out.Builds = len(p.Build) > 0 || p.Project != nil || p.Tool.Poetry.Name != ""
	if p.Tool.UV.Package != nil && !*p.Tool.UV.Package {
		r.out.Builds = false
	}
	if r.out.Builds {
		r.source("pyproject.toml")
	}
	if p.Project != nil {
		r.out.Project = PythonName(p.Project.Name)
		r.needs(p.Project.Dependencies)
		for _, name := range slices.Sorted(maps.Keys(p.Project.Extras)) {
			r.list(spare{name: name, file: "pyproject.toml", lines: p.Project.Extras[name]})
		}
	}
	groups := groupReader{of: p.Groups, left: maxGroupLines}
	for _, name := range slices.Sorted(maps.Keys(p.Groups)) {
		r.list(spare{name: name, file: "pyproject.toml", group: true, lines: groups.lines(name, map[string]bool{})})
	}
	r.poetry(p.Tool.Poetry)
	for _, name := range slices.Sorted(maps.Keys(p.Tool.PDM.Dev)) {
		r.plain("pyproject.toml tool.pdm", p.Tool.PDM.Dev[name]...)
	}
	r.plain("pyproject.toml tool.uv", p.Tool.UV.Dev...)
	p.Tool.Hatch.take(r, "pyproject.toml tool.hatch")
}

// list takes an extra or a group that is named like tests, and keeps others.
func (r *pythonReader) list(s spare) {
	if !slices.Contains(testNames, PythonName(s.name)) {
		r.spare = append(r.spare, s)
		return
	}
	r.take(s)
}

func (r *pythonReader) take(s spare) {
	if s.group {
		r.groups([]string{s.name})
	} else {
		r.extra(s.name)
	}
	r.needs(s.lines)
	r.source(s.file)
}

func (r *pythonReader) groups(names []string) {
	for _, name := range names {
		if listName.MatchString(name) && r.seen.first("group", name) {
			r.out.Groups = append(r.out.Groups, name)
		}
	}
}

// widen takes the smallest of the other extras and groups that names a runner.
func (r *pythonReader) widen() {
	var best *spare
	for i, s := range r.spare {
		names := func(line string) bool { return slices.Contains(runners, requiredName(line)) }
		if slices.ContainsFunc(s.lines, names) && (best == nil || len(s.lines) < len(best.lines)) {
			best = &r.spare[i]
		}
	}
	if best != nil {
		r.take(*best)
	}
}

// maxGroupLines bounds what all dependency groups together spell out; projects have
// hundreds of lines.
const maxGroupLines = 20_000

// groupReader spells out dependency groups.
type groupReader struct {
	of   map[string][]any
	left int
}

// lines are the requirements of a group with those of the groups it includes, each of
// them once.
func (g *groupReader) lines(name string, seen map[string]bool) []string {
	if seen[name] {
		return nil
	}
	seen[name] = true
	var out []string
	for _, item := range g.of[name] {
		if g.left--; g.left < 0 {
			return out
		}
		switch v := item.(type) {
		case string:
			out = append(out, v)
		case map[string]any:
			if other, ok := v["include-group"].(string); ok {
				out = append(out, g.lines(other, seen)...)
			}
		}
	}
	return out
}

// setuptools reads setup.cfg, and of setup.py what stands there as plain text: it is
// a program, and is not run to be asked.
func (r *pythonReader) setuptools() {
	if data, ok := r.read("setup.cfg"); ok {
		cfg := ini.Sections(data)
		if name := cfg["metadata"]["name"]; name != "" {
			r.out.Builds = true
			if r.out.Project == "" {
				r.out.Project = PythonName(name)
			}
		}
		r.needs(lines(cfg["options"]["install_requires"]))
		r.plain("setup.cfg", lines(cfg["options"]["tests_require"])...)
		extras := cfg["options.extras_require"]
		for _, name := range slices.Sorted(maps.Keys(extras)) {
			r.list(spare{name: name, file: "setup.cfg", lines: lines(extras[name])})
		}
	}
	data, ok := r.read("setup.py")
	if !ok {
		return
	}
	r.out.Builds = true
	r.source("setup.py")
	if m := setupName.FindStringSubmatch(data); m != nil && r.out.Project == "" {
		r.out.Project = PythonName(m[1])
	}
	for _, m := range setupExtra.FindAllStringSubmatch(data, -1) {
		r.list(spare{name: m[1], file: "setup.py", lines: quotedIn(m[2])})
	}
	if m := setupTests.FindStringSubmatch(data); m != nil {
		r.plain("setup.py", quotedIn(m[1])...)
	}
	if m := setupRequires.FindStringSubmatch(data); m != nil {
		r.needs(quotedIn(m[1]))
	}
}

var (
	setupName     = pattern.New(`\bname\s*=\s*["']([^"']+)["']`)
	setupExtra    = pattern.New(`["']([\w-]+)["']\s*:\s*\[([^\]]*)\]`)
	setupTests    = pattern.New(`\btests_require\s*=\s*\[([^\]]*)\]`)
	setupRequires = pattern.New(`\binstall_requires\s*=\s*\[([^\]]*)\]`)
	quotedText    = pattern.New(`["']([^"'\n]+)["']`)
)

func quotedIn(text string) []string { return firstGroups(quotedText, text) }

// firstGroups are what the first group of a pattern matched, each time.
func firstGroups(p *pattern.Pattern, text string) []string {
	return each.Of(p.FindAllStringSubmatch(text, -1), func(m []string) string { return m[1] })
}

// testFile and devFile are how files of requirements for tests and for developers are
// named.
var (
	testFile = requirementName(`tests?|testing|tests?[-_]requirements|ci`)
	devFile  = requirementName(`dev|devel|development|dev[-_]requirements`)
)

func requirementName(what string) *pattern.Pattern {
	return pattern.New(`(?i)^(?:(?:requirements|reqs)[-_.]?)?(?:` + what + `)(?:[-_]?(?:requirements|requires))?\.txt$`)
}

// requirementFiles finds requirements.txt and the files for tests beside it; those for
// developers, who install more than tests need, where there are none for tests.
func (r *pythonReader) requirementFiles() {
	var tests, devs []string
	for _, dir := range []string{".", "requirements", "tests", "test", "testing"} {
		entries, _ := fs.ReadDir(r.t.fsys, path.Join(r.dir, dir))
		for _, e := range entries {
			name, at := e.Name(), path.Join(dir, e.Name())
			named := dir == "." || dir == "requirements" || strings.Contains(name, "req")
			switch {
			case e.IsDir():
			case name == "requirements.txt" && dir != "requirements":
				r.file(at)
			case named && testFile.MatchString(name):
				tests = append(tests, at)
			case named && devFile.MatchString(name):
				devs = append(devs, at)
			}
		}
	}
	if len(tests) == 0 {
		tests = devs
	}
	for _, name := range tests {
		r.file(name)
	}
}
