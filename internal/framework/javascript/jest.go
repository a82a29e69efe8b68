package javascript

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/javascript/entered"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
)

// Jest describes jest 27 and later (https://jestjs.io/docs/cli), also behind
// create-react-app's react-scripts.
var Jest = adapter.Adapter{
	Name:       "jest",
	Language:   "javascript",
	Signs:      adapter.Signs{Programs: []string{"jest", "jest-cli", "react-scripts test", "craco test", "react-app-rewired test"}, Caches: []string{".jest-cache"}},
	Habits:     adapter.Habits{Parallel: true, OwnPackages: true, Glob: jestGlob},
	Invocation: invocation("jest", jestRun),
	IsTest:     IsTest,
	TestPath:   jsTestPath("__tests__", ".test"),
	Forbidden:  forbiddenJS,
	Reproduce:  reproduced(jestSelect),
	Explain:    diagnosis.New(nodeCauses).Explain,
	Trace:      entered.Trace,
	Parts:      &adapter.Parts{Can: func(d adapter.Detection) bool { return adapter.AtLeast(d.Version, 28, 0) }},
	Shuffles:   jestShuffles,
	Detect:     detectJest,
}

var JestConfigs = []string{
	"jest.config.ts", "jest.config.js", "jest.config.mjs", "jest.config.cjs", "jest.config.json", "jest.config.mts", "jest.config.cts",
}

// jestDropped are options of the repository's script that would hide results,
// change files or are ours to give.
var jestDropped = map[string]bool{
	"--json": false, "--outputFile": true, "--coverage": false, "--collectCoverage": false, "--coverageDirectory": true,
	"--coverageThreshold": true, "--watch": false, "--watchAll": false, "--bail": false, "-b": false, "--ci": false, "--passWithNoTests": false,
	"--onlyChanged": false, "-o": false, "--lastCommit": false, "--changedSince": true, "--updateSnapshot": false, "-u": false,
	"--silent": false, "--verbose": false, "--notify": false, "--shard": true, "--onlyFailures": false, "-f": false, "--testLocationInResults": false,
}

// jestScripted is scripted for jest, which takes every word after the name of a list
// for a part of it.
func jestScripted(p *project.Project, d *adapter.Detection, programs ...string) (script.Leaf, bool) {
	l, ok := scripted(p, d, nil, programs...)
	d.Args = shell.Without(shell.WithoutLists(d.Args, "--coverageReporters", "--reporters"), jestDropped)
	return l, ok
}

func detectJest(p *project.Project) *adapter.Detection {
	var d adapter.Detection
	c, asked := jestScripted(p, &d, "jest", "jest-cli")
	pkg, executable := "jest", "jest"
	var first []string
	if l, ok := p.Call("react-scripts", "craco", "react-app-rewired"); !asked && ok && slices.Contains(l.Args, "test") {
		c, asked = jestScripted(p, &d, l.Program)
		d.Args = shell.Without(d.Args, map[string]bool{"test": false})
		pkg, executable, first = c.Program, c.Program, []string{"test", "--watchAll=false"}
		if c.Program == "craco" {
			pkg = "@craco/craco"
		}
	}
	config := configured(p, &d, JestConfigs...)
	keyed := p.Pkg != nil && len(p.Pkg.Jest) > 0
	if keyed {
		d.Prove(adapter.RankConfig, `package.json: "jest" section`)
	}
	if !declared(p, &d, "jest") {
		return nil
	}
	d.Sweeps = asked || config != "" || keyed
	startNode(p, &d, pkg, executable, c.Node)
	if pkg != "jest" {
		m, _ := p.Module("jest", "jest")
		d.Version = m.Version
	}
	d.Program = append(d.Program, first...)
	d.Say(c.Args)
	d.Measures = d.Measures || jestMeasures(p, config)
	d.Coverage, d.CoverageTool = true, "istanbul"          // comes with jest
	if pkg == "jest" && !jestCollects(p, config, c.Args) { // react-scripts measures src by itself
		d.Sources = jestSources
	}
	return &d
}

var (
	collects     = pattern.New(`\bcollectCoverageFrom\b`)
	jestMeasured = pattern.New(`\bcollectCoverage['"]?\s*:\s*true\b`)
)

// jestMeasures reports whether the configuration asks for coverage.
func jestMeasures(p *project.Project, config string) bool {
	text, _ := p.Read(path.Join(p.Dir, config))
	return config != "" && jestMeasured.Match(text) || p.Pkg != nil && jestMeasured.Match(p.Pkg.Jest)
}

// jestCollects reports whether the configuration names the files that count
// for coverage.
func jestCollects(p *project.Project, config string, args []string) bool {
	if config == "" && p.Pkg != nil && len(p.Pkg.Jest) > 0 {
		var c map[string]json.RawMessage
		return json.Unmarshal(p.Pkg.Jest, &c) == nil && c["collectCoverageFrom"] != nil
	}
	for i, a := range args {
		name, value, joined := strings.Cut(a, "=")
		switch {
		case name != "--config" && name != "-c":
		case joined:
			config = value
		case i+1 < len(args):
			config = args[i+1]
		}
	}
	data, _ := p.Read(path.Join(p.Dir, config))
	return collects.Match(data) || slices.ContainsFunc(args, collects.MatchString)
}

// jestSources are the files that count as uncovered when no test loads them.
var jestSources = []string{
	"**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts}", "!**/node_modules/**", "!**/{dist,build,coverage,vendor}/**", "!**/*.d.ts", "!**/*.config.*", "!**/.*",
	"!**/{test,tests,__tests__,__mocks__,e2e,cypress}/**", "!**/*.{test,spec,stories}.*",
}

// jestShuffles: --randomize came with 29.5.
func jestShuffles(d adapter.Detection) bool { return adapter.AtLeast(d.Version, 29, 5) }

func jestRun(d adapter.Detection, req adapter.Request, inv *qa.Invocation) []string {
	report := path.Join(req.OutDir, "jest.json")
	impacted := adapter.Related(req.Related, d.Dir)
	inv.Tests = []qa.ReportFile{{Path: report, Format: "jest"}}
	argv := append(slices.Clone(d.Program), "--ci", "--json", "--outputFile="+report, "--testLocationInResults", "--bail=0")
	if req.Coverage {
		dir := path.Join(req.OutDir, "coverage")
		inv.Coverage = []qa.ReportFile{{Path: path.Join(dir, "coverage-final.json"), Format: "istanbul"}}
		// The repository's thresholds would turn a passing run into a failing one.
		argv = append(argv, "--coverage", "--coverageReporters=json", "--coverageDirectory="+dir, "--coverageThreshold={}")
		if len(req.Tests) == 0 && len(impacted) == 0 {
			for _, s := range d.Sources {
				argv = append(argv, "--collectCoverageFrom="+s)
			}
		}
	} else {
		argv = append(argv, "--coverage=false")
	}
	if req.Shuffle && jestShuffles(d) {
		argv = append(argv, "--randomize")
		if req.Seed != 0 {
			argv = append(argv, "--seed="+strconv.FormatInt(req.Seed%(1<<31), 10))
		}
	}
	if req.Parallel > 0 {
		argv = append(argv, fmt.Sprintf("--maxWorkers=%d", req.Parallel))
	}
	switch {
	case len(req.Tests) > 0:
		argv = jestSelect(argv, d, req.Tests)
	case len(impacted) > 0:
		argv = append(append(argv, Flags(d.Args)...), "--findRelatedTests")
		argv = append(argv, impacted...)
	default:
		argv = append(argv, d.Args...)
		if req.Part != nil {
			argv = append(argv, shard(*req.Part), "--passWithNoTests")
		}
	}
	return jestStarted(argv, d, req, inv)
}

func jestSelect(argv []string, d adapter.Detection, tests []adapter.Selected) []string {
	argv = append(argv, Flags(d.Args)...)
	if pattern := titles(tests); pattern != "" && !adapter.Whole(tests) {
		argv = append(argv, "--testNamePattern="+pattern)
	}
	if paths, ok := adapter.Files(tests, d.Dir); ok && len(paths) > 0 {
		argv = append(append(argv, "--runTestsByPath"), paths...)
	}
	return argv
}

// jestGlob makes a regular expression of a pattern.
func jestGlob(pattern string) string {
	return strings.NewReplacer(`\*\*/`, `(?:.*/)?`, `\*`, `[^/]*`, `\?`, `[^/]`, `\[`, `[`, `\]`, `]`).Replace(regexp.QuoteMeta(pattern))
}
