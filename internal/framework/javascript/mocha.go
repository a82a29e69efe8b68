package javascript

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
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

// Mocha describes mocha 8 and later (https://mochajs.org/#command-line-usage);
// coverage comes from c8 or nyc when the repository has one of them.
var Mocha = adapter.Adapter{
	Name:       "mocha",
	Language:   "javascript",
	Signs:      adapter.Signs{Programs: []string{"mocha", "_mocha", "ts-mocha"}},
	Habits:     adapter.Habits{OwnPackages: true, Aside: aside, Hooks: mochaHooks},
	Invocation: invocation("mocha", mochaRun),
	IsTest:     IsMochaTest,
	TestPath:   mochaTestPath,
	Forbidden:  forbiddenJS,
	Reproduce:  reproduced(mochaSelect),
	Explain:    diagnosis.New(nodeCauses).Explain,
	Detect:     detectMocha,
}

// mochaHooks stand outside of any suite.
var mochaHooks = pattern.New(`(?m)^(?:mocha\.)?(?:before|after|beforeEach|afterEach|setup|teardown|suiteSetup|suiteTeardown)\s*\(`)

var mochaConfigs = []string{".mocharc.js", ".mocharc.cjs", ".mocharc.mjs", ".mocharc.yaml", ".mocharc.yml", ".mocharc.json", ".mocharc.jsonc"}

// mochaDropped are options of the repository's script that would hide results
// or are ours to give.
var mochaDropped = map[string]bool{
	"--reporter": true, "-R": true, "--reporter-option": true, "--reporter-options": true, "-O": true, "--watch": false, "-w": false,
	"--bail": false, "-b": false, "--pass-on-failing-test-suite": false, "--dry-run": false, "--fail-zero": false,
}

// mochaValues are options that are followed by a value.
var mochaValues = map[string]bool{
	"--require": true, "-r": true, "--timeout": true, "-t": true, "--timeouts": true, "--slow": true, "-s": true, "--ui": true, "-u": true,
	"--extension": true, "--file": true, "--spec": true, "--ignore": true, "--exclude": true, "--config": true, "--package": true, "--jobs": true,
	"-j": true, "--retries": true, "--grep": true, "-g": true, "--fgrep": true, "-f": true, "--import": true, "--loader": true, "--opts": true,
	"--node-option": true, "-n": true, "--global": true,
}

func detectMocha(p *project.Project) *adapter.Detection {
	var d adapter.Detection
	c, _ := scripted(p, &d, mochaDropped, "mocha", "_mocha", "ts-mocha")
	config := configured(p, &d, mochaConfigs...)
	if p.Pkg != nil && len(p.Pkg.Mocha) > 0 {
		d.Prove(adapter.RankConfig, `package.json: "mocha" section`)
	}
	if !declared(p, &d, "mocha") {
		return nil
	}
	if c.Program == "ts-mocha" {
		startNode(p, &d, "ts-mocha", "ts-mocha", c.Node)
		if m, ok := p.Module("mocha", "mocha"); ok {
			d.Version = m.Version
		}
	} else {
		startNode(p, &d, "mocha", "mocha", c.Node)
	}
	if mochaSpec(p, config) {
		d.Plugins = append(d.Plugins, "spec") // files named by configuration cannot be narrowed
	}
	mochaCoverage(p, &d, c.Wrapper)
	d.Say(c.Args)
	return &d
}

var specKey = pattern.New(`(?m)^\s*["']?(spec|file)["']?\s*:`)

// mochaSpec reports whether the configuration names test files, which mocha
// always adds to those of the command line.
func mochaSpec(p *project.Project, config string) bool {
	if config != "" {
		data, _ := p.Read(path.Join(p.Dir, config))
		return specKey.Match(data) || strings.Contains(string(data), `"spec"`)
	}
	var c map[string]json.RawMessage
	return p.Pkg != nil && json.Unmarshal(p.Pkg.Mocha, &c) == nil && c["spec"] != nil
}

// mochaCoverage picks the coverage program: the one of the test scripts, else
// the one that is installed.
func mochaCoverage(p *project.Project, d *adapter.Detection, wrapper []string) {
	if len(wrapper) == 0 {
		wrapper = scriptWrapper(p)
	}
	order := []string{"c8", "nyc"}
	if len(wrapper) > 0 && wrapper[0] == "nyc" || len(wrapper) == 0 && p.Pkg != nil && len(p.Pkg.Nyc) > 0 {
		order = []string{"nyc", "c8"}
	}
	blind := blindNyc(p)
	if blind {
		order = []string{"c8"}
	}
	for _, tool := range order {
		if p.Pnp() && p.Declared(tool) != "" {
			d.Coverage, d.CoverageTool, d.CoverageProgram = true, tool, append(p.Yarn(), "run", tool)
			break
		}
		if m, ok := p.Module(tool, tool); ok && m.Program != "" {
			d.Coverage, d.CoverageTool, d.CoverageProgram = true, tool, []string{"node", m.Program}
			break
		}
	}
	if !d.Coverage && blind && p.Declared("nyc") != "" {
		d.CoverageHint = "coverage cannot be measured: nyc does not see ECMAScript modules; run: " + p.Add("c8")
		return
	}
	if !d.Coverage {
		d.CoverageHint = "coverage cannot be measured without c8 or nyc; run: " + p.Add(order[max(0, slices.IndexFunc(order, func(tool string) bool { return p.Declared(tool) != "" }))])
		return
	}
	if len(wrapper) > 0 && wrapper[0] == d.CoverageTool {
		d.CoverageProgram = append(d.CoverageProgram, which(wrapper[1:])...)
	}
	// What no test loads nyc reads as it stands, and joins it with what a hook compiled of
	// the other files, which loses some of these.
	hooked := slices.ContainsFunc(hooks, func(name string) bool { return p.Declared(name) != "" })
	if !coverageFiles(p, d.CoverageTool) && (d.CoverageTool != "nyc" || !hooked) {
		d.Sources = []string{"."}
	}
}

// hooks are packages that compile what is required.
var hooks = []string{"@babel/register", "babel-register", "ts-node", "tsx", "@swc-node/register", "@swc/register", "esbuild-register", "esbuild-runner", "sucrase", "coffeescript", "coffee-script", "livescript"}

// blindNyc reports whether nyc would see none of a package's code: it hooks into what
// require loads, and says 0 % of modules of the other kind.
func blindNyc(p *project.Project) bool {
	return p.Pkg != nil && p.Pkg.Type == "module" && p.Declared("@istanbuljs/esm-loader-hook") == ""
}

// scriptWrapper is the coverage program with its options as any script runs it: many
// projects have a "coverage" script beside "test".
func scriptWrapper(p *project.Project) []string {
	if p.Pkg == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.Pkg.Scripts)) {
		r := p.Reader()
		r.Script(name, script.Spot{Dir: p.Dir}, nil)
		for _, l := range r.Out {
			if len(l.Wrapper) > 0 && l.Wrapper[0] != "coverage" {
				return l.Wrapper
			}
		}
	}
	return nil
}

// which keeps the options of c8 and nyc that say which files are measured.
func which(options []string) []string {
	files := map[string]bool{
		"--exclude": true, "-x": true, "--include": true, "-n": true, "--extension": true, "-e": true, "--src": true, "--all": true, "-a": true,
		"--exclude-after-remap": true, "--exclude-node-modules": true,
	}
	var out []string
	keep := false
	for _, o := range options {
		name, _, _ := strings.Cut(o, "=")
		if strings.HasPrefix(o, "-") {
			keep = files[name]
		}
		if keep {
			out = append(out, o)
		}
	}
	return out
}

// coverageFiles reports whether c8's or nyc's configuration names the files to
// measure.
func coverageFiles(p *project.Project, tool string) bool {
	section := map[string]json.RawMessage{}
	if p.Pkg != nil {
		text := p.Pkg.C8
		if tool == "nyc" {
			text = p.Pkg.Nyc
		}
		if json.Unmarshal(text, &section) == nil && section["all"] != nil {
			return true
		}
	}
	for _, name := range []string{".c8rc", ".c8rc.json", ".nycrc", ".nycrc.json", ".nycrc.yml", ".nycrc.yaml", "nyc.config.js", ".nycrc.js"} {
		if data, ok := p.Read(path.Join(p.Dir, name)); ok && regexp.MustCompile(`\ball\b`).Match(data) {
			return true
		}
	}
	return false
}

func mochaRun(d adapter.Detection, req adapter.Request, inv *qa.Invocation) []string {
	report := path.Join(req.OutDir, "mocha.json")
	argv := append(append(mochaMeasure(d, req, inv), d.Program...), "--reporter", "json")
	if adapter.AtLeast(d.Version, 6, 0) { // before, it takes the next word as a value of what it does not know: a test file
		argv = append(argv, "--no-bail")
	}
	if adapter.AtLeast(d.Version, 9, 2) {
		argv = append(argv, "--reporter-option", "output="+report)
		inv.Tests = []qa.ReportFile{{Path: report, Format: "mocha"}}
	} else {
		inv.Tests = []qa.ReportFile{{Path: "stdout", Format: "mocha", Stdout: true}}
	}
	if req.Parallel > 0 {
		argv = append(argv, "--parallel", fmt.Sprintf("--jobs=%d", req.Parallel))
	}
	if adapter.AtLeast(d.Version, 6, 0) {
		inv.Files = map[string]string{"trace/qa_mocha.cjs": mochaRead + d.Said() + ")\n"}
		argv = append(argv, "--require", path.Join(req.OutDir, "trace", "qa_mocha.cjs"))
	}
	return selecting(mochaSelect).or(argv, d, req.Tests)
}

// mochaRead takes our options off the command line, which mocha has read when it loads
// this file: tests run in its process, and one that reads process.argv would fail for
// words of ours. What the repository's script says stays. A worker has no options on its
// command line.
const mochaRead = `'use strict'
if (process.argv.length > 2) process.argv.splice(2, process.argv.length, ...`

// mochaMeasure is the coverage program before the runner, where coverage is asked for.
func mochaMeasure(d adapter.Detection, req adapter.Request, inv *qa.Invocation) []string {
	if !req.Coverage || !d.Coverage {
		return nil
	}
	dir, temp := path.Join(req.OutDir, "coverage"), path.Join(req.OutDir, "coverage-raw")
	argv := append(slices.Clone(d.CoverageProgram), "--reporter=json", "--check-coverage=false")
	if d.CoverageTool == "c8" {
		argv = append(argv, "--reports-dir="+dir, "--temp-directory="+temp)
	} else {
		argv = append(argv, "--report-dir="+dir, "--temp-dir="+temp)
	}
	if len(req.Tests) == 0 && len(d.Sources) > 0 {
		argv = append(argv, "--all=true") // nyc takes a word after it for its value: node, and the options of node for its own
	}
	inv.Coverage = []qa.ReportFile{{Path: path.Join(dir, "coverage-final.json"), Format: "istanbul"}}
	return argv
}

// splitArgs splits a script's arguments into options, with the values that follow
// some of them, and files.
func splitArgs(args []string, values ...map[string]bool) (options, specs []string) {
	for i := 0; i < len(args); i++ {
		switch {
		case !strings.HasPrefix(args[i], "-"):
			specs = append(specs, args[i])
		case i+1 < len(args) && slices.ContainsFunc(values, func(v map[string]bool) bool { return v[args[i]] }):
			options = append(options, args[i], args[i+1])
			i++
		default:
			options = append(options, args[i])
		}
	}
	return options, specs
}

func mochaSelect(argv []string, d adapter.Detection, tests []adapter.Selected) []string {
	options, specs := splitArgs(d.Args, mochaValues)
	options = shell.Without(options, map[string]bool{"--grep": true, "-g": true, "--fgrep": true, "-f": true, "--invert": false, "-i": false})
	argv = append(argv, options...)
	if pattern := titles(tests); pattern != "" && !adapter.Whole(tests) {
		argv = append(argv, "--grep", pattern)
	}
	if paths, ok := adapter.Files(tests, d.Dir); ok && !d.Has("spec") {
		specs = paths
	}
	return append(argv, specs...)
}

// mochaTestPath: without tests to learn from, mocha's default folder.
func mochaTestPath(source string, existing []string) string {
	if len(existing) == 0 {
		ext := path.Ext(source)
		dir := path.Dir(source)
		if depth := adapter.PackageDepth(source); depth > 0 {
			dir = path.Join(strings.Split(dir, "/")[:depth]...)
		} else {
			dir = ""
		}
		return path.Join(dir, "test", strings.TrimSuffix(path.Base(source), ext)+".test"+ext)
	}
	return jsTestPath("", ".test")(source, existing)
}

// reproduced is the line that runs one case: the program with what selects the
// case, behind the variables that the script sets.
func reproduced(choose selecting) func(adapter.Detection, qa.Case) string {
	return func(d adapter.Detection, c qa.Case) string {
		line := wording.Command(choose(slices.Clone(d.Program), d, adapter.Select([]qa.Case{c})))
		if len(d.Env) > 0 {
			line = assignments(d.Env) + " " + line
		}
		return shell.InDir(d.Dir, line)
	}
}

// assignments writes an environment before a command line.
func assignments(env []string) string {
	out := make([]string, len(env))
	for i, e := range env {
		name, value, _ := strings.Cut(e, "=")
		out[i] = name + "=" + wording.Quote(value)
	}
	return strings.Join(out, " ")
}
