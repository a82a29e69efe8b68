package framework

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// pytest describes pytest 7 and later
// (https://docs.pytest.org/en/stable/reference/reference.html).
var pytest = Adapter{
	Name:       "pytest",
	Language:   "python",
	Signs:      Signs{Programs: []string{"pytest", "py.test"}, Markers: []string{"pytest.ini", "pytest.toml", "tox.ini", "conftest.py"}, Caches: []string{".pytest_cache"}},
	Habits:     Habits{Ordered: true},
	Invocation: pytestInvocation,
	IsTest:     func(file string) bool { return pyTest.MatchString(file) },
	TestPath:   pyTestPath,
	Forbidden:  retries(`\bmark\.flaky\b`),
	Reproduce: func(d Detection, c qa.Case) string {
		line := append(slices.Clone(d.Program), nodes(d, Select([]qa.Case{c}))...)
		return inDir(d.Dir, quoted(line))
	},
	Explain:  explain(pytestCauses),
	Trace:    tracePytest,
	Shuffles: func(Detection) bool { return true },
	detect:   detectPytest,
}

var pyTest = regexp.MustCompile(`(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$`)

// pytestConfigs are the files that may configure pytest, in pytest's own order,
// with the section that makes them count.
var pytestConfigs = []struct{ file, section string }{
	{"pytest.ini", "pytest"}, {".pytest.ini", "pytest"}, {"tox.ini", "pytest"}, {"setup.cfg", "tool:pytest"},
}

func detectPytest(p *project) *Detection {
	var d Detection
	py, parsed := p.pyproject()
	l, scripted := p.call("pytest", "py.test")
	if scripted {
		d.scripted(l)
		d.Args, d.Paths = p.pytestArgs(l.args)
	}
	options := p.pytestOptions(&d, py)
	configured := len(d.Evidence) > 0
	for _, at := range []string{"conftest.py", "tests/conftest.py", "test/conftest.py"} {
		if p.exists(path.Join(p.dir, at)) {
			d.prove(rankConfig/2, "%s", at)
		}
	}
	if where, what := p.requirement("pytest", py); where != "" {
		d.prove(rankDependency, "%s: %s", where, what)
		d.Version = strings.TrimSpace(strings.TrimPrefix(what, "pytest"))
	}
	if len(d.Evidence) == 0 {
		return nil
	}
	if !configured && !parsed && !p.exists(path.Join(p.dir, "setup.py")) {
		// A conftest.py or a list of requirements alone is no project when a
		// folder above is one.
		d.weak = p.dir != "." && !p.holds(p.dir, func(name string) bool { return pyTest.MatchString(name) })
	}
	d.sweeps, d.roots = true, strings.Fields(options["testpaths"])
	if len(d.Paths) > 0 {
		d.roots = d.Paths
	}
	interpreter := p.interpreter()
	d.Program = []string{interpreter.program, "-m", "pytest"}
	if v := interpreter.version("pytest"); v != "" {
		d.Installed, d.Version = true, v
	} else {
		d.Hint = p.pythonInstall()
	}
	if interpreter.from != "" {
		d.prove(0, "%s: its Python is used", interpreter.from)
	}
	for _, plugin := range []string{"pytest-xdist", "pytest-randomly", "pytest-random-order"} {
		if interpreter.version(plugin) != "" {
			d.Plugins = append(d.Plugins, plugin)
		}
	}
	p.pytestAddopts(&d, options["addopts"])
	p.pytestCoverage(&d, interpreter, py, options["addopts"])
	return &d
}

// pytestOptions finds the configuration that pytest will use: the first file
// with a section for it.
func (p *project) pytestOptions(d *Detection, py pyproject) map[string]string {
	for _, c := range pytestConfigs {
		data, ok := p.read(path.Join(p.dir, c.file))
		if !ok {
			continue
		}
		values, found := ini(data, c.section)
		if found || strings.HasSuffix(c.file, "pytest.ini") {
			d.prove(rankConfig, "%s", c.file)
			return values
		}
	}
	if t := py.Tool.Pytest; t != nil {
		d.prove(rankConfig, "pyproject.toml: tool.pytest")
		if t.Options == nil { // pytest 9: [tool.pytest]
			return map[string]string{"addopts": text(t.Addopts), "testpaths": text(t.Paths)}
		}
		return map[string]string{"addopts": text(t.Options["addopts"]), "testpaths": text(t.Options["testpaths"])}
	}
	return map[string]string{}
}

// pytestAddopts notes what the repository's own options make impossible.
func (p *project) pytestAddopts(d *Detection, addopts string) {
	for flag, note := range map[string]string{"no:cacheprovider": "no-cache", "--strict-config": "strict"} {
		if strings.Contains(addopts, flag) {
			d.Plugins = append(d.Plugins, note)
		}
	}
	slices.Sort(d.Plugins)
}

func (p *project) pytestCoverage(d *Detection, py python, project pyproject, addopts string) {
	switch {
	case py.version("pytest-cov") != "":
		d.Coverage, d.CoverageTool = true, "pytest-cov"
	case py.version("coverage") != "":
		d.Coverage, d.CoverageTool = true, "coverage"
	default:
		pip := strings.TrimSuffix(py.program, path.Base(py.program)) + "pip"
		if py.from == "" {
			pip = "python3 -m pip"
		}
		d.CoverageHint = "coverage cannot be measured without pytest-cov; run: " + inDir(fromDot(p.dir), pip+" install pytest-cov")
		return
	}
	if p.namesSources(project) || strings.Contains(addopts, "--cov=") || strings.Contains(addopts, "--cov ") && d.CoverageTool == "pytest-cov" {
		if strings.Contains(addopts, "--cov") && d.CoverageTool == "pytest-cov" {
			// --cov without a value would take back what addopts names.
			d.Plugins = append(d.Plugins, "cov-in-addopts")
		}
		return
	}
	d.Sources = p.pythonSources()
}

// namesSources reports whether coverage.py's configuration says what to measure.
func (p *project) namesSources(py pyproject) bool {
	keys := []string{"source", "source_pkgs", "source_dirs", "include"}
	for _, f := range []struct{ file, section string }{{".coveragerc", "run"}, {"setup.cfg", "coverage:run"}, {"tox.ini", "coverage:run"}} {
		data, ok := p.read(path.Join(p.dir, f.file))
		if !ok {
			continue
		}
		if run, found := ini(data, f.section); found {
			return slices.ContainsFunc(keys, func(k string) bool { return run[k] != "" })
		}
	}
	return slices.ContainsFunc(keys, func(k string) bool { return py.Tool.Coverage["run"][k] != nil })
}

// pythonSources lists the folders of product code, so that modules no test
// imports count as uncovered: src, else the top-level packages, and the
// folder itself when it holds modules.
func (p *project) pythonSources() []string {
	if p.holdsPython("src") {
		return []string{"src"}
	}
	var out []string
	modules := false
	for _, e := range p.list(p.dir) {
		name := e.Name()
		switch {
		case e.IsDir() && p.exists(path.Join(p.dir, name, "__init__.py")) && !slices.Contains(testFolders, name) && name != "docs" && name != "examples":
			out = append(out, name)
		case !e.IsDir() && strings.HasSuffix(name, ".py") && !pyTest.MatchString(name) && !slices.Contains([]string{"setup.py", "conftest.py", "noxfile.py", "tasks.py", "manage.py"}, name):
			modules = true
		}
	}
	if modules || len(out) == 0 {
		return []string{"."}
	}
	return out
}

func (p *project) holdsPython(dir string) bool {
	at := path.Join(p.dir, dir)
	return p.exists(at) && p.holds(at, func(name string) bool { return strings.HasSuffix(name, ".py") })
}

func pyTestPath(source string, existing []string) string {
	stem := strings.TrimSuffix(path.Base(source), ".py")
	named := func(test string) bool {
		base := path.Base(test)
		return base == "test_"+stem+".py" || base == stem+"_test.py"
	}
	if own := nearest(source, existing, named); own != "" {
		return own
	}
	near := neighbours(source, existing)
	name := "test_" + strings.TrimLeft(stem, "_") + ".py"
	if majority(near, func(t string) string { return strconv.FormatBool(strings.HasSuffix(t, "_test.py")) }) == "true" {
		name = stem + "_test.py"
	}
	if len(near) > 0 {
		return path.Join(place(source, near), name)
	}
	parts := strings.Split(path.Dir(source), "/")
	if i := slices.Index(parts, "src"); i >= 0 {
		return path.Join(path.Join(parts[:i]...), "tests", name)
	}
	return path.Join("tests", name)
}

var pytestCauses = []cause{
	threshold,
	{5, ``, KindNoTests, "pytest collected no tests: look at testpaths and python_files"},
	{0, `No module named ['"]?pytest\b`, KindMissing, "pytest is not installed for this Python: install the test dependencies (setup-command)"},
	{0, `unrecognized arguments: (--cov\S*)`, KindMissing, "$1 needs pytest-cov, which is not installed"},
	{0, `unrecognized arguments: (\S+)`, KindMissing, "the option $1 belongs to a pytest plugin that is not installed: install the test dependencies"},
	{0, `(?:ModuleNotFoundError|ImportError): No module named ['"]([\w.]+)['"]`, KindMissing, "module $1 is not found: install the project and its test dependencies (setup-command)"},
	{0, `requires a different Python|Requires-Python|requires-python|requires pytest-([\d.]+)`, KindVersion, "the Python or pytest version does not fit the project"},
	{4, `not found: (\S+)`, KindConfig, "$1 does not exist"},
	{0, `(?:pytest|pyproject\.toml|pytest\.ini|setup\.cfg|tox\.ini).*(?:unexpected line|Invalid statement|Expected|Unknown config option)|usage error|ERROR: usage:`, KindConfig, "pytest's configuration is not valid"},
	{0, `ImportError while loading conftest '([^']+)'`, KindConfig, "$1 cannot be imported"},
	{0, `SyntaxError|IndentationError`, KindBuild, "a file does not parse"},
}
