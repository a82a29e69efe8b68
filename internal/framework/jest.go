package framework

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// jest describes jest 27 and later (https://jestjs.io/docs/cli), also behind
// create-react-app's react-scripts.
var jest = Adapter{
	Name:       "jest",
	Language:   "javascript",
	Signs:      Signs{Programs: []string{"jest", "jest-cli", "react-scripts test", "craco test", "react-app-rewired test"}, Caches: []string{".jest-cache"}},
	Habits:     Habits{OwnPackages: true, glob: jestGlob},
	Invocation: jestInvocation,
	IsTest:     isJSTest,
	TestPath:   jsTestPath("__tests__", ".test"),
	Forbidden:  forbiddenJS,
	Reproduce: func(d Detection, c qa.Case) string {
		line := quoted(jestSelect(slices.Clone(d.Program), d, Select([]qa.Case{c})))
		if len(d.Env) > 0 {
			line = assignments(d.Env) + " " + line
		}
		return inDir(d.Dir, line)
	},
	Explain:  explain(nodeCauses),
	Shuffles: jestShuffles,
	detect:   detectJest,
}

var jestConfigs = []string{
	"jest.config.ts", "jest.config.js", "jest.config.mjs", "jest.config.cjs", "jest.config.json", "jest.config.mts", "jest.config.cts",
}

// jestDropped are options of the repository's script that would hide results,
// change files or are ours to give.
var jestDropped = map[string]bool{
	"--json": false, "--outputFile": true, "--coverage": false, "--collectCoverage": false, "--coverageDirectory": true, "--coverageReporters": true,
	"--coverageThreshold": true, "--watch": false, "--watchAll": false, "--bail": false, "-b": false, "--ci": false, "--passWithNoTests": false,
	"--onlyChanged": false, "-o": false, "--lastCommit": false, "--changedSince": true, "--updateSnapshot": false, "-u": false,
	"--reporters": true, "--silent": false, "--verbose": false, "--notify": false, "--shard": true, "--onlyFailures": false, "-f": false, "--testLocationInResults": false,
}

func detectJest(p *project) *Detection {
	var d Detection
	c, scripted := p.call("jest", "jest-cli")
	pkg, executable := "jest", "jest"
	var first []string
	if !scripted {
		if c, scripted = p.call("react-scripts", "craco", "react-app-rewired"); scripted && slices.Contains(c.args, "test") {
			pkg, executable, first = c.program, c.program, []string{"test", "--watchAll=false"}
			if c.program == "craco" {
				pkg = "@craco/craco"
			}
			c.args = without(c.args, map[string]bool{"test": false})
		} else {
			scripted = false
		}
	}
	if scripted {
		d.scripted(c)
		d.Args = without(c.args, jestDropped)
	}
	config := p.first(p.dir, jestConfigs...)
	if config != "" {
		d.prove(rankConfig, "%s", config)
	}
	keyed := p.pkg != nil && len(p.pkg.Jest) > 0
	if keyed {
		d.prove(rankConfig, `package.json: "jest" section`)
	}
	if v := p.declared("jest"); v != "" {
		d.weak = len(d.Evidence) == 0 && p.workspace()
		d.prove(rankDependency, "package.json: jest %s", v)
	}
	if len(d.Evidence) == 0 {
		return nil
	}
	if !scripted {
		c = leaf{}
	}
	d.sweeps = scripted || config != "" || keyed
	p.node(&d, pkg, executable, c.node)
	if pkg != "jest" {
		m, _ := p.module("jest", "jest")
		d.Version = m.version
	}
	d.Program = append(d.Program, first...)
	p.languageFacts(&d)
	d.Coverage, d.CoverageTool = true, "istanbul"         // comes with jest
	if pkg == "jest" && !p.jestCollects(config, c.args) { // react-scripts measures src by itself
		d.Sources = jestSources
	}
	return &d
}

var collects = regexp.MustCompile(`\bcollectCoverageFrom\b`)

// jestCollects reports whether the configuration names the files that count
// for coverage.
func (p *project) jestCollects(config string, args []string) bool {
	if config == "" && p.pkg != nil && len(p.pkg.Jest) > 0 {
		var c map[string]json.RawMessage
		return json.Unmarshal(p.pkg.Jest, &c) == nil && c["collectCoverageFrom"] != nil
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
	data, _ := p.read(path.Join(p.dir, config))
	return collects.Match(data) || slices.ContainsFunc(args, collects.MatchString)
}

// jestSources are the files that count as uncovered when no test loads them.
var jestSources = []string{
	"**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts}", "!**/node_modules/**", "!**/{dist,build,coverage,vendor}/**", "!**/*.d.ts", "!**/*.config.*", "!**/.*",
	"!**/{test,tests,__tests__,__mocks__,e2e,cypress}/**", "!**/*.{test,spec,stories}.*",
}

// jestShuffles: --randomize came with 29.5.
func jestShuffles(d Detection) bool { return atLeast(d.Version, 29, 5) }

func jestInvocation(d Detection, req Request) (qa.Invocation, error) {
	report := path.Join(req.OutDir, "jest.json")
	if err := placed(req.Tests, d.Dir); err != nil {
		return qa.Invocation{}, fmt.Errorf("describe jest run: %w", err)
	}
	impacted := related(req.Related, d.Dir)
	inv := qa.Invocation{Dir: d.Dir, Env: append([]string{"CI=true"}, d.Env...), Tests: []qa.ReportFile{{Path: report, Format: "jest"}}}
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
		argv = append(append(argv, flags(d.Args)...), "--findRelatedTests")
		argv = append(argv, impacted...)
	default:
		argv = append(argv, d.Args...)
	}
	inv.Argv = argv
	return inv, nil
}

func jestSelect(argv []string, d Detection, tests []Selected) []string {
	argv = append(argv, flags(d.Args)...)
	if pattern := titles(tests); pattern != "" && !whole(tests) {
		argv = append(argv, "--testNamePattern="+pattern)
	}
	if paths, ok := files(tests, d.Dir); ok && len(paths) > 0 {
		argv = append(append(argv, "--runTestsByPath"), paths...)
	}
	return argv
}

// jestGlob makes a regular expression of a pattern.
func jestGlob(pattern string) string {
	return strings.NewReplacer(`\*\*/`, `(?:.*/)?`, `\*`, `[^/]*`, `\?`, `[^/]`, `\[`, `[`, `\]`, `]`).Replace(regexp.QuoteMeta(pattern))
}
