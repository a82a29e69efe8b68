package project

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/shell"
)

// Declared gives the version range under which package.json lists a package,
// here or, for hoisted development dependencies, further up.
func (p *Project) Declared(name string) string {
	if p.Pkg == nil {
		return ""
	}
	for _, list := range []map[string]string{p.Pkg.DevDependencies, p.Pkg.Dependencies, p.Pkg.OptionalDependencies} {
		if v, ok := list[name]; ok {
			return v
		}
	}
	return ""
}

// Workspace reports whether package.json is the root of several packages.
func (p *Project) Workspace() bool {
	return p.Pkg != nil && len(p.Pkg.Workspaces) > 0 || p.Exists(path.Join(p.Dir, "pnpm-workspace.yaml")) || p.Exists(path.Join(p.Dir, "lerna.json"))
}

// module is one installed package.
type module struct {
	Version string
	Program string // its executable file, relative to the project
}

// Module looks a package up in node_modules, here and up to the root.
func (p *Project) Module(name, executable string) (module, bool) {
	at := p.Up(p.Dir, path.Join("node_modules", name, "package.json"))
	if at == "" {
		return module{}, false
	}
	data, ok := p.Installed(p.Dir, at)
	if !ok {
		return module{}, false
	}
	var m struct {
		Version string          `json:"version"`
		Bin     json.RawMessage `json:"bin"`
	}
	if json.Unmarshal(data, &m) != nil || m.Version == "" {
		return module{}, false
	}
	out := module{Version: m.Version}
	var one string
	var many map[string]string
	switch {
	case json.Unmarshal(m.Bin, &one) == nil:
		out.Program = path.Join(path.Dir(at), one)
	case json.Unmarshal(m.Bin, &many) == nil && many[executable] != "":
		out.Program = path.Join(path.Dir(at), many[executable])
	}
	return out, true
}

// has reports whether a package is installed; without node_modules (Plug'n'Play)
// whether it is declared.
func (p *Project) HasModule(name string) bool {
	if p.Pnp() {
		return p.Declared(name) != ""
	}
	_, ok := p.Module(name, "")
	return ok
}

// Equipped reports whether there is a place with installed packages, or none is
// asked for.
func (p *Project) Equipped() bool {
	return p.Pkg == nil || len(p.Pkg.Dependencies)+len(p.Pkg.DevDependencies) == 0 || p.Pnp() || p.Up(p.Dir, "node_modules") != ""
}

func (p *Project) Pnp() bool { return p.Up(p.Dir, ".pnp.cjs") != "" }

// Yarn is the repository's own copy of Yarn when there is one.
func (p *Project) Yarn() []string {
	if dir := p.Up(p.Dir, ".yarn/releases"); dir != "" {
		for _, e := range p.List(path.Join(p.Dir, dir)) {
			if strings.HasPrefix(e.Name(), "yarn-") && strings.HasSuffix(e.Name(), ".cjs") {
				return []string{"node", path.Join(dir, e.Name())}
			}
		}
	}
	return []string{"yarn"}
}

// Locked reads the resolved version of a package from yarn.lock.
func (p *Project) Locked(pkg, fallback string) string {
	data, ok := p.Installed(p.Dir, p.Up(p.Dir, "yarn.lock"))
	if !ok {
		return fallback
	}
	re := regexp.MustCompile(`(?m)^"?` + regexp.QuoteMeta(pkg) + `@[^\n]*:\n\s+version:? "?([\w.+-]+)`)
	if m := re.FindSubmatch(data); m != nil {
		return string(m[1])
	}
	return fallback
}

// Install is the hint for missing dependencies.
func (p *Project) Install() diagnosis.Diagnosis {
	command, locked := p.install()
	if !locked {
		return p.Lacking("dependencies are not installed and there is no lockfile", command)
	}
	return p.Lacking("dependencies are not installed", command)
}

// Lacking is the diagnosis of something that is not installed, with the command that
// installs it, which is looked for where tests will run.
func (p *Project) Lacking(cause, command string) diagnosis.Diagnosis {
	var has func(string) bool
	if p.Machine.LookPath != nil {
		has = func(program string) bool { _, err := p.Machine.LookPath(program); return err == nil }
	}
	return diagnosis.Lacking(cause, command, has)
}

// Need is the hint for a runner that is missing: one that package.json does not list
// comes with no installation.
func (p *Project) Need(pkg string) diagnosis.Diagnosis {
	if p.Declared(pkg) == "" && p.Pkg != nil {
		return p.Lacking(pkg+" is not installed, and package.json does not list it", p.Add(pkg))
	}
	return p.Install()
}

// install is the command that installs what package.json lists, and whether a lock
// file says which versions.
func (p *Project) install() (command string, locked bool) {
	for _, l := range language.Installs {
		if at := p.Up(p.Dir, l.File); at != "" {
			where := folder.FromDot(path.Join(p.Dir, path.Dir(at)))
			if l.File == "yarn.lock" && p.Up(p.Dir, ".yarnrc.yml") != "" {
				return shell.InDir(where, "yarn install --immutable"), true
			}
			return shell.InDir(where, l.Install), true
		}
	}
	return shell.InDir(folder.FromDot(p.Dir), "npm install"), false
}

// Add is the command that installs a missing development dependency. One that
// package.json lists already comes with the others.
func (p *Project) Add(pkg string) string {
	if name := pkg[:1] + strings.SplitN(pkg[1:], "@", 2)[0]; p.Declared(name) != "" {
		command, _ := p.install()
		return command
	}
	command := "npm install --save-dev "
	switch {
	case p.Up(p.Dir, "pnpm-lock.yaml") != "":
		command = "pnpm add --save-dev "
	case p.Up(p.Dir, "yarn.lock") != "":
		command = "yarn add --dev "
	case p.Up(p.Dir, "bun.lock") != "", p.Up(p.Dir, "bun.lockb") != "":
		command = "bun add --dev "
	}
	return shell.InDir(folder.FromDot(p.Dir), command+pkg)
}
