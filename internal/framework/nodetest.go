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

// nodeTests turns a test script that is one plain `node --test` into a command
// that writes reports; false for everything that a shell would have to expand,
// and for scripts that choose reporters themselves.
func nodeTests(script string) (Detection, bool) {
	commands := words(script)
	if len(commands) != 1 || strings.ContainsAny(withoutQuotes(script), "*?[{$`<>&|;()~") {
		return Detection{}, false
	}
	var d Detection
	argv := commands[0]
	for len(argv) > 0 && assignment.MatchString(argv[0]) {
		d.Env, argv = append(d.Env, argv[0]), argv[1:]
	}
	chosen := func(w string) bool { return w == "--watch" || strings.HasPrefix(w, "--test-reporter") }
	if len(argv) == 0 || argv[0] != "node" || !slices.Contains(argv, "--test") || slices.ContainsFunc(argv, chosen) {
		return Detection{}, false
	}
	d.Program = slices.Concat(argv[:1], nodeReporters, argv[1:])
	d.Tests = []Declared{{Path: "{out}/junit.xml"}}
	d.CoverageFiles, d.Coverage = []Declared{{Path: "{out}/lcov.info"}}, true
	d.Hint = "node's reporters junit and lcov need Node.js 20.11 or later"
	return d, true
}

// nodeTestHint says how to have the reports of a script that runs `node --test`
// in a way of its own; empty for other scripts.
func nodeTestHint(script string) string {
	if !strings.Contains(script, "node") || !slices.Contains(strings.Fields(script), "--test") {
		return ""
	}
	// Short, because messages are cut; docs/frameworks.md has it with coverage.
	return "set test-command to node --test " + strings.Join(nodeReporters[:2], " ") + " FILES, test-report to {out}/junit.xml (coverage: docs/frameworks.md)"
}
