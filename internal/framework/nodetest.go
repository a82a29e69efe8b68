package framework

import (
	"slices"
	"strings"
)

// nodeReporters make node's own test runner write what it found (from Node.js
// 20.11 on; https://nodejs.org/api/test.html#test-reporters).
var nodeReporters = []string{
	"--test-reporter=junit", "--test-reporter-destination={out}/junit.xml",
	"--experimental-test-coverage", "--test-reporter=lcov", "--test-reporter-destination={out}/lcov.info",
}

// nodeDropped are options of a script that choose reporters, judge coverage or
// never end.
var nodeDropped = map[string]bool{
	"--test-reporter": true, "--test-reporter-destination": true, "--watch": false, "--experimental-test-coverage": false,
	"--test-coverage-lines": true, "--test-coverage-branches": true, "--test-coverage-functions": true,
}

// nodeTests makes a command that writes reports of a leaf that runs node's own
// test runner. What a shell has to expand is left to one; pipes and
// redirections only show results and are left out.
func nodeTests(p *project, l leaf) *Detection {
	d := &Detection{Env: slices.Clone(l.env), Installed: true, Coverage: true}
	d.prove(rankScript, "%s: script %q runs node --test", l.source, l.script)
	d.Tests = []Declared{{Path: "{out}/junit.xml"}}
	d.CoverageFiles = []Declared{{Path: "{out}/lcov.info"}}
	d.Hint = "node's reporters junit and lcov need Node.js 20.11 or later"
	args := append(slices.Clone(l.node), without(l.args, nodeDropped)...)
	if len(l.globs) == 0 {
		d.Program = slices.Concat([]string{"node"}, nodeReporters, args)
	} else {
		line := `exec node "$@"`
		for _, a := range args {
			if slices.Contains(l.globs, a) {
				line += " " + globbed(a)
			} else {
				line += " " + quote(a)
			}
		}
		d.Program = append([]string{"sh", "-c", line, "sh"}, nodeReporters...)
	}
	if slices.ContainsFunc(p.bins(), func(b string) bool { return strings.HasSuffix(b, "node_modules/.bin") }) {
		d.Program = p.onPath(d.Program)
	}
	return d
}

// globbed quotes all of a word but its patterns.
func globbed(text string) string {
	var out strings.Builder
	rest := text
	for rest != "" {
		i := strings.IndexAny(rest, "*?[]")
		if i < 0 {
			i = len(rest)
		}
		if i > 0 {
			out.WriteString(quote(rest[:i]))
		}
		if i < len(rest) {
			out.WriteByte(rest[i])
			i++
		}
		rest = rest[i:]
	}
	return out.String()
}

// nodeTestHint says how to have the reports of a command that runs `node --test`
// in a way of its own; empty for others.
func nodeTestHint(script string) string {
	if !strings.Contains(script, "node") || !slices.Contains(strings.Fields(script), "--test") {
		return ""
	}
	// Short, because messages are cut; docs/frameworks.md has it with coverage.
	return "set test-command to node --test " + strings.Join(nodeReporters[:2], " ") + " FILES, test-report to {out}/junit.xml (coverage: docs/frameworks.md)"
}
