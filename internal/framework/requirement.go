package framework

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
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
		Pytest *struct {
			Options  map[string]any `toml:"ini_options"`
			Addopts  any            `toml:"addopts"`
			Paths    any            `toml:"testpaths"`
			MinVer   any            `toml:"minversion"`
			Patterns any            `toml:"python_files"`
		} `toml:"pytest"`
		Coverage map[string]map[string]any `toml:"coverage"`
		Poetry   map[string]any            `toml:"poetry"`
		UV       map[string]any            `toml:"uv"`
		PDM      map[string]any            `toml:"pdm"`
		Hatch    map[string]any            `toml:"hatch"`
	} `toml:"tool"`
}

func (p *project) pyproject() (pyproject, bool) {
	var out pyproject
	data, ok := p.read(path.Join(p.dir, "pyproject.toml"))
	if !ok {
		return out, false
	}
	// A file with other errors still says what was read up to them.
	err := toml.Unmarshal(data, &out)
	return out, err == nil
}

// ini gives the values of one section of an INI file: "key = value" with
// continuation lines, which setup.cfg, tox.ini and pytest.ini share.
func ini(data []byte, section string) (map[string]string, bool) {
	var out map[string]string
	key := ""
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), "\r\n")
		trimmed := strings.TrimSpace(text)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, ";"):
		case strings.HasPrefix(text, "["):
			key = ""
			if strings.TrimSpace(text) == "["+section+"]" {
				if out == nil {
					out = map[string]string{}
				}
				key = "\x00"
			}
		case key == "":
		case (text[0] == ' ' || text[0] == '\t') && key != "\x00":
			out[key] = strings.TrimSpace(out[key] + " " + trimmed)
		default:
			if name, value, ok := strings.Cut(trimmed, "="); ok {
				key = strings.TrimSpace(name)
				out[key] = strings.TrimSpace(value)
			}
		}
	}
	return out, out != nil
}

// text gives a TOML value, a list or a string, as one string of words.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		return strings.Join(stringsOf(v), " ")
	}
	return ""
}

var requirementName = regexp.MustCompile(`^\s*([A-Za-z0-9][\w.-]*)`)

// requires finds a requirement by name in lines like "pytest>=8 ; python…".
func requires(lines []string, name string) string {
	for _, line := range lines {
		if m := requirementName.FindStringSubmatch(line); m != nil && normal(m[1]) == name {
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
func (p *project) requirement(name string, py pyproject) (where, what string) {
	if r := requires(py.Project.Dependencies, name); r != "" {
		return "pyproject.toml dependencies", r
	}
	for _, extra := range sortedKeys(py.Project.Optional) {
		if r := requires(py.Project.Optional[extra], name); r != "" {
			return "pyproject.toml extra " + extra, r
		}
	}
	for _, group := range sortedKeys(py.Groups) {
		if r := requires(stringsOf(py.Groups[group]), name); r != "" {
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
	return p.requirementFiles(name)
}

// requirementFiles looks into requirements files, setup.py and Pipfile.
func (p *project) requirementFiles(name string) (where, what string) {
	var files []string
	for _, dir := range []string{p.dir, path.Join(p.dir, "requirements")} {
		for _, e := range p.list(dir) {
			n := e.Name()
			in := dir != p.dir || strings.Contains(n, "requirements") || strings.HasPrefix(n, "test-req") || strings.HasPrefix(n, "dev-req")
			if in && (strings.HasSuffix(n, ".txt") || strings.HasSuffix(n, ".in") || strings.HasSuffix(n, ".lock")) {
				files = append(files, path.Join(dir, n))
			}
		}
	}
	slices.Sort(files)
	for _, f := range files {
		data, _ := p.read(f)
		if r := requires(strings.Split(string(data), "\n"), name); r != "" {
			rel, _ := below(f, fromDot(p.dir))
			return rel, r
		}
	}
	quotedName := regexp.MustCompile(`["']` + regexp.QuoteMeta(name) + `\s*(?:[<>=~!\[][^"']*)?["']`)
	for _, f := range []string{"setup.py", "Pipfile", "noxfile.py"} {
		if data, ok := p.read(path.Join(p.dir, f)); ok {
			if m := quotedName.Find(data); m != nil {
				return f, strings.Trim(string(m), `"'`)
			}
			if f == "Pipfile" && regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(name)+`\s*=`).Match(data) {
				return f, name
			}
		}
	}
	if data, ok := p.read(path.Join(p.dir, "setup.cfg")); ok {
		if m := regexp.MustCompile(`(?m)^\s+(` + regexp.QuoteMeta(name) + `\s*(?:[<>=~!].*)?)$`).FindSubmatch(data); m != nil {
			return "setup.cfg", string(m[1])
		}
	}
	return "", ""
}

// nested finds a dependency in a tool's own tables of dependencies.
func nested(table map[string]any, name string, depth int) string {
	for _, key := range sortedKeys(table) {
		switch v := table[key].(type) {
		case map[string]any:
			if strings.Contains(key, "dependencies") {
				for _, dep := range sortedKeys(v) {
					if normal(dep) == name {
						return strings.TrimSpace(dep + " " + text(v[dep]))
					}
				}
			}
			if depth < 6 {
				if r := nested(v, name, depth+1); r != "" {
					return r
				}
			}
		case []any:
			if r := requires(stringsOf(v), name); r != "" {
				return r
			}
		}
	}
	return ""
}

// stringsOf keeps the strings of a TOML list.
func stringsOf(list []any) []string {
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// pythonInstall is the hint for missing dependencies, by what declares them.
func (p *project) pythonInstall() string {
	in := func(line string) string {
		return "pytest is not installed; run: " + inDir(fromDot(p.dir), line)
	}
	switch {
	case p.exists(path.Join(p.dir, "uv.lock")):
		return in("uv sync")
	case p.exists(path.Join(p.dir, "poetry.lock")):
		return in("poetry config virtualenvs.in-project true --local && poetry install")
	case p.exists(path.Join(p.dir, "pdm.lock")):
		return in("pdm sync --dev")
	case p.exists(path.Join(p.dir, "Pipfile.lock")):
		return in("PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev")
	}
	py, _ := p.pyproject()
	where, _ := p.requirement("pytest", py)
	if extra, ok := strings.CutPrefix(where, "pyproject.toml extra "); ok {
		return in("python3 -m venv .venv && .venv/bin/pip install -e " + quote(".["+extra+"]"))
	}
	if group, ok := strings.CutPrefix(where, "pyproject.toml group "); ok {
		return in("python3 -m venv .venv && .venv/bin/pip install --group " + quote(group))
	}
	if strings.HasSuffix(where, ".txt") || strings.HasSuffix(where, ".lock") {
		return in("python3 -m venv .venv && .venv/bin/pip install -r " + quote(where))
	}
	return in("python3 -m venv .venv && .venv/bin/pip install pytest")
}
