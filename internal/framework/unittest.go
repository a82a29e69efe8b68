package framework

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// unittest describes the test runner of Python's standard library
// (https://docs.python.org/3/library/unittest.html). It writes no report, so a
// small runner of ours is laid beside the run; it needs nothing but Python.
var unittest = Adapter{
	Name:       "unittest",
	Language:   "python",
	Signs:      Signs{Programs: []string{"unittest"}},
	Habits:     Habits{Ordered: true},
	Invocation: unittestInvocation,
	IsTest:     func(file string) bool { return unittestFile.MatchString(file) },
	TestPath:   pyTestPath,
	Forbidden:  retries(`\bmark\.flaky\b`),
	Reproduce: func(d Detection, c qa.Case) string {
		file, _ := below(c.File, d.Dir)
		module := strings.ReplaceAll(strings.TrimSuffix(file, ".py"), "/", ".")
		line := slices.Concat(d.Program, []string{"-m", "unittest"}, d.Args)
		if strings.HasSuffix(file, ".py") && len(d.Args) == 0 {
			line = append(line, strings.Trim(strings.Join([]string{module, c.Suite, c.Name}, "."), "."))
		}
		return inDir(d.Dir, quoted(line))
	},
	Explain: explain([]cause{
		{5, ``, KindNoTests, "unittest found no tests: they are looked for in files test*.py of packages"},
		{0, `Start directory is not importable: '?([^'\n]+)`, KindConfig, "the folder $1 does not exist, or is no package"},
		{0, `(?:ModuleNotFoundError|ImportError): No module named ['"]([\w.]+)['"]`, KindMissing, "module $1 is not found: install the project and its test dependencies (setup-command)"},
		{0, `requires a different Python`, KindVersion, "the Python version does not fit the project"},
	}),
	Trace:    &Trace{Files: "trace/loaded-*.json", Read: readPytestModules},
	Shuffles: func(Detection) bool { return true },
	detect:   detectUnittest,
}

// unittestFile is unittest's own pattern, and that of projects which name theirs
// to be found by pytest, too.
var (
	unittestFile  = regexp.MustCompile(`(?:^|/)(?:test[^/]*|[^/]*_test)\.py$`)
	unittestClass = regexp.MustCompile(`(?m)^class\s+\w+\([^)]*\bTestCase\b`)
)

func detectUnittest(p *project) *Detection {
	var d Detection
	l, scripted := p.call("unittest")
	if scripted {
		d.scripted(l)
		d.Args = without(l.args, map[string]bool{"-v": false, "--verbose": false, "-q": false, "--quiet": false, "-f": false, "--failfast": false, "-b": false, "--buffer": false, "--locals": false})
		if slices.Equal(d.Args, []string{"discover"}) {
			d.Args = nil
		}
	} else if len(p.calls) > 0 || detectPytest(p) != nil {
		return nil // what runs the tests is known; pytest runs classes of unittest as well
	} else if at := p.unittestClasses(); at != "" {
		d.prove(rankDependency, "%s: a class of unittest.TestCase", at)
		d.weak = p.dir != "." && !p.exists(path.Join(p.dir, "pyproject.toml")) && !p.exists(path.Join(p.dir, "setup.py"))
		if folder := strings.TrimPrefix(path.Dir(at), p.dir+"/"); folder != "." && !p.exists(path.Join(path.Dir(at), "__init__.py")) {
			d.Args = []string{"discover", "-s", folder} // found from its own folder alone
		}
	} else {
		return nil
	}
	d.sweeps, d.Installed = true, true
	interpreter := p.interpreter()
	d.Program = []string{interpreter.program}
	if interpreter.from != "" {
		d.prove(0, "%s: its Python is used", interpreter.from)
	}
	if d.Coverage = interpreter.version("coverage") != ""; d.Coverage {
		d.CoverageTool = "coverage"
		if py, _ := p.pyproject(); !p.namesSources(py) {
			d.Sources = p.pythonSources()
		}
	} else {
		d.CoverageHint = "coverage cannot be measured without coverage.py; run: " + inDir(fromDot(p.dir), interpreter.program+" -m pip install coverage")
	}
	return &d
}

// unittestClasses is the first test file with a class of unittest, here or in the
// folders where tests usually stand.
func (p *project) unittestClasses() string {
	for _, dir := range append([]string{"."}, testFolders...) {
		at := path.Join(p.dir, dir)
		for _, e := range p.list(at) {
			name := path.Join(at, e.Name())
			if e.IsDir() || !unittestFile.MatchString(name) {
				continue
			}
			if data, ok := p.read(name); ok && unittestClass.Match(data) {
				return name
			}
		}
	}
	return ""
}

// unittestRun is what the runner is told.
type unittestRun struct {
	Report   string         `json:"report"`
	Coverage string         `json:"coverage,omitempty"`
	Sources  []string       `json:"sources,omitempty"`
	Only     []unittestTest `json:"only,omitempty"`
	Shuffle  bool           `json:"shuffle,omitempty"`
	Seed     int64          `json:"seed,omitempty"`
}

type unittestTest struct {
	File  string `json:"file"` // relative to the folder of the run
	Class string `json:"class,omitempty"`
	Name  string `json:"name,omitempty"`
}

func unittestInvocation(d Detection, req Request) (qa.Invocation, error) {
	run := unittestRun{Report: path.Join(req.OutDir, "unittest.xml"), Shuffle: req.Shuffle, Seed: req.Seed}
	inv := qa.Invocation{
		Dir: d.Dir, Env: append([]string{"PYTHONDONTWRITEBYTECODE=1"}, d.Env...), Tests: []qa.ReportFile{{Path: run.Report, Format: "junit"}},
		Files: map[string]string{"trace/" + unittestProgram: unittestRunner},
	}
	if req.Coverage && d.Coverage {
		run.Coverage, run.Sources = path.Join(req.OutDir, "coverage.json"), d.Sources
		inv.Coverage = []qa.ReportFile{{Path: run.Coverage, Format: "coveragepy"}}
		inv.Env = append(inv.Env, "COVERAGE_FILE="+path.Join(req.OutDir, ".coverage"))
	} else if req.Coverage {
		inv.CoverageHint = d.CoverageHint
	}
	for _, t := range req.Tests {
		file, _ := below(t.File, d.Dir)
		run.Only = append(run.Only, unittestTest{File: file, Class: t.Suite, Name: t.Name})
	}
	told, err := json.Marshal(run)
	if err != nil {
		return qa.Invocation{}, err
	}
	inv.Argv = append(slices.Clone(d.Program), path.Join(req.OutDir, "trace", unittestProgram), string(told))
	inv.Argv = append(inv.Argv, d.Args...)
	return inv, nil
}
