package python

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/python/steering"
	"github.com/org/qa-action/internal/rooted"
)

// loadedModules notes the files of all modules that a process has loaded.
const loadedModules = `    seen = {}
    for name, module in list(sys.modules.items()):
        try:
            at = getattr(module, "__file__", None)
            if isinstance(at, str):
                seen[name] = os.path.abspath(at)
        except Exception:
            pass
`

// tracePython is a plugin of ours that writes, when a process of pytest ends,
// the files of all modules it has loaded. Only that tells which copy of a package
// was tested: a release of the project that the machine carries answers to the
// same name. When it is loaded, pytest has read its options: what is ours goes from the
// command line, as tests that read it would fail for that. What the repository's script
// says stays.
//
// JUnit names no subtest: its message does, so that one which fails since is told from
// another that always did.
//
// A configuration may stop the suite step by step, at the first failure: nothing on the
// command line takes that back.
const tracePython = steering.Watch + `
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    for name in ("stepwise", "stepwise_skip", "stepwise_reset"):
        if hasattr(config.option, name):
            setattr(config.option, name, False)

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    try:
        one, crash = report.context, report.longrepr.reprcrash
        if report.failed and not crash.message.startswith("subtest "):
            name = ", ".join(["[%s]" % one.msg] * (one.msg is not None) + ["%s=%s" % kv for kv in one.kwargs.items()])
            crash.message = "subtest %s: %s" % ((name or "without a name").replace(": ", ":"), crash.message)
    except Exception:
        pass  # no subtest

def qa_trace_fixtures(session):
    fixtures = session._fixturemanager
    for names in [some for key in vars(fixtures) if key.endswith("_autousenames") for some in vars(fixtures)[key].values()]:
        for one in [def_ for name in names for def_ in fixtures._arg2fixturedefs.get(name, ())]:
            if ".py" not in getattr(one, "baseid", ""):  # not of one module of tests
                yield one.func

def qa_trace_steering(session, manager):
    qa_trace_all(lambda: vars(manager.hook).values(), lambda hook: qa_trace_all(
        getattr(hook, "get_hookimpls", list), lambda impl: qa_trace_note(impl.function)))
    if session is not None:
        qa_trace_all(lambda: qa_trace_fixtures(session), qa_trace_note)

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item):
    for one in [vars(item).get(name) for name in ("_instance", "_testcase")] + [getattr(vars(item).get("_obj"), "__self__", None)]:
        if one is not None:
            qa_trace_test(one)
            return

def pytest_collection_finish(session):
    qa_trace_steering(session, session.config.pluginmanager)

def pytest_unconfigure(config):
    qa_trace_steering(None, config.pluginmanager)
` + loadedModules + `    out = os.path.dirname(os.path.abspath(__file__))
    try:
        with open(os.path.join(out, "loaded-%d.json" % os.getpid()), "w") as f:
            json.dump(seen, f)
        qa_trace_tell(out)
    except OSError:
        pass

sys.argv[1:] = `

const tracePlugin = "qa_trace_loaded"

var tracePytest = &adapter.Trace{Files: steering.Files, Read: func(root string, d adapter.Detection, answers [][]byte) adapter.Loads {
	loads := readPytestModules(root, d, answers)
	if len(loads.Artifacts) == 0 { // which nobody sees execute
		loads.Executed = readExecuted(root, d, answers)
	}
	return loads
}}

func readPytestModules(root string, d adapter.Detection, answers [][]byte) adapter.Loads {
	out := adapter.Loads{Steers: steering.Read(root, answers)}
	own, tops := ownPython(root, d.Dir), ownTops(root, d.Dir)
	done, library := map[string]bool{}, map[string]bool{}
	for _, data := range answers {
		var modules map[string]string
		if json.Unmarshal(data, &modules) != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(modules)) {
			at := modules[name]
			if adapter.MachineCode(at) && ofProject(tops, name) && !done[at] {
				done[at] = true
				out.Artifacts = append(out.Artifacts, adapter.ArtifactAt(root, at))
			}
			if rel, ok := adapter.BelowRoot(root, at); ok && !adapter.InPackages(rel) {
				if !done[rel] {
					done[rel] = true
					out.Loaded = append(out.Loaded, rel)
				}
				continue
			}
			dir, ours := own[name]
			if !ours || done["elsewhere "+name] {
				continue
			}
			done["elsewhere "+name] = true
			library[at] = ofLibrary(modules, at)
			out.Elsewhere = append(out.Elsewhere, elsewherePython(root, d, name, dir, at))
		}
	}
	out.Elsewhere = slices.DeleteFunc(out.Elsewhere, func(e adapter.Elsewhere) bool {
		return library[e.At] && slices.Contains(out.Loaded, e.Dir)
	})
	slices.Sort(out.Loaded)
	return out
}

// ofLibrary reports whether a file came with the interpreter. A module of the project
// that has such a name ("io") and was loaded from where it lies, within its package,
// has no other copy.
func ofLibrary(modules map[string]string, at string) bool {
	rel, err := filepath.Rel(filepath.Dir(modules["os"]), at)
	return err == nil && modules["os"] != "" && filepath.IsLocal(rel) && !strings.Contains(rel, "-packages")
}

func elsewherePython(root string, d adapter.Detection, name, dir, at string) adapter.Elsewhere {
	e := adapter.Elsewhere{Name: name, At: at, Dir: dir}
	ours := filepath.Join(root, filepath.FromSlash(dir))
	if strings.HasSuffix(dir, ".py") {
		e.Same = adapter.SameContent(ours, at)
	} else {
		e.Same = adapter.SameSources(ours, filepath.Dir(at))
	}
	python := "python3"
	if len(d.Program) > 0 {
		python = d.Program[0]
	}
	e.Mend = mendCopy(root, d, python, at)
	return e
}

// ownPython are the top-level packages and modules of a project, where the
// repository has them, by name.
func ownPython(root, dir string) map[string]string {
	out := map[string]string{}
	tree, err := os.OpenRoot(root)
	if err != nil {
		return out
	}
	defer func() { _ = tree.Close() }()
	for _, in := range []string{dir, path.Join(dir, "src"), path.Join(dir, "lib"), path.Join(dir, "python")} {
		for _, e := range rooted.List(tree, cmp.Or(in, "."), folder.MaxFolders) {
			at := path.Join(in, e.Name())
			name, isModule := strings.CutSuffix(e.Name(), ".py")
			if slices.Contains(notProduct, name) || out[name] != "" {
				continue
			}
			if e.IsDir() {
				if _, err := tree.Stat(filepath.FromSlash(at + "/__init__.py")); err == nil {
					out[name] = at
				}
			} else if isModule {
				out[name] = at
			}
		}
	}
	return out
}

// notProduct are names that projects give to what is not the product; other
// distributions use them, too.
var notProduct = []string{"test", "tests", "testing", "docs", "doc", "examples", "example", "setup", "conftest", "noxfile", "tasks", "scripts", "tools", "benchmarks", "__init__", "__main__", "utils", "build", "versioneer"}
