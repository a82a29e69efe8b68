package toolchain

import (
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// hatchTable is what pyproject.toml or hatch.toml says of hatch.
type hatchTable struct {
	Envs map[string]hatchEnv `toml:"envs"`
}

type hatchEnv struct {
	Dependencies []string       `toml:"dependencies"`
	Extra        []string       `toml:"extra-dependencies"`
	Features     []string       `toml:"features"`
	Groups       []string       `toml:"dependency-groups"`
	Template     string         `toml:"template"`
	Scripts      map[string]any `toml:"scripts"`
}

// hatchTests are the customary names of scripts that run tests.
var hatchTests = []string{"test", "tests", "run", "cov", "test-cov"}

// take gives a reader what the environments for tests have. That of developers is one
// of them where it has a script for tests and none of the others names a runner.
func (t hatchTable) take(r *pythonReader, file string) {
	for _, name := range []string{"hatch-test", "test", "tests", "default"} {
		t.env(r, file, name)
	}
	tests := slices.ContainsFunc(hatchTests, func(script string) bool { return t.Envs["dev"].Scripts[script] != nil })
	if tests && !r.knowsRunner() {
		t.env(r, file, "dev")
	}
}

// env gives what an environment has, and what it has from its templates.
func (t hatchTable) env(r *pythonReader, file, name string) {
	for name != "" && r.seen.first(file, name) {
		e := t.Envs[name]
		r.plain(file, slices.Concat(e.Dependencies, e.Extra)...)
		for _, f := range e.Features {
			r.extra(f)
		}
		r.groups(e.Groups)
		name = e.Template
	}
}

// hatchFile reads hatch.toml, where projects write what others have in pyproject.toml.
func hatchFile(r *pythonReader) {
	data, ok := r.read("hatch.toml")
	if !ok {
		return
	}
	var t hatchTable
	_ = toml.Unmarshal([]byte(data), &t) // what was read before an error counts
	t.take(r, "hatch.toml")
}
