package python

import (
	"encoding/json"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
)

// partPlugin divides a suite by its files, when all of them are collected: every part
// collects the same and comes to the same result, which is that of [adapter.Part.Units].
// That no test is left for a part is no error of it.
const partPlugin = "qa_part"

const partPython = `import json, os
import pytest

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "part.json")) as f:
    part = json.load(f)

emptied = False

def unit(item):
    return os.path.relpath(str(item.fspath), os.getcwd()).replace(os.sep, "/")

@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    global emptied
    seconds = part["seconds"]
    units = {unit(item) for item in items}
    known = [seconds[u] for u in units if u in seconds]
    usual = sum(known) / len(known) if known else 1.0
    takes = {u: max(seconds.get(u, usual), 0.001) for u in units}
    busy, own = [0.0] * part["of"], set()
    for u in sorted(units, key=lambda u: (-takes[u], u)):
        idle = busy.index(min(busy))
        busy[idle] += takes[u]
        if idle == part["index"] - 1:
            own.add(u)
    others = [item for item in items if unit(item) not in own]
    emptied = bool(others) and len(others) == len(items)
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if unit(item) in own]

@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session, exitstatus):
    if emptied and int(exitstatus) == 5:
        session.exitstatus = 0
`

// partFile is what the plugin reads: times by file, from the directory of the suite.
func partFile(p adapter.Part, dir string) string {
	seconds := map[string]float64{}
	for name, s := range p.Seconds {
		if rel, ok := folder.Below(name, dir); ok {
			seconds[rel] = s
		}
	}
	text, err := json.Marshal(map[string]any{"index": p.Index, "of": p.Of, "seconds": seconds})
	if err != nil {
		panic(err) // numbers that are none cannot come out of a history
	}
	return string(text)
}
