package toolchain

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
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
		} `toml:"uv"`
		Hatch struct {
			Envs map[string]hatchEnv `toml:"envs"`
		} `toml:"hatch"`
	} `toml:"tool"`
}

type hatchEnv struct {
	Dependencies []string `toml:"dependencies"`
	Extra        []string `toml:"extra-dependencies"`
	Features     []string `toml:"features"`
	Groups       []string `toml:"dependency-groups"`
}

type poetryTable struct {
	Name         string              `toml:"name"`
	Dependencies map[string]any      `toml:"dependencies"`
	Dev          map[string]any      `toml:"dev-dependencies"`
	Extras       map[string][]string `toml:"extras"`
	Group        map[string]struct {
		Dependencies map[string]any `toml:"dependencies"`
	} `toml:"group"`
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
	for _, name := range slices.Sorted(maps.Keys(p.Groups)) {
		r.list(spare{name: name, file: "pyproject.toml", group: true, lines: groupLines(p.Groups, name, 0)})
	}
	r.poetry(p.Tool.Poetry)
	for _, name := range slices.Sorted(maps.Keys(p.Tool.PDM.Dev)) {
		r.plain("pyproject.toml tool.pdm", p.Tool.PDM.Dev[name]...)
	}
	r.plain("pyproject.toml tool.uv", p.Tool.UV.Dev...)
	for _, name := range []string{"hatch-test", "test", "tests", "default"} {
		e := p.Tool.Hatch.Envs[name]
		r.plain("pyproject.toml tool.hatch", slices.Concat(e.Dependencies, e.Extra)...)
		for _, f := range e.Features {
			r.extra(f)
		}
		r.groups(e.Groups)
	}
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
		if listName.MatchString(name) && !slices.Contains(r.out.Groups, name) {
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

// groupLines are the requirements of a dependency group with those it includes.
func groupLines(groups map[string][]any, name string, depth int) []string {
	var out []string
	if depth > 8 {
		return nil
	}
	for _, item := range groups[name] {
		switch v := item.(type) {
		case string:
			out = append(out, v)
		case map[string]any:
			if other, ok := v["include-group"].(string); ok {
				out = append(out, groupLines(groups, other, depth+1)...)
			}
		}
	}
	return out
}

// poetry reads poetry's own tables, whose versions are written in its own way.
func (r *pythonReader) poetry(p poetryTable) {
	if p.Name != "" && r.out.Project == "" {
		r.out.Project = PythonName(p.Name)
		for name, v := range p.Dependencies {
			if line := poetryLine(name, v); line != "" {
				r.needs([]string{line})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Extras)) {
		if slices.Contains(testNames, name) {
			r.extra(name)
		}
	}
	tables := map[string]map[string]any{"dev-dependencies": p.Dev}
	for name, g := range p.Group {
		if slices.Contains(testNames, name) || name == "dev" {
			tables["group."+name] = g.Dependencies
		}
	}
	for _, where := range slices.Sorted(maps.Keys(tables)) {
		for _, name := range slices.Sorted(maps.Keys(tables[where])) {
			r.plain("pyproject.toml tool.poetry."+where, poetryLine(name, tables[where][name]))
		}
	}
}

var caret = regexp.MustCompile(`^([\^~])\s*([0-9]+)(?:\.([0-9]+))?`)

// poetryLine writes a dependency of poetry or pipenv as a requirement. What comes
// from a path or an address is left to them.
func poetryLine(name string, v any) string {
	version, extras, marker := "", "", ""
	switch v := v.(type) {
	case string:
		version = v
	case map[string]any:
		for _, elsewhere := range []string{"path", "git", "url", "file"} {
			if v[elsewhere] != nil {
				return ""
			}
		}
		version, _ = v["version"].(string)
		if list, ok := v["extras"].([]any); ok {
			extras = "[" + strings.Join(texts(list), ",") + "]"
		}
		if v["optional"] == true {
			return ""
		}
		if m, ok := v["markers"].(string); ok {
			marker = "; " + m
		}
		if v["python"] != nil {
			return "" // under a condition of its own kind
		}
	default:
		return ""
	}
	if name == "python" {
		return ""
	}
	version = strings.TrimSpace(version)
	if m := caret.FindStringSubmatch(version); m != nil {
		version = bounded(m[1], m[2], m[3], strings.TrimSpace(version[1:]))
	}
	if version == "*" || strings.Contains(version, "||") {
		version = ""
	}
	if version != "" && strings.IndexAny(version, "<>=!~") != 0 {
		version = "==" + version
	}
	return name + extras + version + marker
}

// bounded writes what poetry's caret and tilde allow as a range.
func bounded(op, major, minor, full string) string {
	next := func(n string) string {
		for i := len(n) - 1; i >= 0; i-- {
			if n[i] != '9' {
				return n[:i] + string(n[i]+1) + strings.Repeat("0", len(n)-1-i)
			}
		}
		return "1" + strings.Repeat("0", len(n))
	}
	if op == "^" && major != "0" || minor == "" {
		return ">=" + full + ",<" + next(major)
	}
	return ">=" + full + ",<" + major + "." + next(minor)
}

func texts(list []any) []string {
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// setuptools reads setup.cfg, and of setup.py what stands there as plain text: it is
// a program, and is not run to be asked.
func (r *pythonReader) setuptools() {
	if data, ok := r.read("setup.cfg"); ok {
		cfg := sections(data)
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
	setupName     = regexp.MustCompile(`\bname\s*=\s*["']([^"']+)["']`)
	setupExtra    = regexp.MustCompile(`["']([\w-]+)["']\s*:\s*\[([^\]]*)\]`)
	setupTests    = regexp.MustCompile(`\btests_require\s*=\s*\[([^\]]*)\]`)
	setupRequires = regexp.MustCompile(`\binstall_requires\s*=\s*\[([^\]]*)\]`)
	quotedText    = regexp.MustCompile(`["']([^"'\n]+)["']`)
)

func quotedIn(text string) []string {
	var out []string
	for _, m := range quotedText.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// requirementNames are how files of requirements for tests are named.
var requirementNames = regexp.MustCompile(`(?i)^(?:(?:requirements|reqs|constraints)[-_.]?)?(?:dev|devel|development|test|tests|testing|tests?[-_]requirements|dev[-_]requirements|ci)(?:[-_]?(?:requirements|requires))?\.txt$`)

// requirementFiles finds requirements.txt and the files for tests beside it.
func (r *pythonReader) requirementFiles() {
	for _, dir := range []string{".", "requirements", "tests", "test", "testing"} {
		entries, _ := fs.ReadDir(r.t.fsys, path.Join(r.dir, dir))
		for _, e := range entries {
			name := e.Name()
			switch {
			case e.IsDir() || !strings.HasSuffix(name, ".txt"):
			case name == "requirements.txt" && dir != "requirements",
				requirementNames.MatchString(name) && (dir == "." || dir == "requirements" || strings.Contains(name, "req")):
				if !strings.HasPrefix(strings.ToLower(name), "constraints") {
					r.file(path.Join(dir, name))
				}
			}
		}
	}
}
