package python

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/python/steering"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// Unittest describes the test runner of Python's standard library
// (https://docs.python.org/3/library/unittest.html). It writes no report, so a
// small runner of ours is laid beside the run; it needs nothing but Python.
var Unittest = adapter.Adapter{
	Name:       unittestName,
	Language:   "python",
	Signs:      adapter.Signs{Programs: []string{"unittest"}, Markers: []string{manage}},
	Habits:     adapter.Habits{Ordered: true},
	Invocation: unittestInvocation,
	IsTest:     func(file string) bool { return unittestFile.MatchString(file) },
	TestPath:   pyTestPath,
	Forbidden:  adapter.Retries(`\bmark\.flaky\b`),
	Reproduce: func(d adapter.Detection, c qa.Case) string {
		file, _ := folder.Below(c.File, d.Dir)
		module := strings.ReplaceAll(strings.TrimSuffix(file, ".py"), "/", ".")
		if d.Main {
			line := slices.Concat(d.Program, d.Args)
			if slices.Equal(d.Args, []string{manage, "test"}) && strings.HasSuffix(file, ".py") && pythonWord.MatchString(c.Name) {
				line = append(line, strings.Trim(strings.Join([]string{module, c.Suite, c.Name}, "."), "."))
			}
			return shell.InDir(d.Dir, wording.Command(line))
		}
		line := slices.Concat(d.Program, []string{"-m", "unittest"}, d.Args)
		if strings.HasSuffix(file, ".py") && len(d.Args) == 0 && pythonWord.MatchString(c.Name) { // else it is no method that could be named
			line = append(line, strings.Trim(strings.Join([]string{module, c.Suite, c.Name}, "."), "."))
		}
		return shell.InDir(d.Dir, wording.Command(line))
	},
	Explain: diagnosis.New([]diagnosis.Cause{
		{Exit: 5, Pattern: ``, Kind: diagnosis.NoTests, Says: "unittest found no tests", Cure: "they are looked for in files test*.py of packages"},
		{Pattern: `Start directory is not importable: '?([^'\n]+)`, Kind: diagnosis.Config, Says: "the folder $1 does not exist, or is no package"},
		{Pattern: `(?:ModuleNotFoundError|ImportError): No module named ['"]([\w.]+)['"]`, Kind: diagnosis.Missing, Says: "module $1 is not found", Cure: "install the project and its test dependencies (setup-command)"},
		{Pattern: `requires a different Python`, Kind: diagnosis.Version, Says: "the Python version does not fit the project"},
	}).Explain,
	Trace:    &adapter.Trace{Files: steering.Files, Read: readPytestModules},
	Shuffles: func(adapter.Detection) bool { return true },
	Detect:   detectUnittest,
}

var pythonWord = pattern.New(`^\w+$`)

const unittestName = "unittest"

// unittestFile is unittest's own pattern, and that of projects which name theirs
// to be found by pytest, too.
var (
	unittestFile  = pattern.New(`(?:^|/)(?:test[^/]*|[^/]*_test)\.py$`)
	unittestClass = pattern.New(`(?m)^class\s+\w+\([^)]*\bTestCase\b`)
)

func detectUnittest(p *project.Project) *adapter.Detection {
	var d adapter.Detection
	l, scripted := p.Call("unittest")
	var options []string
	if main := mainOf(p); main != nil {
		d.Scripted(*main)
		options, d.Args = interpreterOptions(main.Args)
		d.Main = true
	} else if scripted {
		d.Scripted(l)
		options = l.Python.Options
		d.Args = shell.Without(l.Args, map[string]bool{"-v": false, "--verbose": false, "-q": false, "--quiet": false, "-f": false, "--failfast": false, "-b": false, "--buffer": false, "--locals": false})
		if slices.Equal(d.Args, []string{"discover"}) {
			d.Args = nil
		}
	} else if len(p.Calls) == 0 && managed(p) {
		d.Prove(adapter.RankConfig, "%s: Django runs the tests", manage)
		d.Args, d.Main = []string{manage, "test"}, true
	} else if len(p.Calls) > 0 || detectPytest(p) != nil {
		return nil // what runs the tests is known; pytest runs classes of unittest as well
	} else if at := adapter.FirstTest(p, unittestFile.MatchString, unittestClass); at != "" {
		d.Prove(adapter.RankDependency, "%s: a class of unittest.TestCase", at)
		d.Weak = p.Dir != "." && !p.Exists(path.Join(p.Dir, "pyproject.toml")) && !p.Exists(path.Join(p.Dir, "setup.py"))
		if folder := strings.TrimPrefix(path.Dir(at), p.Dir+"/"); path.Dir(at) != p.Dir && !p.Exists(path.Join(path.Dir(at), "__init__.py")) {
			d.Args = []string{"discover", "-s", folder} // found from its own folder alone
		}
	} else {
		return nil
	}
	d.Sweeps, d.Installed = !d.Main, true
	interpreter := p.Interpreter()
	d.Language = interpreter.Language()
	d.Program = append([]string{interpreter.Program}, options...)
	if interpreter.From != "" {
		d.Prove(0, "%s: its Python is used", interpreter.From)
	}
	if d.Coverage = interpreter.Version("coverage") != ""; d.Coverage {
		d.CoverageTool = "coverage"
		if py, _ := readPyproject(p); !namesSources(coverageRun(p, py)) {
			d.Sources = pythonSources(p)
		}
	} else {
		d.CoverageHint = "coverage cannot be measured without coverage.py; run: " + shell.InDir(folder.FromDot(p.Dir), interpreter.Program+" -m pip install coverage")
	}
	return &d
}

// unittestRun is what the runner is told.
type unittestRun struct {
	Report   string         `json:"report"`
	Coverage string         `json:"coverage,omitempty"`
	Sources  []string       `json:"sources,omitempty"`
	Only     []unittestTest `json:"only,omitempty"`
	Main     bool           `json:"main,omitempty"` // the arguments are a program that runs unittest by itself
	Shuffle  bool           `json:"shuffle,omitempty"`
	Seed     int64          `json:"seed,omitempty"`
}

type unittestTest struct {
	File  string `json:"file"` // relative to the folder of the run
	Class string `json:"class,omitempty"`
	Name  string `json:"name,omitempty"`
}

func unittestInvocation(d adapter.Detection, req adapter.Request) (qa.Invocation, error) {
	run := unittestRun{Report: path.Join(req.OutDir, "unittest.xml"), Main: d.Main, Shuffle: req.Shuffle, Seed: req.Seed}
	inv := qa.Invocation{
		Dir: d.Dir, Env: append([]string{"PYTHONDONTWRITEBYTECODE=1"}, d.Env...), Tests: []qa.ReportFile{{Path: run.Report, Format: "junit"}},
		Files: map[string]string{"trace/" + unittestProgram: unittestRunner},
	}
	if req.Coverage && d.Coverage {
		run.Coverage, run.Sources = path.Join(req.OutDir, "coverage.json"), d.Sources
		inv.Coverage = []qa.ReportFile{{Path: run.Coverage, Format: "coveragepy"}}
		inv.Env = append(inv.Env, "COVERAGE_FILE="+path.Join(req.OutDir, ".coverage"))
	}
	for _, t := range req.Tests {
		file, _ := folder.Below(t.File, d.Dir)
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
