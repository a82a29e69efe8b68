package toolchain

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Install is how the dependencies of one language are installed.
type Install struct {
	// Manager is npm, pnpm, yarn, bun, uv, poetry, pipenv, pdm or pip.
	Manager string `json:"manager"`
	// Dir, relative to the root, is where the commands run.
	Dir string `json:"dir"`
	// Commands run in order.
	Commands [][]string `json:"commands"`
	// Source is the file that says so.
	Source string `json:"source"`
	// Ignored are lock files of other managers, which it does not read.
	Ignored []string `json:"ignored,omitempty"`
	// Loose says that no lockfile pins what is installed.
	Loose bool `json:"loose,omitempty"`
	// Tests is what the tests need; of Python only.
	Tests *PythonTests `json:"tests,omitempty"`
	// Parts of its requirements, one after the other in place of all where those contradict
	// each other: they stand in several files, and are for several environments.
	Parts [][]string `json:"-"`
}

// InstallNode finds the nearest lockfile, else package.json, from dir upwards.
// The manager is the one that Resolve found.
func (w Wants) InstallNode(t Tree) *Install {
	if w.Manager == nil {
		return nil
	}
	var found *Install
	var ignored []string
	for _, dir := range t.dirs {
		for _, l := range locks {
			switch data, ok := t.read(dir, l.file); {
			case !ok:
			case l.manager != w.Manager.Name:
				ignored = append(ignored, path.Join(dir, l.file))
			case found == nil:
				found = &Install{Manager: w.Manager.Name, Dir: dir, Source: path.Join(dir, l.file), Commands: [][]string{frozen(*w.Manager, data)}}
			}
		}
	}
	if dir, ok := t.packageRoot(); found == nil && ok {
		found = &Install{Manager: w.Manager.Name, Dir: dir, Source: path.Join(dir, "package.json"), Loose: true,
			Commands: [][]string{loose(*w.Manager)}}
	}
	if found != nil {
		found.Ignored = ignored
	}
	return found
}

// From names the file that an installation follows, and those that it does not.
func (in Install) From() string {
	if len(in.Ignored) == 0 {
		return in.Source
	}
	return in.Source + "; " + in.Manager + " does not read " + strings.Join(in.Ignored, ", ")
}

// packageRoot is the nearest directory with a package.json, or the one above it
// whose workspace it belongs to.
func (t Tree) packageRoot() (string, bool) {
	nearest, found := "", false
	for _, dir := range t.dirs {
		switch _, ok := t.read(dir, "package.json"); {
		case !ok:
		case !found:
			nearest, found = dir, true
		case slices.Contains(members(t.fsys, dir), nearest):
			return dir, true
		}
	}
	return nearest, found
}

// loose installs without a lockfile, which some managers refuse under CI.
func loose(m Manager) []string {
	switch {
	case m.Name == "pnpm":
		return []string{"pnpm", "install", "--no-frozen-lockfile"}
	case m.Name == "yarn" && !strings.HasPrefix(strings.TrimLeft(m.Version.Spec, "^~v="), "1"):
		return []string{"yarn", "install", "--no-immutable"}
	}
	if m.Name == "npm" {
		return []string{"npm", "install", "--no-audit", "--no-fund"}
	}
	return []string{m.Name, "install"}
}

// frozen installs exactly what the lockfile says, or fails.
func frozen(m Manager, lock string) []string {
	switch m.Name {
	case "pnpm":
		return []string{"pnpm", "install", "--frozen-lockfile"}
	case "yarn":
		if strings.Contains(lock[:min(len(lock), 4096)], "__metadata:") {
			return []string{"yarn", "install", "--immutable"}
		}
		return []string{"yarn", "install", "--frozen-lockfile", "--non-interactive"}
	case "bun":
		return []string{"bun", "install", "--frozen-lockfile"}
	}
	return []string{"npm", "ci", "--no-audit", "--no-fund"}
}

// InstallPython finds the nearest lockfile or project file from dir upwards.
// Commands are written for uv, which also stands in for pip; Venv in them is the
// place of the virtual environment.
func (w Wants) InstallPython(t Tree) *Install {
	if w.Python == nil {
		return nil
	}
	for _, dir := range t.dirs {
		if in := pythonIn(t, dir); in != nil {
			return in
		}
	}
	return nil
}

// PythonOf is how the environment of a folder is made, nil where it asks for none.
func PythonOf(files fs.FS, dir string) *Install {
	return Resolve(files, dir).InstallPython(At(files, dir))
}

// PythonDir is the first of some folders that asks for an environment, else dir.
func PythonDir(files fs.FS, dir string, beside []string) string {
	for _, at := range append([]string{dir}, beside...) {
		if PythonOf(files, at) != nil {
			return at
		}
	}
	return dir
}

func pythonIn(t Tree, dir string) *Install {
	has := func(name string) bool { _, ok := t.read(dir, name); return ok }
	tests := testsOf(t.fsys, dir)
	make := func(manager, file string, loose bool, command ...string) *Install {
		return &Install{Manager: manager, Dir: dir, Source: path.Join(dir, file), Loose: loose, Commands: [][]string{command}, Tests: &tests}
	}
	switch {
	case has("uv.lock"):
		return make("uv", "uv.lock", false, uvSync(t, dir, tests)...)
	case has("poetry.lock"):
		return make("poetry", "poetry.lock", false, "poetry", "sync", "--all-extras", "--no-interaction")
	case has("pdm.lock"):
		return make("pdm", "pdm.lock", false, "pdm", "sync", "--group", ":all")
	case has("Pipfile.lock"):
		return make("pipenv", "Pipfile.lock", false, "pipenv", "sync", "--dev")
	}
	// One command: what is resolved at once fits together.
	command := tests.install()
	if len(command) == len(PythonTests{}.install()) {
		return nil
	}
	in := make("pip", tests.Sources[0], true, command...)
	in.Parts = tests.parts()
	return in
}

// install is the command that installs all of it.
func (p PythonTests) install() []string {
	command := []string{"uv", "pip", "install"}
	if p.Builds {
		project := "."
		if len(p.Extras) > 0 {
			project += "[" + strings.Join(p.Extras, ",") + "]"
		}
		command = append(command, "-e", project)
	}
	command = append(append(command, optioned("-r", p.Files)...), optioned("--group", p.Groups)...)
	return append(command, p.Plain...)
}

// parts are the commands that install what is named for the test command, and what the
// project names for all; the one with a runner comes first.
func (p PythonTests) parts() [][]string {
	if len(p.Plain) == 0 || len(p.Extras)+len(p.Groups)+len(p.Files) == 0 {
		return nil
	}
	plain, others := PythonTests{Builds: p.Builds, Plain: p.Plain}, p
	others.Plain = nil
	parts := [][]string{others.install(), plain.install()}
	if slices.ContainsFunc(p.Plain, func(line string) bool { return requiredName(line) == "pytest" }) {
		slices.Reverse(parts)
	}
	return parts
}

// optioned writes an option before each of the values.
func optioned(option string, values []string) []string {
	var out []string
	for _, v := range values {
		out = append(out, option, v)
	}
	return out
}
