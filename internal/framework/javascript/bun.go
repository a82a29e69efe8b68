package javascript

import (
	"path"
	"strconv"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
)

// Bun describes bun test (https://bun.com/docs/test). Its tests are in JUnit, which
// leaves out files that do not load and what fails between tests; those are read off
// the console, which bun writes to standard error.
var Bun = adapter.Adapter{
	Name:       "bun",
	Language:   "javascript",
	Signs:      adapter.Signs{Programs: []string{"bun test"}, Dropped: bunDropped},
	Habits:     adapter.Habits{OwnPackages: true, Aside: aside},
	Invocation: invocation("bun test", bunRun),
	IsTest:     bunTest.MatchString,
	TestPath:   jsTestPath("", ".test"),
	Forbidden:  forbiddenJS,
	Reproduce:  reproduced(bunSelect),
	Explain: diagnosis.New([]diagnosis.Cause{
		{Pattern: `No tests found!|had no matches|matched 0 tests|Ran 0 tests`, Kind: diagnosis.NoTests, Says: "bun found no tests", Cure: "look at the files that the test script names, and at \"root\" in the [test] section of bunfig.toml"},
		{Pattern: `Invalid Bunfig|bunfig\.toml.*(?:expected|error)|preload not found`, Kind: diagnosis.Config, Says: "bunfig.toml is not valid"},
		{Pattern: `postinstall script was not run|Bun.s postinstall`, Kind: diagnosis.Missing, Says: "the package bun is only a placeholder here", Cure: "install it with its install script, or put bun on PATH"},
	}, nodeCauses).Explain,
	Shuffles: func(d adapter.Detection) bool { return adapter.AtLeast(d.Version, 1, 3) },
	Detect:   detectBun,
}

// bunTest are the files that bun test runs.
var bunTest = pattern.New(`[._](?:test|spec)\.[cm]?[jt]sx?$`)

var (
	bunImport    = pattern.New(`(?:\bfrom\s*|\bimport\s*|\b(?:require|import)\s*\(\s*)["']bun:test["']`)
	bunSection   = pattern.New(`(?m)^\s*\[test[\].]`)
	bunThreshold = pattern.New(`(?m)^\s*(?:\[test\.)?coverageThreshold\b`)
)

// bunDropped are options of a script that choose what is shown, run tests again or
// only some of them, write, or never end.
var bunDropped = map[string]bool{
	"--reporter": true, "--reporter-outfile": true, "--dots": false, "--only-failures": false, "--coverage": false, "--coverage-reporter": true, "--coverage-dir": true,
	"--bail": false, "--watch": false, "--hot": false, "-u": false, "--update-snapshots": false, "--pass-with-no-tests": false, "--shard": true, "--changed": false,
	"--rerun-each": true, "--timings": true, "--update-timings": false,
}

// bunValues are options that are followed by a value.
var bunValues = map[string]bool{
	"--timeout": true, "--retry": true, "-t": true, "--test-name-pattern": true, "--seed": true, "--max-concurrency": true, "--path-ignore-patterns": true,
	"--preload": true, "-r": true, "--require": true, "--import": true, "--config": true, "-c": true, "--cwd": true, "--env-file": true, "--define": true, "-d": true, "--conditions": true, "--tsconfig-override": true,
}

func detectBun(p *project.Project) *adapter.Detection {
	var d adapter.Detection
	if l, ok := p.Call("bun"); ok && l.Framework == "bun" {
		d.Scripted(l)
		d.Args = shell.Without(verbless(l.Args), bunDropped)
	}
	config, _ := p.Read(path.Join(p.Dir, "bunfig.toml"))
	if bunSection.Match(config) {
		d.Prove(adapter.RankConfig, "bunfig.toml: [test]")
	}
	if at := importing(p, bunImport, bunTest.MatchString); at != "" {
		d.Prove(adapter.RankDependency, "%s: imports bun:test", at)
	}
	if len(d.Evidence) == 0 {
		return nil
	}
	bunStart(p, &d)
	_, specs := splitArgs(d.Args, bunValues)
	d.Sweeps = len(specs) == 0
	d.Coverage, d.CoverageTool = true, "bun" // comes with it
	if bunThreshold.Match(config) {
		d.Coverage, d.CoverageTool = false, ""
		d.CoverageHint = "coverage is not measured: a coverageThreshold of bunfig.toml fails a run whose tests pass, and cannot be switched off from outside; take it out"
	}
	return &d
}

// bunStart finds the program: that of the package for this system, what the package's
// install script put in the place of its placeholder, or one on PATH.
func bunStart(p *project.Project, d *adapter.Detection) {
	d.Version = p.Declared("bun")
	m, packaged := p.Module("bun", "bun")
	if packaged {
		d.Version = m.Version
	}
	if own := ownBinary(p, "@oven", "bun-", "bin/bun"); packaged && own != "" {
		d.Program, d.Installed = []string{own, "test"}, true
		return
	}
	if _, err := p.Machine.LookPath("bun"); err == nil {
		d.Program, d.Installed = []string{"bun", "test"}, p.Equipped()
		if !d.Installed {
			d.Hint = p.Install()
		}
		return
	}
	d.Program = []string{"bun", "test"}
	if packaged && m.Program != "" {
		d.Program, d.Installed = []string{m.Program, "test"}, true
		return
	}
	if p.Declared("bun") != "" {
		d.Hint = p.Install()
		return
	}
	d.Hint = diagnosis.Diagnosis{Kind: diagnosis.Missing, Cause: "bun is not on PATH", Cure: "install it (https://bun.com), or add it as a development dependency: " + p.Add("bun")}
}

func bunRun(d adapter.Detection, req adapter.Request, inv *qa.Invocation) []string {
	report := path.Join(req.OutDir, "junit.xml")
	inv.Env = append([]string{"NO_COLOR=1"}, inv.Env...)
	inv.Tests = []qa.ReportFile{{Path: report, Format: "junit"}, {Path: "stdout", Format: "bun", Stdout: true}}
	argv := append([]string{"sh", "-c", `exec "$@" 2>&1`, "sh"}, d.Program...)
	argv = append(argv, "--reporter=junit", "--reporter-outfile="+report)
	if req.Coverage && d.Coverage {
		dir := path.Join(req.OutDir, "coverage")
		argv = append(argv, "--coverage", "--coverage-reporter=lcov", "--coverage-dir="+dir)
		inv.Coverage = []qa.ReportFile{{Path: path.Join(dir, "lcov.info"), Format: "lcov"}}
	}
	if req.Shuffle && adapter.AtLeast(d.Version, 1, 3) {
		argv = append(argv, "--randomize")
		if req.Seed != 0 {
			argv = append(argv, "--seed="+strconv.FormatInt(req.Seed%(1<<31), 10))
		}
	}
	return selecting(bunSelect).or(argv, d, req.Tests)
}

// bunSelect adds the files of a selection, each as a path, and the names of its tests.
func bunSelect(argv []string, d adapter.Detection, tests []adapter.Selected) []string {
	options, specs := splitArgs(d.Args, bunValues)
	argv = append(argv, shell.Without(options, map[string]bool{"-t": true, "--test-name-pattern": true})...)
	if names := titles(tests); names != "" && !adapter.Whole(tests) {
		argv = append(argv, "--test-name-pattern="+names)
	}
	if paths, ok := adapter.Files(tests, d.Dir); ok && len(paths) > 0 {
		specs = nil
		for _, file := range paths {
			specs = append(specs, "./"+file)
		}
	}
	return append(argv, specs...)
}
