package toolchain

import (
	"path"
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
	// Loose says that no lockfile pins what is installed.
	Loose bool `json:"loose,omitempty"`
}

// InstallNode finds the nearest lockfile, else package.json, from dir upwards.
// The manager is the one that Resolve found.
func (w Wants) InstallNode(t Tree) *Install {
	if w.Manager == nil {
		return nil
	}
	for _, dir := range t.dirs {
		for _, l := range locks {
			if data, ok := t.read(dir, l.file); ok {
				return &Install{Manager: w.Manager.Name, Dir: dir, Source: path.Join(dir, l.file),
					Commands: [][]string{frozen(*w.Manager, l.manager, data)}}
			}
		}
	}
	for _, dir := range t.dirs {
		if _, ok := t.read(dir, "package.json"); ok {
			return &Install{Manager: w.Manager.Name, Dir: dir, Source: path.Join(dir, "package.json"), Loose: true,
				Commands: [][]string{loose(*w.Manager)}}
		}
	}
	return nil
}

// loose installs without a lockfile, which some managers refuse under CI.
func loose(m Manager) []string {
	switch {
	case m.Name == "pnpm":
		return []string{"pnpm", "install", "--no-frozen-lockfile"}
	case m.Name == "yarn" && !strings.HasPrefix(strings.TrimLeft(m.Version.Spec, "^~v="), "1"):
		return []string{"yarn", "install", "--no-immutable"}
	}
	return []string{m.Name, "install"}
}

// frozen installs exactly what the lockfile says, or fails. A lockfile of
// another manager than the pinned one is no lockfile to it.
func frozen(m Manager, lockOf, lock string) []string {
	if m.Name != lockOf {
		return loose(m)
	}
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

func pythonIn(t Tree, dir string) *Install {
	has := func(name string) bool { _, ok := t.read(dir, name); return ok }
	make := func(manager, file string, loose bool, commands ...[]string) *Install {
		return &Install{Manager: manager, Dir: dir, Source: path.Join(dir, file), Loose: loose, Commands: commands}
	}
	project, _ := t.read(dir, "pyproject.toml")
	switch {
	case has("uv.lock"):
		return make("uv", "uv.lock", false, []string{"uv", "sync", "--locked", "--all-extras", "--all-groups"})
	case has("poetry.lock"):
		return make("poetry", "poetry.lock", false, []string{"poetry", "sync", "--all-extras", "--no-interaction"})
	case has("pdm.lock"):
		return make("pdm", "pdm.lock", false, []string{"pdm", "sync", "--group", ":all"})
	case has("Pipfile.lock"):
		return make("pipenv", "Pipfile.lock", false, []string{"pipenv", "sync", "--dev"})
	}
	var commands [][]string
	var file string
	for _, name := range requirements {
		if has(name) {
			if file == "" {
				file = name
			}
			commands = append(commands, []string{"uv", "pip", "install", "-r", name})
		}
	}
	if has("setup.py") || strings.Contains(project, "[build-system]") || strings.Contains(project, "[project]") {
		if file == "" {
			file = "pyproject.toml"
			if project == "" {
				file = "setup.py"
			}
		}
		commands = append(commands, []string{"uv", "pip", "install", "-e", ".[" + strings.Join(testExtras(project), ",") + "]"})
		if groups := testGroups(project); len(groups) > 0 {
			group := []string{"uv", "pip", "install"}
			for _, g := range groups {
				group = append(group, "--group", g)
			}
			commands = append(commands, group)
		}
	}
	if len(commands) == 0 {
		return nil
	}
	for _, c := range commands {
		if last := len(c) - 1; c[last] == ".[]" {
			c[last] = "."
		}
	}
	return make("pip", file, true, commands...)
}

// requirements are the customary names of requirement files for tests.
var requirements = []string{
	"requirements.txt", "requirements-dev.txt", "requirements_dev.txt", "dev-requirements.txt", "requirements-test.txt",
	"requirements_test.txt", "test-requirements.txt", "requirements/dev.txt", "requirements/test.txt", "requirements/tests.txt",
}
