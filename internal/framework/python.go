package framework

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/process"
)

// python is an interpreter and where its packages lie.
type python struct {
	program string   // relative to the project, or a name on PATH
	site    []string // absolute package folders
	from    string   // why it was chosen; empty for PATH
}

// venvs are the usual names of virtual environments inside a repository; uv,
// and poetry with virtualenvs.in-project, use .venv.
var venvs = []string{".venv", "venv", "env", ".env", "virtualenv"}

// interpreter picks the Python that has the project's dependencies.
func (p *project) interpreter() python {
	for _, name := range venvs {
		if p.up(p.dir, name+"/pyvenv.cfg") == "" {
			continue
		}
		for _, exe := range []string{"bin/python", "Scripts/python.exe"} {
			if at := p.up(p.dir, path.Join(name, exe)); at != "" {
				home := strings.TrimSuffix(at, "/"+exe)
				return python{program: at, from: home, site: sites(filepath.Join(p.abs, filepath.FromSlash(p.dir), filepath.FromSlash(home)))}
			}
		}
	}
	for _, name := range []string{"python3", "python"} {
		if at, err := process.LookPath(name); err == nil {
			return python{program: name, site: p.pathSites(at)}
		}
	}
	return python{program: "python3"}
}

// sites lists the package folders below an installation prefix.
func sites(prefix string) []string {
	var out []string
	for _, pattern := range []string{"lib/python3*/site-packages", "lib/python3*/dist-packages", "lib64/python3*/site-packages", "local/lib/python3*/dist-packages", "Lib/site-packages"} {
		found, _ := filepath.Glob(filepath.Join(prefix, filepath.FromSlash(pattern))) // the patterns are well formed
		out = append(out, found...)
	}
	return out
}

// pathSites finds the packages of an interpreter on PATH.
func (p *project) pathSites(program string) []string {
	bin := filepath.Dir(program)
	// pyenv puts scripts before the real interpreters.
	if filepath.Base(bin) == "shims" {
		versions := filepath.Join(filepath.Dir(bin), "versions")
		for _, file := range []string{filepath.Join(p.abs, ".python-version"), filepath.Join(filepath.Dir(bin), "version")} {
			if data, err := os.ReadFile(file); err == nil {
				name, _, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
				if filepath.IsLocal(name) {
					return sites(filepath.Join(versions, name))
				}
			}
		}
		return nil
	}
	out := sites(filepath.Dir(bin))
	if real, err := filepath.EvalSymlinks(program); err == nil && filepath.Dir(real) != bin {
		out = append(out, sites(filepath.Dir(filepath.Dir(real)))...)
	}
	if home, err := os.UserHomeDir(); err == nil {
		out = append(out, sites(filepath.Join(home, ".local"))...)
	}
	return out
}

// version of an installed distribution, read from its metadata folder's name;
// empty when it is not installed.
func (py python) version(distribution string) string {
	want := normal(distribution)
	for _, site := range py.site {
		entries, err := os.ReadDir(site)
		if err != nil {
			continue
		}
		for _, e := range entries {
			name, ok := strings.CutSuffix(e.Name(), ".dist-info")
			if !ok {
				continue
			}
			if dist, version, ok := strings.Cut(name, "-"); ok && normal(dist) == want {
				return version
			}
		}
	}
	return ""
}

var separators = regexp.MustCompile(`[-_.]+`)

// normal is a distribution's name as PEP 503 compares it.
func normal(name string) string { return separators.ReplaceAllString(strings.ToLower(name), "-") }

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
		parts := make([]string, 0, len(v))
		for _, item := range v {
			if s, ok := item.(string); ok {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, " ")
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
	lists := []struct {
		where string
		lines []string
	}{{"pyproject.toml dependencies", py.Project.Dependencies}}
	for _, group := range sortedKeys(py.Project.Optional) {
		lists = append(lists, struct {
			where string
			lines []string
		}{"pyproject.toml extra " + group, py.Project.Optional[group]})
	}
	for _, group := range sortedKeys(py.Groups) {
		lists = append(lists, struct {
			where string
			lines []string
		}{"pyproject.toml group " + group, strings.Split(text2lines(py.Groups[group]), "\n")})
	}
	for _, l := range lists {
		if r := requires(l.lines, name); r != "" {
			return l.where, r
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
			if r := requires(strings.Split(text2lines(v), "\n"), name); r != "" {
				return r
			}
		}
	}
	return ""
}

func text2lines(list []any) string {
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n")
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
