package python

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// What declares a Python project's dependencies and settings.

// pyproject is the part of pyproject.toml that matters here.
type pyproject struct {
	Project struct {
		Dependencies []string            `toml:"dependencies"`
		Optional     map[string][]string `toml:"optional-dependencies"`
	} `toml:"project"`
	Groups map[string][]any `toml:"dependency-groups"`
	Tool   struct {
		Pytest   *pytestTable              `toml:"pytest"`
		Coverage map[string]map[string]any `toml:"coverage"`
		Poetry   map[string]any            `toml:"poetry"`
		UV       map[string]any            `toml:"uv"`
		PDM      map[string]any            `toml:"pdm"`
		Hatch    map[string]any            `toml:"hatch"`
	} `toml:"tool"`
}

// pytestTable is what pyproject.toml, or pytest.toml, says to pytest.
type pytestTable struct {
	Options map[string]any `toml:"ini_options"`
	Addopts any            `toml:"addopts"`
	Paths   any            `toml:"testpaths"`
}

func readPyproject(p *project.Project) (pyproject, bool) {
	var out pyproject
	data, ok := p.Read(path.Join(p.Dir, "pyproject.toml"))
	if !ok {
		return out, false
	}
	// A file with other errors still says what was read up to them.
	err := toml.Unmarshal(data, &out)
	return out, err == nil
}

var requirementName = pattern.New(`^\s*([A-Za-z0-9][\w.-]*)`)

// requires finds a requirement by name in lines like "pytest>=8 ; python…".
func requires(lines []string, name string) string {
	for _, line := range lines {
		if m := requirementName.FindStringSubmatch(line); m != nil && project.Normal(m[1]) == name {
			line, _, _ = strings.Cut(line, "#")
			line, _, _ = strings.Cut(line, ";")
			line, _, _ = strings.Cut(line, " --hash")
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), "\\"))
		}
	}
	return ""
}

// requirement looks a distribution up in everything that declares Python
// dependencies, and says where it stands.
func requirement(p *project.Project, name string, py pyproject) (where, what string) {
	if r := requires(py.Project.Dependencies, name); r != "" {
		return "pyproject.toml dependencies", r
	}
	for _, extra := range slices.Sorted(maps.Keys(py.Project.Optional)) {
		if r := requires(py.Project.Optional[extra], name); r != "" {
			return "pyproject.toml extra " + extra, r
		}
	}
	for _, group := range slices.Sorted(maps.Keys(py.Groups)) {
		if r := requires(settings.Strings(py.Groups[group]), name); r != "" {
			return "pyproject.toml group " + group, r
		}
	}
	for _, tool := range []struct {
		name string
		list map[string]any
	}{{"poetry", py.Tool.Poetry}, {"uv", py.Tool.UV}, {"pdm", py.Tool.PDM}, {"hatch", py.Tool.Hatch}} {
		if r := nested(tool.list, name, 0); r != "" {
			return "pyproject.toml tool." + tool.name, r
		}
	}
	return requirementFiles(p, name)
}

// requirementFiles looks into requirements files, setup.py and Pipfile.
func requirementFiles(p *project.Project, name string) (where, what string) {
	var files []string
	for _, dir := range []string{p.Dir, path.Join(p.Dir, "requirements")} {
		for _, e := range p.List(dir) {
			n := e.Name()
			in := dir != p.Dir || strings.Contains(n, "requirements") || strings.HasPrefix(n, "test-req") || strings.HasPrefix(n, "dev-req")
			if in && (strings.HasSuffix(n, ".txt") || strings.HasSuffix(n, ".in") || strings.HasSuffix(n, ".lock")) {
				files = append(files, path.Join(dir, n))
			}
		}
	}
	slices.Sort(files)
	for _, f := range files {
		data, _ := p.Read(f)
		if r := requires(strings.Split(string(data), "\n"), name); r != "" {
			rel, _ := folder.Below(f, folder.FromDot(p.Dir))
			return rel, r
		}
	}
	quotedName := regexp.MustCompile(`["']` + regexp.QuoteMeta(name) + `\s*(?:[<>=~!\[][^"']*)?["']`)
	for _, f := range []string{"setup.py", "Pipfile", "noxfile.py"} {
		if data, ok := p.Read(path.Join(p.Dir, f)); ok {
			if m := quotedName.Find(data); m != nil {
				return f, strings.Trim(string(m), `"'`)
			}
			if f == "Pipfile" && regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(name)+`\s*=`).Match(data) {
				return f, name
			}
		}
	}
	if data, ok := p.Read(path.Join(p.Dir, "setup.cfg")); ok {
		if m := regexp.MustCompile(`(?m)^\s+(` + regexp.QuoteMeta(name) + `\s*(?:[<>=~!].*)?)$`).FindSubmatch(data); m != nil {
			return "setup.cfg", string(m[1])
		}
	}
	return "", ""
}

// nested finds a dependency in a tool's own tables of dependencies.
func nested(table map[string]any, name string, depth int) string {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		switch v := table[key].(type) {
		case map[string]any:
			if strings.Contains(key, "dependencies") {
				for _, dep := range slices.Sorted(maps.Keys(v)) {
					if project.Normal(dep) == name {
						return strings.TrimSpace(dep + " " + settings.Text(v[dep]))
					}
				}
			}
			if depth < 6 {
				if r := nested(v, name, depth+1); r != "" {
					return r
				}
			}
		case []any:
			if r := requires(settings.Strings(v), name); r != "" {
				return r
			}
		}
	}
	return ""
}

// pythonInstall is the hint for a distribution that is missing, by what declares it.
func pythonInstall(p *project.Project, name string) diagnosis.Diagnosis {
	in := func(line string) diagnosis.Diagnosis {
		return p.Lacking(name+" is not installed", shell.InDir(folder.FromDot(p.Dir), line))
	}
	switch {
	case p.Exists(path.Join(p.Dir, "uv.lock")):
		return in("uv sync")
	case p.Exists(path.Join(p.Dir, "poetry.lock")):
		return in("poetry config virtualenvs.in-project true --local && poetry install")
	case p.Exists(path.Join(p.Dir, "pdm.lock")):
		return in("pdm sync --dev")
	case p.Exists(path.Join(p.Dir, "Pipfile.lock")):
		return in("PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev")
	}
	py, _ := readPyproject(p)
	where, _ := requirement(p, name, py)
	if extra, ok := strings.CutPrefix(where, "pyproject.toml extra "); ok {
		return in("python3 -m venv .venv && .venv/bin/pip install -e " + wording.Quote(".["+extra+"]"))
	}
	if group, ok := strings.CutPrefix(where, "pyproject.toml group "); ok {
		return in("python3 -m venv .venv && .venv/bin/pip install --group " + wording.Quote(group))
	}
	if strings.HasSuffix(where, ".txt") || strings.HasSuffix(where, ".lock") {
		return in("python3 -m venv .venv && .venv/bin/pip install -r " + wording.Quote(where))
	}
	return in("python3 -m venv .venv && .venv/bin/pip install " + name)
}
