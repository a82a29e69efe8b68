package python

import (
	"encoding/json"

	"github.com/org/qa-action/internal/framework/folder"
)

// withoutPlugin leaves single tests of a file out when all are collected. It is told what
// to leave out and not what to run: a test that nobody knew of runs. Of a file that does not
// have all of those, or two of one name, nothing is left out.
const withoutPlugin = "qa_without"

const withoutPython = `import json, os
import pytest

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "without.json")) as f:
    without = json.load(f)

root = os.path.realpath(os.getcwd())

def unit(item):
    at = getattr(item, "path", None) or item.fspath
    return os.path.relpath(os.path.realpath(str(at)), root).replace(os.sep, "/")

` + namedPython + `

@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    known = {}
    for item in items:
        if unit(item) in without:
            known.setdefault(unit(item), []).append(named(item))
    out = {u: set(without[u]) for u, names in known.items() if set(without[u]) < set(names) and len(set(names)) == len(names)}
    others = [item for item in items if named(item) in out.get(unit(item), ())]
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if named(item) not in out.get(unit(item), ())]
`

// namedPython is what a test is called within its file, as its report names it.
const namedPython = `def named(item):
    """What a test is called in its file, as the report has it."""
    at, bracket, given = item.nodeid.partition("::")[2].partition("[")
    *classes, name = at.split("::")
    return " > ".join([".".join(classes)] * bool(classes) + [name + bracket + given])
`

// withoutFile is what the plugin reads: tests by file, from the directory of the suite.
func withoutFile(without map[string][]string, dir string) string {
	below := map[string][]string{}
	for name, tests := range without {
		if rel, ok := folder.Below(name, dir); ok {
			below[rel] = tests
		}
	}
	text, err := json.Marshal(below)
	if err != nil {
		panic(err) // names are always written
	}
	return string(text)
}
