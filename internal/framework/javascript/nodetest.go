package javascript

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/wording"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
)

// NodeTestName is the name of the adapter of node's own runner.
const NodeTestName = "nodetest"

// Nodetest describes node's own test runner (https://nodejs.org/api/test.html),
// started by node --test, by borp in its own way, or by a file that loads node:test. A reporter of ours is laid beside the
// run; coverage comes from c8 or nyc where the project has them, else from node.
var Nodetest = adapter.Adapter{
	Name:       NodeTestName,
	Language:   "javascript",
	Signs:      adapter.Signs{Programs: []string{"borp"}, Loads: []string{"node:test"}},
	Habits:     adapter.Habits{Parallel: true, OwnPackages: true, Aside: aside},
	Invocation: invocation("node --test", nodeRun),
	IsTest:     isNodeTest,
	TestPath:   mochaTestPath,
	Forbidden:  forbiddenJS,
	Reproduce: reproduced(func(argv []string, d adapter.Detection, tests []adapter.Selected) []string {
		return append(project.BareProgram(argv), nodeSelect(d, tests)...)
	}),
	Explain: diagnosis.New([]diagnosis.Cause{
		{Exit: 9, Pattern: `bad option: (--test[\w-]*|--import|--experimental-test-coverage)`, Kind: diagnosis.Version, Says: "this Node.js has no $1", Cure: "use Node.js 20.11 or later"},
		{Pattern: `Could not find '([^'\n]*\*[^'\n]*)'`, Kind: diagnosis.NoTests, Says: "node finds no test file for $1", Cure: "correct the pattern; Node.js before 21 knows none: put a newer one on PATH, or let the action provide it with --runtime image"},
		{Pattern: `Could not find '([^'\n]*)'`, Kind: diagnosis.NoTests, Says: "node finds no test file for $1"},
	}, nodeCauses).Explain,
	Detect: detectNodeTest,
}

// nodeDropped are options of a script that choose reporters, judge coverage, leave
// tests out or never end.
var nodeDropped = map[string]bool{
	"--test-reporter": true, "--test-reporter-destination": true, "--watch": false, "--experimental-test-coverage": false,
	"--test-coverage-lines": true, "--test-coverage-branches": true, "--test-coverage-functions": true, "--test-shard": true, "--test-update-snapshots": false,
	"--test-coverage-include": true, "--test-coverage-exclude": true, "--test": false,
}

var borpDropped = map[string]bool{
	"--reporter": true, "-r": true, "--watch": false, "-w": false, "--coverage": false, "-C": false, "--check-coverage": false, "--coverage-html": false,
	"--coverage-exclude": true, "-X": true, "--lines": true, "--branches": true, "--functions": true, "--statements": true,
}

// nodeValues are options of node's runner and of borp that are followed by a value.
var nodeValues = map[string]bool{
	"--test-name-pattern": true, "--test-skip-pattern": true, "--test-concurrency": true, "--test-timeout": true, "--test-isolation": true,
	"--experimental-test-isolation": true, "--test-global-setup": true,
	"--pattern": true, "-p": true, "--concurrency": true, "-c": true, "--timeout": true, "-t": true, "--ignore": true, "-i": true,
}

// nodeSuffix is what node takes for a test file beside all of a folder "test".
var nodeSuffix = pattern.New(`(?:^|/)test(?:-[^/]+)?\.[cm]?[jt]s$`)

func isNodeTest(file string) bool {
	return IsMochaTest(file) || nodeSuffix.MatchString(file) && !jsAside.MatchString(file)
}

func detectNodeTest(p *project.Project) *adapter.Detection {
	var d adapter.Detection
	l, scripted := p.Call("node", "borp")
	program := []string{"node", "--test"}
	switch {
	case scripted && l.Program == "borp":
		d.Scripted(l)
		startNode(p, &d, "borp", "borp", l.Node)
		d.Args, d.Plugins = shell.Without(l.Args, borpDropped), append(d.Plugins, "borp")
	case scripted && !slices.Contains(l.Args, "--test"): // the file itself is the program
		d.Prove(adapter.RankScript, "%s: script %q runs %s with node, which loads node:test", l.From(), l.Script, l.Args[0])
		d.Env, d.Args, program = slices.Clone(l.Env), slices.Clone(l.Args), append([]string{"node"}, l.Node...)
	case scripted:
		d.Prove(adapter.RankScript, "%s: script %q runs node --test", l.From(), l.Script)
		d.Env = slices.Clone(l.Env)
		d.Args = append(slices.Clone(l.Node), shell.Without(l.Args, nodeDropped)...)
	case len(p.Calls) > 0:
		return nil
	default:
		at := importing(p, nodeImport, nodeFinds)
		if at == "" {
			return nil
		}
		d.Prove(adapter.RankDependency-1, "%s: imports node:test", at)
		d.Weak = p.Dir != "." && p.Pkg == nil
	}
	if len(d.Program) == 0 {
		d.Program, d.Installed = program, p.Equipped()
		if !d.Installed { // node is there, and what the tests load is not
			d.Hint = p.Install()
		}
		if p.Pnp() { // else the programs of packages are on PATH as for every suite of JavaScript
			d.Program = p.OnPath(d.Program)
		}
	}
	d.Sweeps = len(limits(&d, l, nodeValues, script.TakesValue)) == 0
	if slices.Contains(l.Through, script.Glob) {
		m, ok := p.Module(script.Glob, script.Glob)
		if d.Installed = d.Installed && ok; !ok {
			m.Program, d.Hint = path.Join("node_modules", ".bin", script.Glob), p.Install()
		}
		d.Plugins = append(d.Plugins, spreads+m.Program)
	}
	if mochaCoverage(p, &d, l.Wrapper); !d.Coverage && !d.Has("borp") {
		d.Coverage, d.CoverageTool, d.CoverageHint = true, "node", ""
	}
	return &d
}

// nodeImport is a test file that is written for node's runner.
var nodeImport = pattern.New(`(?:\bfrom\s*|\bimport\s*|\b(?:require|import)\s*\(\s*)["']node:test["']`)

// importing is the first test file that is written for a runner where no script says
// what runs the tests, in this folder or those where tests usually stand.
func importing(p *project.Project, imports *pattern.Pattern, finds func(file string) bool) string {
	if p.Pkg != nil && slices.ContainsFunc(p.Pkg.TestScripts(), func(name string) bool { return !strings.Contains(p.Pkg.Scripts[name], "no test specified") }) {
		return ""
	}
	return adapter.FirstTest(p, finds, imports)
}

// nodeFinds reports whether node runs a file that nobody names.
func nodeFinds(file string) bool {
	return !strings.HasSuffix(path.Ext(file), "ts") && !strings.HasSuffix(file, "x") && (jsTest.MatchString(file) && !strings.Contains(path.Base(file), "spec.") || nodeSuffix.MatchString(file) || strings.Contains("/"+file, "/test/")) && !jsAside.MatchString(file)
}

func nodeRun(d adapter.Detection, req adapter.Request, inv *qa.Invocation) []string {
	inv.Tests = []qa.ReportFile{{Path: path.Join(req.OutDir, nodeReportFile), Format: "jest"}, {Path: path.Join(req.OutDir, outsideFile), Format: "outside"}}
	inv.Files = map[string]string{"trace/" + nodeReporterFile: nodeReporter}
	ours := path.Join(req.OutDir, "trace", nodeReporterFile)
	reporters := []string{"--test-reporter=" + ours, "--test-reporter-destination=stdout", "--test-reporter=spec", "--test-reporter-destination=stdout"}
	if d.Has("borp") {
		reporters = []string{"--reporter=" + ours, "--reporter=spec"}
	}
	var argv []string
	switch {
	case req.Coverage && d.CoverageTool == "node":
		reporters = append(reporters, "--experimental-test-coverage")
		inv.Coverage = []qa.ReportFile{{Path: path.Join(req.OutDir, nodeCoverageFile), Format: "lcov"}}
	default:
		argv = mochaMeasure(d, req, inv)
	}
	if req.Parallel > 0 && slices.Contains(d.Program, "--test") {
		reporters = append(reporters, fmt.Sprintf("--test-concurrency=%d", req.Parallel))
	}
	argv = slices.Concat(argv, d.Program, reporters)
	if len(req.Tests) > 0 {
		inv.Files["trace/"+nodeSelectedFile] = nodeChosen(d, req.Tests)
		return append(argv, nodeSelect(d, req.Tests)...)
	}
	return spread(byShell(argv, d), d, inv)
}

// spreads marks the program that finds the files of a run.
const spreads = "spread "

// spread has a program find the files: it runs the command with what its patterns
// stand for.
func spread(argv []string, d adapter.Detection, inv *qa.Invocation) []string {
	i := slices.IndexFunc(d.Plugins, func(p string) bool { return strings.HasPrefix(p, spreads) })
	if i < 0 {
		return argv
	}
	options, patterns := splitArgs(d.Args, nodeValues, script.TakesValue)
	command := argv[:len(argv)-len(d.Args)]
	inv.Env = append(inv.Env, "SHELL=/bin/sh") // by which glob splits the command into words
	return append([]string{"node", strings.TrimPrefix(d.Plugins[i], spreads), "--cmd=" + wording.Command(append(slices.Clone(command), options...))}, patterns...)
}

// nodeChosen is the selection for the reporter.
func nodeChosen(d adapter.Detection, tests []adapter.Selected) string {
	type one struct {
		File  string `json:"file"`
		Suite string `json:"suite"`
		Name  string `json:"name"`
	}
	var out []one
	for _, t := range tests {
		file, _ := folder.Below(t.File, d.Dir)
		if t.File == "" {
			file = ""
		}
		out = append(out, one{file, t.Suite, t.Name})
	}
	text, _ := json.Marshal(out) // strings
	return string(text)
}

// maxPattern bounds a pattern of names on a command line; without one, more runs
// than is reported.
const maxPattern = 60_000

// nodeSelect are the arguments for a selection: its files, where the script would
// run them, and the names of the tests with those of their suites.
func nodeSelect(d adapter.Detection, tests []adapter.Selected) []string {
	options, specs := splitArgs(d.Args, nodeValues, script.TakesValue)
	options = shell.Without(options, map[string]bool{"--test-name-pattern": true, "--test-skip-pattern": true, "--test-only": false, "--pattern": true, "-p": true})
	if !adapter.Whole(tests) && !d.Has("borp") {
		var names []string
		for _, t := range tests {
			name := t.Name
			if m := numbered.FindStringSubmatch(name); m != nil {
				names = append(names, escape(m[1]))
			}
			for _, n := range append(strings.Split(t.Suite, " > "), name) {
				if n = escape(n); n != "" && !slices.Contains(names, n) {
					names = append(names, n)
				}
			}
		}
		if pattern := "^(?:" + strings.Join(names, "|") + ")$"; len(pattern) < maxPattern {
			options = append(options, "--test-name-pattern="+pattern)
		}
	}
	if paths, ok := adapter.Files(tests, d.Dir); ok && !slices.ContainsFunc(paths, func(p string) bool { return !isNodeTest(p) && !slices.Contains(specs, p) }) {
		specs = paths
	}
	if len(d.Args) > 0 && !d.Has("borp") && !slices.Contains(d.Program, "--test") {
		return bareSelect(d, options, specs)
	}
	return append(options, specs...)
}

// bareSelect are the arguments where the file itself is the program: what stands behind
// it in the script is its own, and of several files node would start the first alone.
func bareSelect(d adapter.Detection, options, specs []string) []string {
	own := d.Args[1:]
	options = slices.DeleteFunc(options, func(o string) bool { return slices.Contains(own, o) })
	specs = slices.DeleteFunc(slices.Clone(specs), func(s string) bool { return slices.Contains(own, s) })
	if len(specs) > 1 {
		return append(append(options, "--test"), specs...)
	}
	return slices.Concat(options, specs, own)
}

// shellGlob marks a pattern among the arguments that a shell has to expand.
const shellGlob = "shell "

// byShell adds the arguments of the script; what a shell has to expand is left to one.
func byShell(argv []string, d adapter.Detection) []string {
	if !slices.ContainsFunc(d.Plugins, func(p string) bool { return strings.HasPrefix(p, shellGlob) }) {
		return append(argv, d.Args...)
	}
	line := `exec "$@"`
	for _, a := range d.Args {
		if d.Has(shellGlob + a) {
			line += " " + globbed(a)
		} else {
			line += " " + wording.Quote(a)
		}
	}
	return append([]string{"sh", "-c", line, "sh"}, argv...)
}

// globbed quotes all of a word but its patterns.
func globbed(text string) string { return unglobbed.ReplaceAllStringFunc(text, wording.Quote) }

var unglobbed = pattern.New(`[^*?\[\]]+`)

// NodeTestHint says how to have the reports of a command that runs node --test in
// a way of its own; empty for others.
func NodeTestHint(script string) string {
	if !strings.Contains(script, "node") || !slices.Contains(strings.Fields(script), "--test") {
		return ""
	}
	// Short, because messages are cut; docs/frameworks.md has it with coverage.
	return "set test-command to node --test --test-reporter=junit --test-reporter-destination={out}/junit.xml FILES, test-report to {out}/junit.xml (coverage: docs/frameworks.md)"
}
