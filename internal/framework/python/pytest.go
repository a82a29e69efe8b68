// Package python holds the adapters of frameworks for Python, and what tells
// which copy of the code their tests loaded.
package python

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/ini"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// Pytest describes pytest 7 and later
// (https://docs.pytest.org/en/stable/reference/reference.html).
var Pytest = adapter.Adapter{
	Name:       "pytest",
	Language:   "python",
	Signs:      adapter.Signs{Programs: []string{"pytest", "py.test"}, Markers: append([]string{"pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "conftest.py"}, language.Named("python").Project.Requirements...), Dropped: pytestDropped, Caches: []string{".pytest_cache"}},
	Habits:     adapter.Habits{Ordered: true},
	Invocation: pytestInvocation,
	IsTest:     func(file string) bool { return TestFile.MatchString(file) },
	TestPath:   pyTestPath,
	Forbidden:  adapter.Retries(`\bmark\.flaky\b`),
	Reproduce: func(d adapter.Detection, c qa.Case) string {
		// Without the script's options a test may not be there: those of --doctest-modules.
		program := d.Program
		if d.ByName {
			program = []string{path.Join(strings.TrimSuffix(program[0], path.Base(program[0])), "pytest")}
		}
		line := slices.Concat(program, d.Args, nodes(d, adapter.Select([]qa.Case{c})))
		return shell.InDir(d.Dir, wording.Command(line))
	},
	Explain:  diagnosis.New(pytestCauses).Explain,
	Trace:    tracePytest,
	Parts:    &adapter.Parts{Can: func(adapter.Detection) bool { return true }},
	Shuffles: func(adapter.Detection) bool { return true },
	Detect:   detectPytest,
}

var TestFile = pattern.New(`(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$`)

// pytestConfigs are the files that may configure pytest, in pytest's own order,
// with the section that makes them count.
var pytestConfigs = []struct{ file, section string }{
	{"pytest.ini", "pytest"}, {".pytest.ini", "pytest"}, {"tox.ini", "pytest"}, {"setup.cfg", "tool:pytest"},
}

func detectPytest(p *project.Project) *adapter.Detection {
	var d adapter.Detection
	py, parsed := readPyproject(p)
	l, scripted := p.Call("pytest", "py.test")
	if scripted {
		d.Scripted(l)
		d.Args, d.Paths = pytestArgs(p, l.Args)
		d.Say(l.Args)
		d.ByName, d.Distributions = startedByName(p, l)
	}
	options := pytestOptions(p, &d, py)
	configured := len(d.Evidence) > 0
	for _, at := range []string{"conftest.py", "tests/conftest.py", "test/conftest.py"} {
		if p.Exists(path.Join(p.Dir, at)) {
			d.Prove(adapter.RankConfig/2, "%s", at)
		}
	}
	if where, what := requirement(p, "pytest", py); where != "" {
		d.Prove(adapter.RankDependency, "%s: %s", where, what)
		d.Version = strings.TrimSpace(strings.TrimPrefix(what, "pytest"))
	}
	if len(d.Evidence) == 0 {
		return nil
	}
	if !configured && !parsed && !p.Exists(path.Join(p.Dir, "setup.py")) {
		// A conftest.py or a list of requirements alone is no project when a
		// folder above is one.
		d.Weak = p.Dir != "." && !p.Holds(p.Dir, func(name string) bool { return TestFile.MatchString(name) })
	}
	d.Sweeps, d.Roots = true, strings.Fields(options["testpaths"])
	if len(d.Paths) > 0 {
		d.Roots = d.Paths
	}
	interpreter := p.Interpreter()
	d.Program = slices.Concat([]string{interpreter.Program}, l.Python.Options, []string{"-m", "pytest"})
	d.Language = interpreter.Language()
	if v := interpreter.Version("pytest"); v != "" {
		d.Installed, d.Version = true, v
	} else {
		d.Hint = pythonInstall(p, "pytest")
	}
	if interpreter.From != "" {
		d.Prove(0, "%s: its Python is used", interpreter.From)
	}
	for _, plugin := range []string{"pytest-xdist", "pytest-randomly", "pytest-random-order"} {
		if interpreter.Version(plugin) != "" {
			d.Plugins = append(d.Plugins, plugin)
		}
	}
	if strings.Contains(options["addopts"], "no:cacheprovider") {
		d.Plugins = append(d.Plugins, "no-cache")
	}
	d.Measures = d.Measures || strings.Contains(options["addopts"], "--cov") && !strings.Contains(options["addopts"], "--no-cov")
	pytestCoverage(p, &d, interpreter, py, options["addopts"])
	return &d
}

// pytestOptions finds the configuration that pytest will use: the first file
// with a section for it.
func pytestOptions(p *project.Project, d *adapter.Detection, py pyproject) map[string]string {
	for _, name := range []string{"pytest.toml", ".pytest.toml"} { // of pytest 9, before all others
		if data, ok := p.Read(path.Join(p.Dir, name)); ok {
			var own struct {
				Pytest pytestTable `toml:"pytest"`
			}
			_ = toml.Unmarshal(data, &own) // pytest says what is wrong with it
			d.Prove(adapter.RankConfig, "%s", name)
			return map[string]string{"addopts": settings.Text(own.Pytest.Addopts), "testpaths": settings.Text(own.Pytest.Paths)}
		}
	}
	for _, c := range pytestConfigs {
		data, ok := p.Read(path.Join(p.Dir, c.file))
		if !ok {
			continue
		}
		values, found := ini.Sections(string(data))[c.section]
		if found || strings.HasSuffix(c.file, "pytest.ini") {
			d.Prove(adapter.RankConfig, "%s", c.file)
			return map[string]string{"addopts": wording.Fold(values["addopts"]), "testpaths": wording.Fold(values["testpaths"])}
		}
	}
	if t := py.Tool.Pytest; t != nil {
		d.Prove(adapter.RankConfig, "pyproject.toml: tool.pytest")
		if t.Options == nil { // pytest 9: [tool.pytest]
			return map[string]string{"addopts": settings.Text(t.Addopts), "testpaths": settings.Text(t.Paths)}
		}
		return map[string]string{"addopts": settings.Text(t.Options["addopts"]), "testpaths": settings.Text(t.Options["testpaths"])}
	}
	return map[string]string{}
}

func pytestCoverage(p *project.Project, d *adapter.Detection, py project.Python, declared pyproject, addopts string) {
	switch {
	case py.Version("pytest-cov") != "":
		d.Coverage, d.CoverageTool = true, "pytest-cov"
	case py.Version("coverage") != "":
		d.Coverage, d.CoverageTool = true, "coverage"
	default:
		if where, _ := requirement(p, "pytest-cov", declared); where != "" {
			d.CoverageHint = "coverage cannot be measured: " + pythonInstall(p, "pytest-cov").String()
			return
		}
		pip := strings.TrimSuffix(py.Program, path.Base(py.Program)) + "pip"
		if py.From == "" {
			pip = "python3 -m pip"
		}
		d.CoverageHint = "coverage cannot be measured without pytest-cov; run: " + shell.InDir(folder.FromDot(p.Dir), pip+" install pytest-cov")
		return
	}
	run := coverageRun(p, declared)
	if namesSources(run) || strings.Contains(addopts, "--cov=") || strings.Contains(addopts, "--cov ") && d.CoverageTool == "pytest-cov" {
		if strings.Contains(addopts, "--cov") && d.CoverageTool == "pytest-cov" {
			// --cov without a value would take back what addopts names.
			d.Plugins = append(d.Plugins, "cov-in-addopts")
		}
		return
	}
	d.Sources = pythonSources(p)
}

// coverageRun is what coverage.py's configuration says of what to measure, and how.
func coverageRun(p *project.Project, py pyproject) map[string]string {
	for _, f := range []struct{ file, section string }{{".coveragerc", "run"}, {"setup.cfg", "coverage:run"}, {"tox.ini", "coverage:run"}} {
		data, ok := p.Read(path.Join(p.Dir, f.file))
		if !ok {
			continue
		}
		if run, found := ini.Sections(string(data))[f.section]; found {
			return run
		}
	}
	out := map[string]string{}
	for k, v := range py.Tool.Coverage["run"] {
		out[k] = fmt.Sprint(v)
	}
	return out
}

// namesSources reports whether coverage.py's configuration says what to measure.
func namesSources(run map[string]string) bool {
	return slices.ContainsFunc([]string{"source", "source_pkgs", "source_dirs", "include"}, func(k string) bool { return run[k] != "" })
}

// pythonSources lists the folders of product code, so that modules no test
// imports count as uncovered: src, else the top-level packages, and the
// folder itself when it holds modules.
func pythonSources(p *project.Project) []string {
	if holdsPython(p, "src") {
		return []string{"src"}
	}
	var out []string
	modules := false
	for _, e := range p.List(p.Dir) {
		name := e.Name()
		switch {
		case e.IsDir() && p.Exists(path.Join(p.Dir, name, "__init__.py")) && !slices.Contains(adapter.TestFolders, name) && name != "docs" && name != "examples":
			out = append(out, name)
		case !e.IsDir() && strings.HasSuffix(name, ".py") && !TestFile.MatchString(name) && !slices.Contains([]string{"setup.py", "conftest.py", "noxfile.py", "tasks.py", "manage.py"}, name):
			modules = true
		}
	}
	if modules || len(out) == 0 {
		return []string{"."}
	}
	return out
}

func holdsPython(p *project.Project, dir string) bool {
	at := path.Join(p.Dir, dir)
	return p.Exists(at) && p.Holds(at, func(name string) bool { return strings.HasSuffix(name, ".py") })
}

func pyTestPath(source string, existing []string) string {
	own := strings.TrimSuffix(path.Base(source), ".py")
	stem := strings.Trim(own, "_")
	if dir := path.Base(path.Dir(source)); stem == "init" && dir != "." { // a package is named after its folder
		stem = strings.Trim(dir, "_")
	}
	named := func(test string) bool {
		base := path.Base(test)
		return slices.Contains([]string{"test_" + own + ".py", own + "_test.py", "test_" + stem + ".py", stem + "_test.py"}, base)
	}
	if known := adapter.Nearest(source, existing, named); known != "" {
		return known
	}
	near := adapter.Neighbours(source, existing)
	name := "test_" + stem + ".py"
	if adapter.Majority(near, func(t string) string { return strconv.FormatBool(strings.HasSuffix(t, "_test.py")) }) == "true" {
		name = stem + "_test.py"
	}
	if len(near) > 0 {
		return path.Join(adapter.Place(source, near), name)
	}
	parts := strings.Split(path.Dir(source), "/")
	if i := slices.Index(parts, "src"); i >= 0 {
		return path.Join(path.Join(parts[:i]...), "tests", name)
	}
	return path.Join("tests", name)
}

var pytestCauses = []diagnosis.Cause{
	diagnosis.ThresholdMissed,
	{Exit: 5, Pattern: ``, Kind: diagnosis.NoTests, Says: "pytest collected no tests", Cure: "look at testpaths and python_files"},
	{Pattern: `No module named ['"]?pytest\b`, Kind: diagnosis.Missing, Says: "pytest is not installed for this Python", Cure: "install the test dependencies (setup-command)"},
	{Pattern: `unrecognized arguments: (--cov\S*)`, Kind: diagnosis.Missing, Says: "$1 needs pytest-cov, which is not installed"},
	{Pattern: `unrecognized arguments: (\S+)`, Kind: diagnosis.Missing, Says: "the option $1 belongs to a pytest plugin that is not installed", Cure: "install the test dependencies"},
	{Pattern: `PluginValidationError: Plugin '([^']+)' for hook`, Kind: diagnosis.Version, Says: "the plugin $1 does not fit this version of pytest", Cure: "ask for versions of both that fit each other, where the test dependencies are named"},
	{Pattern: `(?:ModuleNotFoundError|ImportError): No module named ['"]([\w.]+)['"]`, Kind: diagnosis.Missing, Says: "module $1 is not found", Cure: "install the project and its test dependencies (setup-command)"},
	{Pattern: `requires a different Python|Requires-Python|requires-python|requires pytest-([\d.]+)`, Kind: diagnosis.Version, Says: "the Python or pytest version does not fit the project"},
	{Exit: 4, Pattern: `not found: (\S+)`, Kind: diagnosis.Config, Says: "$1 does not exist"},
	{Pattern: `(?:pytest|pyproject\.toml|pytest\.ini|setup\.cfg|tox\.ini).*(?:unexpected line|Invalid statement|Expected|Unknown config option)|usage error|ERROR: usage:`, Kind: diagnosis.Config, Says: "pytest's configuration is not valid"},
	{Pattern: `ImportError while loading conftest '([^']+)'`, Kind: diagnosis.Config, Says: "$1 cannot be imported"},
	{Pattern: `SyntaxError|IndentationError`, Kind: diagnosis.Build, Says: "a file does not parse"},
}
