package javascript

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// Vitest describes vitest 1 and later (https://vitest.dev/guide/cli).
var Vitest = adapter.Adapter{
	Name:       "vitest",
	Language:   "javascript",
	Signs:      adapter.Signs{Programs: []string{"vitest"}, Caches: []string{".vitest"}},
	Habits:     adapter.Habits{Verb: "run", Parallel: true, OwnPackages: true, Glob: vitestGlob},
	Invocation: invocation("vitest", vitestRun),
	IsTest:     IsTest,
	TestPath:   jsTestPath("", ".test"),
	Forbidden:  forbiddenJS,
	Reproduce: func(d adapter.Detection, c qa.Case) string {
		return shell.InDir(d.Dir, wording.Command(vitestSelect(vitestStart(d), d, adapter.Select([]qa.Case{c}))))
	},
	Explain:  diagnosis.New(vitestCauses).Explain,
	Parts:    &adapter.Parts{Can: func(d adapter.Detection) bool { return adapter.AtLeast(d.Version, 0, 24) }},
	Shuffles: func(adapter.Detection) bool { return true },
	Detect:   detectVitest,
}

var VitestConfigs = []string{
	"vitest.config.ts", "vitest.config.mts", "vitest.config.cts", "vitest.config.js", "vitest.config.mjs", "vitest.config.cjs",
}

var ViteConfigs = []string{
	"vite.config.ts", "vite.config.mts", "vite.config.cts", "vite.config.js", "vite.config.mjs", "vite.config.cjs",
}

var (
	vitestSection   = pattern.New(`(?m)^\s*['"]?test['"]?\s*:\s*\{`)
	coverageSection = pattern.New(`\bcoverage\b['"]?\s*:`)
	vitestMeasured  = pattern.New(`\bcoverage\b['"]?\s*:\s*\{[^}]*\benabled['"]?\s*:\s*true\b`)
)

// vitestDropped are options of the repository's script that would hide results
// or are ours to give.
var vitestDropped = map[string]bool{
	"--reporter": true, "--reporters": true, "--outputFile": true, "--outputFile.": true, "--coverage": false, "--coverage.": true,
	"--coverage.enabled": false, "--coverage.all": false, "--coverage.clean": false, "--coverage.cleanOnRerun": false, "--coverage.reportOnFailure": false,
	"--coverage.allowExternal": false, "--coverage.skipFull": false, "--coverage.excludeAfterRemap": false, "--coverage.thresholds.perFile": false, "--coverage.thresholds.100": false,
	"--watch": false, "-w": false, "--ui": false, "--bail": true, "--run": false, "--passWithNoTests": false, "--update": false, "-u": false,
	"--open": false, "--changed": true, "--silent": false, "--hideSkippedTests": false, "--shard": true, "--standalone": false, "--api": false,
}

func detectVitest(p *project.Project) *adapter.Detection {
	var d adapter.Detection
	c, asked := scripted(p, &d, vitestDropped, "vitest")
	if slices.Contains([]string{"run", "watch", "dev"}, script.First(d.Args)) {
		d.Args = d.Args[1:]
	}
	config := configured(p, &d, VitestConfigs...)
	d.Sweeps = configured(p, &d, "vitest.workspace.ts", "vitest.workspace.js", "vitest.workspace.mts", "vitest.workspace.json") != ""
	if vite := p.First(p.Dir, ViteConfigs...); vite != "" && config == "" {
		if data, _ := p.Read(path.Join(p.Dir, vite)); vitestSection.Match(data) && (p.HasModule("vitest") || p.Declared("vitest") != "") {
			d.Prove(adapter.RankConfig, "%s: test section", vite)
			config = vite
		}
	}
	if !declared(p, &d, "vitest") {
		return nil
	}
	// A run in the root of several packages also finds the tests below.
	d.Sweeps = d.Sweeps || asked || config != ""
	startNode(p, &d, "vitest", "vitest", c.Node)
	vitestCoverage(p, &d, config)
	text, _ := p.Read(path.Join(p.Dir, config))
	d.Measures = d.Measures || vitestMeasured.Match(text)
	vitestTypes(&d, text)
	return &d
}

func vitestCoverage(p *project.Project, d *adapter.Detection, config string) {
	v8, istanbul := p.HasModule("@vitest/coverage-v8"), p.HasModule("@vitest/coverage-istanbul")
	text, _ := p.Read(path.Join(p.Dir, config))
	switch {
	case v8 && istanbul: // the configuration chooses
		d.Coverage = true
	case v8:
		d.Coverage, d.CoverageTool = true, "v8"
	case istanbul:
		d.Coverage, d.CoverageTool = true, "istanbul"
	default:
		pkg := "@vitest/coverage-v8"
		if p.Declared("@vitest/coverage-istanbul") != "" {
			pkg = "@vitest/coverage-istanbul"
		} else if m := adapter.Major(d.Version); d.Installed && m > 0 {
			pkg += "@" + d.Version
		}
		d.CoverageHint = "coverage cannot be measured without a provider; run: " + p.Add(pkg)
	}
	// Since 4, files that no test loads are left out unless an include names
	// them; before, they count by default.
	if d.Coverage && adapter.AtLeast(d.Version, 4, 0) && !coverageSection.Match(text) {
		d.Sources = []string{"**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts,vue,svelte}"}
	}
}

// vitestExclude keeps what is not product code out of the coverage that
// Detection.Sources asks for. (A pattern for dot files, "**/.*", would exclude
// everything.)
var vitestExclude = []string{
	"**/node_modules/**", "**/dist/**", "**/build/**", "**/coverage/**", "**/*.d.ts", "**/*.config.*", "**/.*/**",
	"**/{test,tests,__tests__,__mocks__,e2e,cypress}/**", "**/*.{test,spec,bench,stories}.*",
}

func vitestStart(d adapter.Detection) []string {
	return append(append([]string{}, d.Program...), "run")
}

func vitestRun(d adapter.Detection, req adapter.Request, inv *qa.Invocation) []string {
	report := path.Join(req.OutDir, "vitest.json")
	argv := vitestStart(d)
	impacted := adapter.Related(req.Related, d.Dir)
	if len(req.Tests) == 0 && len(impacted) > 0 {
		argv = append(append([]string{}, d.Program...), "related", "--run", "--passWithNoTests=false")
	}
	// Without a tests' file nothing but the report may end the run early.
	argv = append(argv, "--reporter=json", "--reporter="+path.Join(req.OutDir, "trace", vitestReporterFile), "--outputFile="+report, "--bail=0", "--watch=false")
	if adapter.AtLeast(d.Version, 3, 0) {
		argv = append(argv, "--includeTaskLocation")
	}
	inv.Tests = []qa.ReportFile{{Path: report, Format: "vitest"}, {Path: path.Join(req.OutDir, outsideFile), Format: "outside"}}
	inv.Files = map[string]string{"trace/" + vitestReporterFile: vitestReporter}
	if req.Coverage {
		argv = append(argv, vitestMeasure(d, inv, path.Join(req.OutDir, "coverage"), len(req.Tests) == 0)...)
	} else {
		argv = append(argv, "--coverage.enabled=false")
	}
	if req.Shuffle {
		argv = append(argv, "--sequence.shuffle")
		if req.Seed != 0 {
			argv = append(argv, "--sequence.seed="+strconv.FormatInt(req.Seed, 10))
		}
	}
	if req.Parallel > 0 {
		argv = append(argv, fmt.Sprintf("--maxWorkers=%d", req.Parallel))
		if !adapter.AtLeast(d.Version, 4, 0) {
			argv = append(argv, "--minWorkers=1")
		}
	}
	switch {
	case len(req.Tests) > 0:
		argv = vitestSelect(argv, d, req.Tests)
	case len(impacted) > 0:
		argv = append(append(argv, Flags(d.Args)...), impacted...)
	default:
		argv = append(argv, d.Args...)
		if req.Part != nil {
			argv = append(argv, shard(*req.Part), "--passWithNoTests")
		}
	}
	return vitestChecked(argv, d, req.OutDir, inv)
}

func vitestMeasure(d adapter.Detection, inv *qa.Invocation, dir string, all bool) []string {
	if !d.Coverage {
		return []string{"--coverage.enabled=false"}
	}
	inv.Coverage = []qa.ReportFile{{Path: path.Join(dir, "coverage-final.json"), Format: "istanbul"}}
	out := []string{
		"--coverage.enabled", "--coverage.reporter=json", "--coverage.reportsDirectory=" + dir, "--coverage.reportOnFailure",
		// Thresholds would turn a passing run into a failing one; ours are
		// judged from the report.
		"--coverage.thresholds.lines=0", "--coverage.thresholds.functions=0", "--coverage.thresholds.branches=0", "--coverage.thresholds.statements=0",
	}
	if d.CoverageTool != "" {
		out = append(out, "--coverage.provider="+d.CoverageTool)
	}
	if all && len(d.Sources) > 0 {
		for _, s := range d.Sources {
			out = append(out, "--coverage.include="+s)
		}
		for _, s := range vitestExclude {
			out = append(out, "--coverage.exclude="+s)
		}
	}
	return out
}

func vitestSelect(argv []string, d adapter.Detection, tests []adapter.Selected) []string {
	argv = append(argv, Flags(d.Args)...)
	if pattern := titles(tests); pattern != "" && !adapter.Whole(tests) {
		argv = append(argv, "--testNamePattern="+pattern)
	}
	if paths, ok := adapter.Files(tests, d.Dir); ok {
		argv = append(argv, paths...)
	}
	return argv
}

var vitestCauses = append(slices.Clip(nodeCauses),
	// With its JSON reporter alone, vitest says nothing more than this.
	diagnosis.Cause{Exit: 1, Pattern: `^\s*JSON report written to [^\n]*\s*$`, Kind: diagnosis.NoTests, Says: "vitest found no tests", Cure: "look at the include patterns of its configuration and at working-directory"})

// vitestGlob is the part of a path that vitest takes for a filter.
func vitestGlob(pattern string) string {
	return pattern[:strings.LastIndexByte(pattern[:strings.IndexAny(pattern, "*?[")], '/')+1]
}
