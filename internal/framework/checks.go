package framework

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/shell"
)

// Check is a part of a test script that is no test: a linter, a type checker, or what is
// built when the tests are over.
type Check struct {
	// Text is the script and the command: "test: eslint .", "web test: tsc --noEmit".
	Text string `json:"text"`
	// Run is the command, which tells nothing but its exit code.
	Run adapter.Detection `json:"run"`
	// Why says why it is not run; empty where it is.
	Why string `json:"why,omitempty"`
	// Beside says that it stands in no test script, or that its tool would give it an
	// environment of its own: it counts where base passes it.
	Beside bool `json:"beside,omitempty"`
}

// asCheck is a command as it stands, whatever its words are.
func asCheck(f *finder, l script.Leaf) Check {
	c := Check{Text: strings.TrimSpace(folder.FromDot(l.Dir)+" "+l.Script) + ": " + shell.Cut(l.Shown(), shell.MaxShown)}
	c.Run.Dir = folder.FromDot(l.Dir)
	if c.Why = notHere(l); c.Why == "" {
		l.Class, l.Framework = script.Browser, ""
		c.Run = *f.detection(l)
		c.Run.Browser = false
		if c.Run.Hint.Kind == "" { // of reports, which a check needs none of
			c.Run.Hint = diagnosis.Diagnosis{}
		}
	}
	return c
}

// ahead notes the builds ahead of a suite that check types.
func ahead(f *finder, before []script.Leaf) {
	for _, l := range before {
		c := asCheck(f, l)
		known := func(o Check) bool { return SameCommand(o.Run, c.Run) }
		if typed[l.Program] && c.Why == "" && len(f.found.Ahead) < maxChecks && !slices.ContainsFunc(f.found.Ahead, known) {
			f.found.Ahead = append(f.found.Ahead, c)
		}
	}
}

// check notes a part of a test script that is no test, or of what is run beside one.
func (f *finder) check(l script.Leaf, beside bool) {
	c := asCheck(f, l)
	c.Beside = beside || apart[l.Source]
	if len(f.found.Checks) >= maxChecks {
		f.note(c.Text, fmt.Sprintf("more than %d checks are not looked at", maxChecks))
		return
	}
	twins := each.Where(f.found.Checks, func(o Check) bool { return o.Text == c.Text || strings.HasPrefix(o.Text, c.Text+" (") })
	if slices.ContainsFunc(twins, func(o Check) bool { return o.Why == c.Why && SameCommand(o.Run, c.Run) }) {
		return
	}
	if len(twins) > 0 { // they differ in what is not shown
		c.Text += fmt.Sprintf(" (%d)", len(twins)+1)
	}
	f.found.Checks = append(f.found.Checks, c)
}

// apart are the files of tools that make environments of their own: what is missing here, or
// is another version, may say what theirs does not.
var apart = set("tox.ini tox.toml setup.cfg noxfile.py pyproject.toml hatch.toml")

// maxChecks bounds what is run beside tests.
const maxChecks = 1000

// afar are programs that speak to others, or change more than the tree.
var afar = []string{"audit", "publish", "outdated", "codecov", "coveralls", "snyk", "docker", "docker-compose", "curl", "wget", "husky", "yalc", "commitlint", "danger", "pre-commit", "kill-port", "wait-on"}

// ofCoverage are programs that look at a report which a measured run writes elsewhere.
var ofCoverage = []string{"c8", "nyc", "coverage"}

// notHere says why a check cannot be run as its script runs it.
func notHere(l script.Leaf) string {
	words := append([]string{l.Program}, l.Args...)
	of := func(list []string) bool {
		return slices.ContainsFunc(words[:min(len(words), 2)], func(w string) bool { return slices.Contains(list, w) })
	}
	switch {
	case strings.Contains(strings.Join(append(words, l.Env...), " ")+l.Dir, shell.Unread):
		return "only the tool that runs it knows all of its words"
	case l.Unheeded:
		return "its script does not fail for it alone"
	case of(ofCoverage):
		return "it looks at coverage, which is measured in another way here"
	case of(afar), l.Program == "git" && !slices.Contains(l.Args, "diff") && !slices.Contains(l.Args, "status"):
		return "it needs more than this machine"
	}
	return ""
}
