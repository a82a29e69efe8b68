package framework

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// suitesOf makes detections of the leaves of test scripts.

// detection describes one leaf that runs tests; nil when there is nothing to
// run.
func (t *tree) detection(l leaf) *Detection {
	p := newProject(t, l.dir)
	p.calls = []leaf{l}
	var d *Detection
	name := l.framework
	if l.class == suite {
		if a, err := For(l.framework); err == nil {
			d = a.detect(p)
		}
	}
	if d == nil {
		d, name = p.commandLeaf(l), Command.Name
	}
	d.Framework, d.Dir, d.Leaf, d.Line = name, fromDot(l.dir), l.script, l.shown()
	d.weak, d.program, d.python = false, l.label(), l.python()
	if len(l.through) > 0 && name != Command.Name {
		d.Program = p.onPath(append(slices.Clone(l.through), l.program))
	}
	d.patterns(l.globs)
	if narrowed(*d) {
		d.sweeps = false
	}
	d.Browser = d.Browser || l.class == browser || name == "vitest" && slices.ContainsFunc(l.args, func(a string) bool { return strings.HasPrefix(a, "--browser") && a != "--browser=false" })
	for _, b := range l.before {
		line := p.step(b)
		if !slices.ContainsFunc(d.Before, func(o []string) bool { return slices.Equal(o, line) }) {
			d.Before = append(d.Before, line)
		}
	}
	return d
}

// patterns puts what a shell would expand into the terms of the runner.
func (d *Detection) patterns(globs []string) {
	for i, a := range d.Args {
		if !slices.Contains(globs, a) {
			continue
		}
		if adapter, err := For(d.Framework); err == nil && adapter.Habits.glob != nil {
			d.Args[i] = adapter.Habits.glob(a)
		}
	}
	d.Args = slices.DeleteFunc(d.Args, func(a string) bool { return a == "" })
}

// label is the program of a leaf for people.
func (l leaf) label() string {
	switch {
	case l.framework == nodeTestName && l.program == "node":
		return "node --test"
	case l.program == "sh":
		return l.script
	case (l.program == "node" || pythons.MatchString(l.program)) && len(l.args) > 0:
		for i, a := range l.args {
			if a == "-m" && i+1 < len(l.args) {
				return l.args[i+1]
			}
			if !strings.HasPrefix(a, "-") {
				return l.program + " " + a
			}
		}
	}
	return l.program
}

// narrowed reports whether a script limits its run to a part of the tests: what
// lies below may be in another part.
func narrowed(d Detection) bool {
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
			if !slices.Contains(jestConfigs, base) && !slices.Contains(vitestConfigs, base) && !slices.Contains(viteConfigs, base) {
				return true
			}
		}
	}
	adapter, err := For(d.Framework)
	return err == nil && (adapter.Language == "" || adapter.Language == scripting) && len(flags(d.Args)) < len(d.Args)
}

// commandLeaf runs a leaf that no adapter knows, the way its script would.
func (p *project) commandLeaf(l leaf) *Detection {
	d := &Detection{Installed: true, ExitOnly: true, Env: slices.Clone(l.env)}
	d.prove(rankScript, "%s: script %q: %s", l.source, l.script, cut(l.line, maxShown))
	argv := l.argv
	if !l.plain || len(argv) == 0 {
		argv = []string{"sh", "-c", l.line}
	} else if pythons.MatchString(path.Base(argv[0])) {
		argv = append([]string{p.interpreter().program}, argv[1:]...)
	} else if l.program == "setup.py" {
		argv = append([]string{p.interpreter().program}, argv...)
	}
	if len(l.node) > 0 && l.program == "node" {
		argv = slices.Concat(argv[:1], l.node, argv[1:])
	}
	d.Program = p.onPath(argv)
	d.CoverageHint = "coverage is not measured: name the file that the test command writes in coverage-file"
	switch d.Hint = nodeTestHint(l.line); {
	case p.lacks(l.program):
		d.Hint = p.install()
	case d.Hint == "":
		d.Hint = fmt.Sprintf("%s writes no report that can be read: set test-command, and test-report to the file of a JUnit reporter", cut(l.line, 60))
	}
	return d
}

// lacks reports whether a program is a dependency of the package, and none of
// its dependencies are installed.
func (p *project) lacks(program string) bool {
	return p.pkg != nil && p.pkg.DevDependencies[program]+p.pkg.Dependencies[program] != "" &&
		!slices.ContainsFunc(p.bins(), func(b string) bool { return strings.HasSuffix(b, "node_modules/.bin") })
}

// pathPrefix begins the shell line that puts folders before PATH.
const pathPrefix = `export PATH="`

// bins are the folders of programs that a script of this project may call by
// name, relative to it, nearest first.
func (p *project) bins() []string {
	var out []string
	for dir, up := p.dir, ""; ; dir, up = path.Dir(dir), up+"../" {
		// Installed dependencies may be a link out of the repository.
		if _, err := os.Stat(filepath.Join(p.abs, filepath.FromSlash(dir), "node_modules", ".bin")); err == nil {
			out = append(out, up+"node_modules/.bin")
		}
		if dir == "." {
			break
		}
	}
	if at := path.Dir(p.interpreter().program); at != "." {
		out = append(out, at)
	}
	return out
}

// onPath starts argv with the project's own programs on PATH.
func (p *project) onPath(argv []string) []string {
	if p.pnp() {
		return append(append(p.yarn(), "exec"), argv...)
	}
	bins := p.bins()
	if len(bins) == 0 {
		return argv
	}
	line := pathPrefix
	for _, b := range bins {
		line += `$PWD/` + b + `:`
	}
	return append([]string{"sh", "-c", line + `$PATH"; exec "$@"`, "sh"}, argv...)
}

// bareProgram takes back what onPath puts before a command.
func bareProgram(program []string) []string {
	if len(program) > 4 && program[0] == "sh" && strings.HasPrefix(program[2], pathPrefix) {
		return program[4:]
	}
	return program
}

// step is a preparation as a command line that is run in this project's folder.
func (p *project) step(l leaf) []string {
	argv := l.argv
	if !l.plain || len(argv) == 0 {
		argv = []string{"sh", "-c", l.line}
	}
	if l.program == "pip" || l.program == "pip3" || l.program == "python-build" {
		module := map[string]string{"python-build": "build"}[l.program]
		if module == "" {
			module = "pip"
		}
		if l.plain {
			argv = slices.Concat([]string{p.interpreter().program, "-m", module}, argv[1:])
		}
	}
	if len(l.env) > 0 {
		argv = slices.Concat([]string{"env"}, l.env, argv)
	}
	if l.dir != p.dir {
		argv = []string{"sh", "-c", "cd " + quote(climb(p.dir, l.dir)) + " && exec " + quoted(argv)}
	}
	return argv
}

// climb is the way from one folder of the repository to another.
func climb(from, to string) string {
	if from == "." {
		return to
	}
	up := strings.Repeat("../", strings.Count(from, "/")+1)
	if to == "." {
		return strings.TrimSuffix(up, "/")
	}
	return up + to
}
