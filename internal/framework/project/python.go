package project

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/rooted"
)

// Python is an interpreter and where its packages lie.
type Python struct {
	Program string   // relative to the project, or a name on PATH
	site    []string // absolute package folders
	// packages are its distributions by normal name; nil: look into site.
	packages map[string]string
	From     string // why it was chosen; empty for PATH
}

// venvs are the usual names of virtual environments inside a repository; uv,
// and poetry with virtualenvs.in-project, use .venv.
var venvs = []string{".venv", "venv", "env", ".env", "virtualenv"}

// Interpreter picks the Python that has the project's dependencies.
func (p *Project) Interpreter() Python {
	if !p.Machine.Activated {
		if py, ok := p.environment(); ok {
			return py
		}
	}
	for _, name := range []string{"python3", "python"} {
		at, err := p.Machine.LookPath(name)
		if err != nil {
			continue
		}
		if p.Machine.Packages == nil {
			return Python{Program: name, site: p.pathSites(at)}
		}
		py := Python{Program: name, packages: map[string]string{}}
		for distribution, version := range p.Machine.Packages(at) {
			py.packages[Normal(distribution)] = version
		}
		return py
	}
	return Python{Program: "python3"}
}

// environment is the virtual environment that lies in the repository.
func (p *Project) environment() (Python, bool) {
	for _, name := range venvs {
		if p.Up(p.Dir, name+"/pyvenv.cfg") == "" {
			continue
		}
		for _, exe := range []string{"bin/python", "Scripts/python.exe"} {
			if at := p.Up(p.Dir, path.Join(name, exe)); at != "" {
				home := strings.TrimSuffix(at, "/"+exe)
				return Python{Program: at, From: home, site: sites(filepath.Join(p.Abs, filepath.FromSlash(p.Dir), filepath.FromSlash(home)))}, true
			}
		}
	}
	return Python{}, false
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
func (p *Project) pathSites(program string) []string {
	bin := filepath.Dir(program)
	// pyenv puts scripts before the real interpreters.
	if filepath.Base(bin) == "shims" {
		versions := filepath.Join(filepath.Dir(bin), "versions")
		for _, file := range []string{filepath.Join(p.Abs, ".python-version"), filepath.Join(filepath.Dir(bin), "version")} {
			if data, err := rooted.ReadIn(filepath.Dir(file), filepath.Base(file), folder.MaxConfig); err == nil {
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

// Minor is the interpreter's version, "3.11"; empty where it is not known.
func (py Python) Minor() string {
	for _, site := range py.site {
		if m := pythonFolder.FindStringSubmatch(filepath.ToSlash(site)); m != nil {
			return m[1]
		}
	}
	return ""
}

// Language is Python with that version, empty where it is not known.
func (py Python) Language() string {
	if v := py.Minor(); v != "" {
		return "Python " + v
	}
	return ""
}

var pythonFolder = pattern.New(`/python(3\.\d{1,2})/(?:site|dist)-packages$`)

// Version of an installed distribution, read from its metadata folder's name;
// empty when it is not installed.
func (py Python) Version(distribution string) string {
	want := Normal(distribution)
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
			if dist, version, ok := strings.Cut(name, "-"); ok && Normal(dist) == want {
				return version
			}
		}
	}
	return ""
}

var separators = pattern.New(`[-_.]+`)

// Normal is a distribution's name as PEP 503 compares it.
func Normal(name string) string { return separators.ReplaceAllString(strings.ToLower(name), "-") }
