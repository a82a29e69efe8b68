package framework

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// mocha describes mocha 8 and later (https://mochajs.org/#command-line-usage);
// coverage comes from c8 or nyc when the repository has one of them.
var mocha = Adapter{
	Name:       "mocha",
	Language:   "javascript",
	Signs:      Signs{Programs: []string{"mocha", "_mocha", "ts-mocha"}},
	Habits:     Habits{OwnPackages: true},
	Invocation: mochaInvocation,
	IsTest:     isMochaTest,
	TestPath:   mochaTestPath,
	Forbidden:  forbiddenJS,
	Reproduce: func(d Detection, c qa.Case) string {
		line := quoted(mochaSelect(slices.Clone(d.Program), d, Select([]qa.Case{c})))
		if len(d.Env) > 0 {
			line = assignments(d.Env) + " " + line
		}
		return inDir(d.Dir, line)
	},
	Explain:  explain(nodeCauses),
	Shuffles: func(Detection) bool { return false },
	detect:   detectMocha,
}

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

func detectMocha(p *project) *Detection {
	var d Detection
	c, scripted := p.call("mocha", "_mocha", "ts-mocha")
	if scripted {
		d.scripted(c)
		d.Args = without(c.args, mochaDropped)
	}
	config := p.first(p.dir, mochaConfigs...)
	if config != "" {
		d.prove(rankConfig, "%s", config)
	}
	if p.pkg != nil && len(p.pkg.Mocha) > 0 {
		d.prove(rankConfig, `package.json: "mocha" section`)
	}
	if v := p.declared("mocha"); v != "" {
		d.weak = len(d.Evidence) == 0 && p.workspace()
		d.prove(rankDependency, "package.json: mocha %s", v)
	}
	if len(d.Evidence) == 0 {
		return nil
	}
	if c.program == "ts-mocha" {
		p.node(&d, "ts-mocha", "ts-mocha", c.node)
		if m, ok := p.module("mocha", "mocha"); ok {
			d.Version = m.version
		}
	} else {
		p.node(&d, "mocha", "mocha", c.node)
	}
	if p.mochaSpec(config) {
		d.Plugins = append(d.Plugins, "spec") // files named by configuration cannot be narrowed
	}
	p.languageFacts(&d)
	p.mochaCoverage(&d, c.wrapper)
	return &d
}

var specKey = regexp.MustCompile(`(?m)^\s*["']?(spec|file)["']?\s*:`)

// mochaSpec reports whether the configuration names test files, which mocha
// always adds to those of the command line.
func (p *project) mochaSpec(config string) bool {
	if config != "" {
		data, _ := p.read(path.Join(p.dir, config))
		return specKey.Match(data) || strings.Contains(string(data), `"spec"`)
	}
	var c map[string]json.RawMessage
	return p.pkg != nil && json.Unmarshal(p.pkg.Mocha, &c) == nil && c["spec"] != nil
}

// mochaCoverage picks the coverage program: the one of the test scripts, else
// the one that is installed.
func (p *project) mochaCoverage(d *Detection, wrapper []string) {
	if len(wrapper) == 0 {
		wrapper = p.wrapper()
	}
	order := []string{"c8", "nyc"}
	if len(wrapper) > 0 && wrapper[0] == "nyc" || len(wrapper) == 0 && p.pkg != nil && len(p.pkg.Nyc) > 0 {
		order = []string{"nyc", "c8"}
	}
	for _, tool := range order {
		if p.pnp() && p.declared(tool) != "" {
			d.Coverage, d.CoverageTool, d.CoverageProgram = true, tool, append(p.yarn(), "run", tool)
			break
		}
		if m, ok := p.module(tool, tool); ok && m.program != "" {
			d.Coverage, d.CoverageTool, d.CoverageProgram = true, tool, []string{"node", m.program}
			break
		}
	}
	if !d.Coverage {
		d.CoverageHint = "coverage cannot be measured without c8 or nyc; run: " + p.add("c8")
		return
	}
	if len(wrapper) > 0 && wrapper[0] == d.CoverageTool {
		d.CoverageProgram = append(d.CoverageProgram, which(wrapper[1:])...)
	}
	if !p.coverageFiles(d.CoverageTool) {
		d.Sources = []string{"."}
	}
}

// wrapper is the coverage program with its options as any script runs it: many
// projects have a "coverage" script beside "test".
func (p *project) wrapper() []string {
	if p.pkg == nil {
		return nil
	}
	for _, name := range sortedKeys(p.pkg.Scripts) {
		r := newReader(p.read)
		r.script(name, spot{dir: p.dir}, nil)
		for _, l := range r.out {
			if len(l.wrapper) > 0 && l.wrapper[0] != "coverage" {
				return l.wrapper
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
func (p *project) coverageFiles(tool string) bool {
	section := map[string]json.RawMessage{}
	if p.pkg != nil {
		text := p.pkg.C8
		if tool == "nyc" {
			text = p.pkg.Nyc
		}
		if json.Unmarshal(text, &section) == nil && section["all"] != nil {
			return true
		}
	}
	for _, name := range []string{".c8rc", ".c8rc.json", ".nycrc", ".nycrc.json", ".nycrc.yml", ".nycrc.yaml", "nyc.config.js", ".nycrc.js"} {
		if data, ok := p.read(path.Join(p.dir, name)); ok && regexp.MustCompile(`\ball\b`).Match(data) {
			return true
		}
	}
	return false
}

func mochaInvocation(d Detection, req Request) (qa.Invocation, error) {
	if err := placed(req.Tests, d.Dir); err != nil {
		return qa.Invocation{}, fmt.Errorf("describe mocha run: %w", err)
	}
	report := path.Join(req.OutDir, "mocha.json")
	inv := qa.Invocation{Dir: d.Dir, Env: append([]string{"CI=true"}, d.Env...)}
	var argv []string
	if req.Coverage {
		argv = mochaMeasure(d, &inv, req.OutDir, len(req.Tests) == 0)
	}
	argv = append(argv, d.Program...)
	argv = append(argv, "--reporter", "json", "--no-bail")
	if atLeast(d.Version, 9, 2) {
		argv = append(argv, "--reporter-option", "output="+report)
		inv.Tests = []qa.ReportFile{{Path: report, Format: "mocha"}}
	} else {
		inv.Tests = []qa.ReportFile{{Path: "stdout", Format: "mocha", Stdout: true}}
	}
	if req.Parallel > 0 {
		argv = append(argv, "--parallel", fmt.Sprintf("--jobs=%d", req.Parallel))
	}
	if len(req.Tests) > 0 {
		argv = mochaSelect(argv, d, req.Tests)
	} else {
		argv = append(argv, d.Args...)
	}
	inv.Argv = argv
	return inv, nil
}

func mochaMeasure(d Detection, inv *qa.Invocation, out string, all bool) []string {
	if !d.Coverage {
		inv.CoverageHint = d.CoverageHint
		return nil
	}
	dir, temp := path.Join(out, "coverage"), path.Join(out, "coverage-raw")
	argv := append(slices.Clone(d.CoverageProgram), "--reporter=json", "--check-coverage=false")
	if d.CoverageTool == "c8" {
		argv = append(argv, "--reports-dir="+dir, "--temp-directory="+temp)
	} else {
		argv = append(argv, "--report-dir="+dir, "--temp-dir="+temp)
	}
	if all && len(d.Sources) > 0 {
		argv = append(argv, "--all")
	}
	inv.Coverage = []qa.ReportFile{{Path: path.Join(dir, "coverage-final.json"), Format: "istanbul"}}
	return argv
}

// mochaFlags splits a script's arguments into options and files.
func mochaFlags(args []string) (options, specs []string) {
	for i := 0; i < len(args); i++ {
		switch {
		case !strings.HasPrefix(args[i], "-"):
			specs = append(specs, args[i])
		case mochaValues[args[i]] && i+1 < len(args):
			options = append(options, args[i], args[i+1])
			i++
		default:
			options = append(options, args[i])
		}
	}
	return options, specs
}

func mochaSelect(argv []string, d Detection, tests []Selected) []string {
	options, specs := mochaFlags(d.Args)
	options = without(options, map[string]bool{"--grep": true, "-g": true, "--fgrep": true, "-f": true, "--invert": false, "-i": false})
	argv = append(argv, options...)
	if pattern := titles(tests); pattern != "" && !whole(tests) {
		argv = append(argv, "--grep", pattern)
	}
	if paths, ok := files(tests, d.Dir); ok && !d.has("spec") {
		specs = paths
	}
	return append(argv, specs...)
}

// mochaTestPath: without tests to learn from, mocha's default folder.
func mochaTestPath(source string, existing []string) string {
	if len(existing) == 0 {
		ext := path.Ext(source)
		dir := path.Dir(source)
		if depth := packageDepth(source); depth > 0 {
			dir = path.Join(strings.Split(dir, "/")[:depth]...)
		} else {
			dir = ""
		}
		return path.Join(dir, "test", strings.TrimSuffix(path.Base(source), ext)+".test"+ext)
	}
	return jsTestPath("", ".test")(source, existing)
}

// assignments writes an environment before a command line.
func assignments(env []string) string {
	out := make([]string, len(env))
	for i, e := range env {
		name, value, _ := strings.Cut(e, "=")
		out[i] = name + "=" + quote(value)
	}
	return strings.Join(out, " ")
}
