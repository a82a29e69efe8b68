package toolchain

import (
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// uvConflicts are sets of extras and groups of which uv installs one at a time: tests
// against several versions of one thing. To ask for two of a set is an error.
type uvConflicts [][]struct {
	Package string `toml:"package"`
	Extra   string `toml:"extra"`
	Group   string `toml:"group"`
}

// conflictsOf are those that pyproject.toml declares for the project itself.
func conflictsOf(t Tree, dir string) uvConflicts {
	var p projectFile
	data, _ := t.read(dir, "pyproject.toml")
	_ = toml.Unmarshal([]byte(data), &p) // what was read before an error counts
	own := ""
	if p.Project != nil {
		own = PythonName(p.Project.Name)
	}
	for i, set := range p.Tool.UV.Conflicts {
		for j, m := range set {
			if m.Package != "" && PythonName(m.Package) != own {
				p.Tool.UV.Conflicts[i][j].Extra, p.Tool.UV.Conflicts[i][j].Group = "", ""
			}
		}
	}
	return p.Tool.UV.Conflicts
}

// without are the extras and groups that are left out of those asked for. Of each set
// that remains which stands first; where they are versions, that is usually the oldest,
// and the one that most interpreters can have.
func (c uvConflicts) without(extra, group func(string) bool) (extras, groups []string) {
	for _, set := range c {
		kept := false
		for _, m := range set {
			switch {
			case m.Extra != "" && extra(m.Extra) && !slices.Contains(extras, m.Extra):
				if kept {
					extras = append(extras, m.Extra)
				}
			case m.Group != "" && group(m.Group) && !slices.Contains(groups, m.Group):
				if kept {
					groups = append(groups, m.Group)
				}
			default:
				continue
			}
			kept = true
		}
	}
	return extras, groups
}

// among reports whether a name is one of those, as Python compares names.
func among(names []string) func(string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return PythonName(n) == PythonName(name) })
	}
}

func all(string) bool { return true }

// apart leaves of extras and groups that exclude each other one.
func (r *pythonReader) apart() {
	extras, groups := conflictsOf(r.t, r.dir).without(among(r.out.Extras), among(r.out.Groups))
	r.out.Extras = slices.DeleteFunc(r.out.Extras, among(extras))
	r.out.Groups = slices.DeleteFunc(r.out.Groups, among(groups))
}

// uvSync installs what uv.lock says.
func uvSync(t Tree, dir string, tests PythonTests) []string {
	command := []string{"uv", "sync", "--locked", "--all-extras"}
	apart := conflictsOf(t, dir)
	if len(tests.Groups) == 0 || len(tests.Plain) > 0 {
		extras, groups := apart.without(all, all)
		command = append(append(command, optioned("--no-extra", extras)...), "--all-groups")
		return append(command, optioned("--no-group", groups)...)
	}
	extras, groups := apart.without(all, among(tests.Groups))
	command = append(append(command, optioned("--no-extra", extras)...), "--no-default-groups")
	return append(command, optioned("--group", slices.DeleteFunc(slices.Clone(tests.Groups), among(groups)))...)
}
