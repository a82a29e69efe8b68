package python

import (
	"encoding/json"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
)

// partPlugin divides a suite by its files. Those whose times are known are divided before
// anything is collected, and nobody collects what is another's; what is new is collected
// by every part, which all come to the same result. That no test is left for a part is no
// error of it.
const partPlugin = "qa_part"

const partPython = `import json, os
import pytest

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "part.json")) as f:
    part = json.load(f)

here, emptied, busy, owner, ignored = os.getcwd(), False, [0.0] * part["of"], {}, set()

def unit(path):
    return os.path.relpath(str(path), here).replace(os.sep, "/")

def divide(takes):
    for u in sorted(takes, key=lambda u: (-takes[u], u)):
        owner[u] = busy.index(min(busy))
        busy[owner[u]] += takes[u]

known = {u: max(s, 0.001) for u, s in part["seconds"].items() if os.path.isfile(u)}
divide(known)

def own(u):
    return owner[u] == part["index"] - 1

@pytest.hookimpl(tryfirst=True)
def pytest_ignore_collect(collection_path):
    u = unit(collection_path)
    if u in owner and not own(u) and os.path.basename(u) != "__init__.py":  # a package is collected by it
        ignored.add(u)
        return True

@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    global emptied
    units = {item: unit(item.fspath) for item in items}
    usual = sum(known.values()) / len(known) if known else 1.0
    divide({u: usual for u in units.values() if u not in owner})
    others = [item for item in items if not own(units[item])]
    emptied = bool(others or ignored) and len(others) == len(items)
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if own(units[item])]

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
