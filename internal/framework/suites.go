package framework

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/python"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/framework/script/recipe"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// suitesOf makes detections of the leaves of test scripts.

// detection describes one leaf that runs tests; nil when there is nothing to
// run.
func (f *finder) detection(l script.Leaf) *adapter.Detection {
	p := f.project(l.Dir)
	if l.Class == script.Unknown {
		l = loading(p, l)
	}
	p.Calls = []script.Leaf{l}
	var d *adapter.Detection
	name := l.Framework
	if l.Class == script.Suite {
		if a, err := For(l.Framework); err == nil {
			d = a.Detect(p)
		}
	}
	if d == nil {
		d, name = commandLeaf(p, l), Command.Name
	}
	d.Framework, d.Dir, d.Leaf, d.Line, d.Called = name, folder.FromDot(l.Dir), l.Script, l.Shown(), l.Called
	d.Weak, d.Label, d.Python = false, label(l), ofPython(l)
	if len(l.Through) > 0 && l.Through[0] != script.Glob && name != Command.Name {
		d.Program = p.OnPath(append(slices.Clone(l.Through), l.Program))
	}
	patterns(d, l.Globs)
	if narrowed(*d) {
		d.Sweeps = false
	}
	d.Browser = d.Browser || l.Class == script.Browser || name == "vitest" && slices.ContainsFunc(l.Args, func(a string) bool { return strings.HasPrefix(a, "--browser") && a != "--browser=false" })
	for _, b := range l.Before {
		line := asStep(p, b)
		if !slices.ContainsFunc(d.Before, func(o []string) bool { return slices.Equal(o, line) }) {
			d.Before = append(d.Before, line)
		}
	}
	return d
}

// loading makes a suite of "node test.js" where that file, or one beside it that it
// loads, loads a framework whose tests run by themselves, and of "python test.py"
// where that file hands its tests to unittest.
func loading(p *project.Project, l script.Leaf) script.Leaf {
	if module := python.AsModule(l); python.RunsUnittest(p, module) {
		l = module
		l.Class, l.Framework = script.Suite, python.Unittest.Name
		return l
	}
	if l.Program != "node" || strings.ContainsAny(strings.Join(l.Args, ""), "$`") {
		return l
	}
	at := script.Options(l.Args)
	if at == len(l.Args) || slices.Contains(l.Args[:at], "--watch") {
		return l
	}
	by := javascript.LoadedBy(p, l.Args[at], joined(func(a adapter.Adapter) []string { return a.Signs.Loads }))
	for _, a := range table {
		if by != "" && slices.Contains(a.Signs.Loads, by) {
			l.Class, l.Framework = script.Suite, a.Name
			l.Node, l.Args = append(slices.Clip(l.Node), l.Args[:at]...), l.Args[at:]
			break
		}
	}
	return l
}

// patterns puts what a shell would expand into the terms of the runner.
func patterns(d *adapter.Detection, globs []string) {
	for i, a := range d.Args {
		if !slices.Contains(globs, a) {
			continue
		}
		if adapter, err := For(d.Framework); err == nil && adapter.Habits.Glob != nil {
			d.Args[i] = adapter.Habits.Glob(a)
		}
	}
	d.Args = slices.DeleteFunc(d.Args, func(a string) bool { return a == "" })
}

// label is the program of a leaf for people.
func label(l script.Leaf) string {
	switch {
	case l.Framework == javascript.NodeTestName && slices.Contains(l.Args, "--test"):
		return "node --test"
	case l.Program == "sh":
		return l.Script
	case (l.Program == "node" || script.IsPython(l.Program)) && len(l.Args) > 0:
		for i, a := range l.Args {
			if a == "-m" && i+1 < len(l.Args) {
				return l.Args[i+1]
			}
			if !strings.HasPrefix(a, "-") {
				return l.Program + " " + a
			}
		}
	}
	return l.Program
}

// narrowed reports whether a script limits its run to a part of the tests: what
// lies below may be in another part.
func narrowed(d adapter.Detection) bool {
	limits := []string{"--project", "--projects", "--selectProjects", "--ignoreProjects", "--testPathPattern", "--testPathPatterns", "--testPathIgnorePatterns", "--testNamePattern", "-t", "--dir", "--root", "--rootDir", "-r", "--exclude", "--testMatch", "--testRegex", "--roots"}
	for i, a := range d.Args {
		option, value, joined := strings.Cut(a, "=")
		if slices.Contains(limits, option) {
			return true
		}
		if option == "--config" || option == "-c" {
			if !joined && i+1 < len(d.Args) {
				value = d.Args[i+1]
			}
			base := path.Base(value)
			if !slices.Contains(javascript.JestConfigs, base) && !slices.Contains(javascript.VitestConfigs, base) && !slices.Contains(javascript.ViteConfigs, base) {
				return true
			}
		}
	}
	adapter, err := For(d.Framework)
	return err == nil && (adapter.Language == "" || adapter.Language == scripting) && len(javascript.Flags(d.Args)) < len(d.Args)
}

// commandLeaf runs a leaf that no adapter knows, the way its script would.
func commandLeaf(p *project.Project, l script.Leaf) *adapter.Detection {
	d := &adapter.Detection{Installed: true, Traits: adapter.Traits{ExitOnly: true}, Tools: adapter.Tools{Env: slices.Clone(l.Env)}}
	d.Prove(adapter.RankScript, "%s: script %q: %s", l.From(), l.Script, shell.Cut(l.Line, shell.MaxShown))
	argv := words(p, l)
	if l.Plain && len(l.Argv) > 0 && script.IsPython(path.Base(argv[0])) {
		argv = append([]string{p.Interpreter().Program}, argv[1:]...)
	} else if l.Plain && l.Program == "setup.py" {
		argv = append([]string{p.Interpreter().Program}, argv...)
	}
	if len(l.Node) > 0 && l.Program == "node" {
		argv = slices.Concat(argv[:1], l.Node, argv[1:])
	}
	d.Program = p.OnPath(argv)
	d.CoverageHint = "coverage is not measured: name the file that the test command writes in coverage-file"
	switch d.Hint.Cure = javascript.NodeTestHint(l.Line); {
	case lacks(p, l.Program):
		d.Hint = p.Install()
	case d.Hint.Cure == "":
		d.Hint = diagnosis.Diagnosis{Cause: shell.Cut(l.Line, 60) + " writes no report that can be read", Cure: "set test-command, and test-report to the file of a JUnit reporter"}
	}
	return d
}

// words are those of a leaf's command. What a script starts with python -m is started so.
func words(p *project.Project, l script.Leaf) []string {
	if !l.Plain || len(l.Argv) == 0 {
		return byShell(l.Line)
	}
	module := map[string]string{"python-build": "build", "pip": "pip", "pip3": "pip"}[l.Program]
	if l.Python.Module && module == "" {
		module = l.Program
	}
	if module == "" {
		return l.Argv
	}
	return slices.Concat([]string{p.Interpreter().Program}, l.Python.Options, []string{"-m", module}, l.Argv[1:])
}

// byShell is a line as a command.
func byShell(line string) []string {
	if strings.HasPrefix(line, recipe.PipeFail) { // which not each sh knows
		return []string{"bash", "-c", line}
	}
	return []string{"sh", "-c", line}
}

// lacks reports whether a program is a dependency of the package, and none of
// its dependencies are installed.
func lacks(p *project.Project, program string) bool {
	return p.Pkg != nil && p.Pkg.DevDependencies[program]+p.Pkg.Dependencies[program] != "" &&
		!slices.ContainsFunc(p.Bins(), func(b string) bool { return strings.HasSuffix(b, "node_modules/.bin") })
}

// asStep is a preparation as a command line that is run in this project's folder.
func asStep(p *project.Project, l script.Leaf) []string {
	argv := words(p, l)
	if len(l.Env) > 0 {
		argv = slices.Concat([]string{"env"}, l.Env, argv)
	}
	if l.Dir != p.Dir {
		argv = []string{"sh", "-c", "cd " + wording.Quote(folder.Climb(p.Dir, l.Dir)) + " && exec " + wording.Command(argv)}
	}
	return argv
}
