package javascript

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/framework/shell"
)

// NodeReporters make node's own test runner write what it found (from Node.js
// 20.11 on; https://nodejs.org/api/test.html#test-reporters).
var NodeReporters = []string{
	"--test-reporter=junit", "--test-reporter-destination={out}/junit.xml",
	"--experimental-test-coverage", "--test-reporter=lcov", "--test-reporter-destination={out}/lcov.info",
}

// nodeDropped are options of a script that choose reporters, judge coverage or
// never end.
var nodeDropped = map[string]bool{
	"--test-reporter": true, "--test-reporter-destination": true, "--watch": false, "--experimental-test-coverage": false,
	"--test-coverage-lines": true, "--test-coverage-branches": true, "--test-coverage-functions": true,
}

// NodeTests makes a command that writes reports of a leaf that runs node's own
// test runner. What a shell has to expand is left to one; pipes and
// redirections only show results and are left out.
func NodeTests(p *project.Project, l script.Leaf) *adapter.Detection {
	d := &adapter.Detection{Env: slices.Clone(l.Env), Installed: true, Coverage: true}
	d.Prove(adapter.RankScript, "%s: script %q runs node --test", l.Source, l.Script)
	d.Tests = []adapter.Declared{{Path: "{out}/junit.xml"}}
	d.CoverageFiles = []adapter.Declared{{Path: "{out}/lcov.info"}}
	d.Hint = "node's reporters junit and lcov need Node.js 20.11 or later"
	args := append(slices.Clone(l.Node), shell.Without(l.Args, nodeDropped)...)
	if len(l.Globs) == 0 {
		d.Program = slices.Concat([]string{"node"}, NodeReporters, args)
	} else {
		line := `exec node "$@"`
		for _, a := range args {
			if slices.Contains(l.Globs, a) {
				line += " " + globbed(a)
			} else {
				line += " " + shell.Quote(a)
			}
		}
		d.Program = append([]string{"sh", "-c", line, "sh"}, NodeReporters...)
	}
	if slices.ContainsFunc(p.Bins(), func(b string) bool { return strings.HasSuffix(b, "node_modules/.bin") }) {
		d.Program = p.OnPath(d.Program)
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
			out.WriteString(shell.Quote(rest[:i]))
		}
		if i < len(rest) {
			out.WriteByte(rest[i])
			i++
		}
		rest = rest[i:]
	}
	return out.String()
}

// NodeTestHint says how to have the reports of a command that runs `node --test`
// in a way of its own; empty for others.
func NodeTestHint(script string) string {
	if !strings.Contains(script, "node") || !slices.Contains(strings.Fields(script), "--test") {
		return ""
	}
	// Short, because messages are cut; docs/frameworks.md has it with coverage.
	return "set test-command to node --test " + strings.Join(NodeReporters[:2], " ") + " FILES, test-report to {out}/junit.xml (coverage: docs/frameworks.md)"
}
