package framework

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/org/qa-action/internal/rooted"
)

// python is an interpreter and where its packages lie.
type python struct {
	program string   // relative to the project, or a name on PATH
	site    []string // absolute package folders
	// packages are its distributions by normal name; nil: look into site.
	packages map[string]string
	from     string // why it was chosen; empty for PATH
}

// venvs are the usual names of virtual environments inside a repository; uv,
// and poetry with virtualenvs.in-project, use .venv.
var venvs = []string{".venv", "venv", "env", ".env", "virtualenv"}

// interpreter picks the Python that has the project's dependencies.
func (p *project) interpreter() python {
	if !p.machine.Activated {
		if py, ok := p.environment(); ok {
			return py
		}
	}
	for _, name := range []string{"python3", "python"} {
		at, err := p.machine.LookPath(name)
		if err != nil {
			continue
		}
		if p.machine.Packages == nil {
			return python{program: name, site: p.pathSites(at)}
		}
		py := python{program: name, packages: map[string]string{}}
		for distribution, version := range p.machine.Packages(at) {
			py.packages[normal(distribution)] = version
		}
		return py
	}
	return python{program: "python3"}
}

// environment is the virtual environment that lies in the repository.
func (p *project) environment() (python, bool) {
	for _, name := range venvs {
		if p.up(p.dir, name+"/pyvenv.cfg") == "" {
			continue
		}
		for _, exe := range []string{"bin/python", "Scripts/python.exe"} {
			if at := p.up(p.dir, path.Join(name, exe)); at != "" {
				home := strings.TrimSuffix(at, "/"+exe)
				return python{program: at, from: home, site: sites(filepath.Join(p.abs, filepath.FromSlash(p.dir), filepath.FromSlash(home)))}, true
			}
		}
	}
	return python{}, false
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
			if data, err := rooted.ReadIn(filepath.Dir(file), filepath.Base(file), maxConfig); err == nil {
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
	return out // not those of a home: the code has a home of its own
}

// version of an installed distribution, read from its metadata folder's name;
// empty when it is not installed.
func (py python) version(distribution string) string {
	want := normal(distribution)
	if py.packages != nil {
		return py.packages[want]
	}
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
