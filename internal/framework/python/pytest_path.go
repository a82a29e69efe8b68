package python

import (
	"encoding/json"
	"fmt"
	"path"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
)

// The folder in which pytest runs is a place where "python -m pytest" looks for modules,
// and "pytest" does not: a test that imports from there fails for who types the latter.

// startedByName reports whether a script starts pytest by its own name, with the names
// under which the project may be installed. A project that says none, and has a setup.py,
// may be called anything: nobody could tell whether it is installed.
func startedByName(p *project.Project, l script.Leaf) (is bool, distributions []string) {
	if l.Python.Module {
		return false, nil
	}
	for _, file := range []string{"pyproject.toml", "setup.cfg", "setup.py"} {
		data, ok := p.Read(path.Join(p.Dir, file))
		if m := distributionName.FindSubmatch(data); ok && m != nil {
			distributions = append(distributions, string(m[1]))
		}
	}
	return len(distributions) > 0 || !p.Exists(path.Join(p.Dir, "setup.py")), distributions
}

// withoutFolder takes the folder out again with which we start pytest, before the first
// test file is looked for: where the project is installed, or is none that could be. The
// configuration of pytest may have put others before it.
const withoutFolder = `
def started_by_name(names):
    import importlib.metadata as known
    here = [p for p in sys.path if p in ("", os.getcwd())]
    others = [p for p in sys.path if p not in here]
    if here and (not names or any(True for name in names for _ in known.distributions(name=name, path=others))):
        sys.path.remove(here[0])

started_by_name(%s)
`

func byName(d adapter.Detection) string {
	if !d.ByName {
		return ""
	}
	names, _ := json.Marshal(append([]string{}, d.Distributions...)) // strings
	return fmt.Sprintf(withoutFolder, names)
}
