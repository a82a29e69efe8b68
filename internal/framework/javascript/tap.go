package javascript

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/qa"
)

// Tap describes node-tap 16 and later (https://node-tap.org). Its points are assertions;
// a test is what t.test() starts, or a file without any. Where a test stands is told of
// those that fail: asked for diagnostics of all, tap reads the source at each assertion,
// which a test that counts calls of fs notices. Before 18 nyc measures coverage, and what
// it writes looks like the TAP of others: each assertion is a test. Before 16 it is a
// command that prints TAP.
var Tap = adapter.Adapter{
	Name:       "tap",
	Language:   "javascript",
	Signs:      adapter.Signs{Programs: []string{"tap"}, Caches: []string{".tap"}, Dropped: tapDropped},
	Habits:     adapter.Habits{OwnPackages: true, Unnamed: true, Aside: aside},
	Invocation: invocation("tap", tapRun),
	IsTest:     isNodeTest,
	TestPath:   mochaTestPath,
	Forbidden:  forbiddenJS,
	Reproduce: reproduced(func(argv []string, d adapter.Detection, tests []adapter.Selected) []string {
		return tapSelect(append(argv, tapUncovered(d)), d, tests) // it would fail for what one test leaves out
	}),
	Explain: diagnosis.New([]diagnosis.Cause{
		{Pattern: `No valid test files found|no tests found matching`, Kind: diagnosis.NoTests, Says: "tap found no tests", Cure: "look at the files that the test script names, and at \"include\" of its configuration"},
	}, nodeCauses).Explain,
	Detect: detectTap,
}

// tapDropped are options of a script that choose reporters, judge coverage, leave tests
// out or never end.
var tapDropped = map[string]bool{
	"--reporter": true, "-R": true, "--reporter-file": true, "-f": true, "--output-file": true, "-o": true, "--output-dir": true, "-d": true,
	"--coverage-report": true, "--disable-coverage": false, "--allow-empty-coverage": false, "--allow-incomplete-coverage": false, "--show-full-coverage": false, "--browser": false,
	"--100": false, "--check-coverage": false, "--coverage": false, "--no-coverage": false, "-cov": false, "-no-cov": false, "--no-coverage-report": false, "--no-check-coverage": false,
	"--bail": false, "-b": false, "--changed": false, "-n": false, "--save": true, "-s": true, "--snapshot": false, "-S": false, "--diag": false, "--no-diag": false, "--color": false, "-c": false,
}

// tapValues are options that are followed by a value.
var tapValues = map[string]bool{
	"--grep": true, "-g": true, "--timeout": true, "-t": true, "--jobs": true, "-j": true, "--include": true, "--exclude": true, "--before": true, "--after": true, "--test-arg": true,
	"--test-env": true, "--node-arg": true, "--plugin": true, "--coverage-map": true, "--coverage-exclude": true, "--tsconfig": true, "--serial": true, "--files": true,
}

func detectTap(p *project.Project) *adapter.Detection {
	var d adapter.Detection
	l, _ := scripted(p, &d, tapDropped, "tap")
	configured(p, &d, ".taprc")
	if !declared(p, &d, "tap") {
		return nil
	}
	startNode(p, &d, "tap", "tap", l.Node)
	if !adapter.AtLeast(d.Version, 16, 0) {
		return nil
	}
	if tapBehindNyc(d) {
		d.Args = append(tapNycArgs(p), d.Args...)
	}
	d.Sweeps = len(limits(&d, l, tapValues)) == 0
	d.Coverage, d.CoverageTool = true, "tap" // comes with it
	return &d
}

// tapNycArgs are the options for nyc of package.json: those of the command line take
// their place, and ours are among these.
func tapNycArgs(p *project.Project) []string {
	var manifest struct {
		Tap struct {
			NycArg []string `json:"nyc-arg"`
		} `json:"tap"`
	}
	data, _ := p.Read(path.Join(p.Dir, "package.json"))
	if json.Unmarshal(data, &manifest) != nil {
		return nil
	}
	var args []string
	for _, a := range manifest.Tap.NycArg {
		args = append(args, "--nyc-arg="+a)
	}
	return args
}

func tapRun(d adapter.Detection, req adapter.Request, inv *qa.Invocation) []string {
	report := path.Join(req.OutDir, "tap.txt")
	inv.Tests = []qa.ReportFile{{Path: report, Format: "nodetap"}}
	argv := append(slices.Clone(d.Program), "--reporter=terse", "--output-file="+report, "--no-bail", "--no-color")
	switch {
	case !req.Coverage:
		argv = append(argv, tapUncovered(d))
	case tapBehindNyc(d): // --coverage-report without files would be all that it does
		out := path.Join(req.OutDir, "tap-coverage")
		argv = append(argv, "--no-check-coverage", "--nyc-arg=--reporter=json", "--nyc-arg=--report-dir="+out)
		inv.Coverage = []qa.ReportFile{{Path: path.Join(out, "coverage-final.json"), Format: "istanbul"}}
	default: // it is always written below the folder of the tests
		argv = append(argv, "--coverage-report=json", "--allow-incomplete-coverage", "--allow-empty-coverage")
		inv.Coverage = []qa.ReportFile{{Path: ".tap/report/coverage-final.json", Format: "istanbul"}}
	}
	// A file may take half a minute by default; ours have company.
	if !slices.ContainsFunc(d.Args, func(a string) bool { return strings.HasPrefix(a, "-t") || strings.HasPrefix(a, "--timeout") }) {
		argv = append(argv, "--timeout=600")
	}
	if req.Parallel > 0 {
		argv = append(argv, "--jobs="+strconv.Itoa(req.Parallel))
	}
	return selecting(tapSelect).or(argv, d, req.Tests)
}

// tapBehindNyc reports whether nyc measures coverage: before 18, whose options are others.
func tapBehindNyc(d adapter.Detection) bool {
	return d.Version != "" && !adapter.AtLeast(d.Version, 18, 0)
}

// tapUncovered is the option by which coverage is neither measured nor judged.
func tapUncovered(d adapter.Detection) string {
	if tapBehindNyc(d) {
		return "--no-coverage"
	}
	return "--disable-coverage"
}

// tapSelect adds the files of a selection and the titles of its tests: one pattern for
// each level of subtests, of which the first counts for those of a file.
func tapSelect(argv []string, d adapter.Detection, tests []adapter.Selected) []string {
	options, specs := splitArgs(d.Args, tapValues)
	argv = append(argv, options...)
	if !adapter.Whole(tests) {
		argv = append(argv, tapGrep(tests)...)
	}
	if paths, ok := adapter.Files(tests, d.Dir); ok {
		specs = paths
	}
	return append(argv, specs...)
}

// tapGrep is a pattern for each level down to the deepest that a selection has. What a
// shallower test of it has inside runs with it.
func tapGrep(tests []adapter.Selected) []string {
	var levels [][]string
	open := 1 << 10 // from this level on, something of the selection has everything
	for _, t := range tests {
		titles := []string{t.Name}
		if t.Suite != "" {
			titles = append(strings.Split(t.Suite, " > "), t.Name)
		}
		for i, title := range titles {
			if i == len(levels) {
				levels = append(levels, nil)
			}
			if quoted := regexp.QuoteMeta(title); !slices.Contains(levels[i], quoted) {
				levels[i] = append(levels[i], quoted)
			}
		}
		open = min(open, len(titles))
	}
	var out []string
	for _, titles := range levels[:min(open, len(levels))] {
		out = append(out, "--grep=/^("+strings.ReplaceAll(strings.Join(titles, "|"), "/", `\/`)+")$/")
	}
	return out
}
