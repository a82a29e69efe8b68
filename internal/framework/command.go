package framework

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/python"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// Command describes any other test command, npm test included: a command line
// that the user declares with the reports it writes (see [Custom]).
var Command = adapter.Adapter{
	Name:       "command",
	Habits:     adapter.Habits{OwnPackages: true, Unnamed: true},
	Invocation: commandInvocation,
	IsTest: func(file string) bool {
		return slices.ContainsFunc(table, func(a adapter.Adapter) bool { return a.IsTest(file) }) || otherTest(file)
	},
	TestPath: func(source string, existing []string) string {
		in := language.Of(source).Name
		for _, a := range table {
			if a.Language == in {
				return a.TestPath(source, existing)
			}
		}
		return table[0].TestPath(source, existing)
	},
	Reproduce: func(d adapter.Detection, _ qa.Case) string {
		if len(d.Tests) > 0 && d.Line != "" { // without our reporters
			return shell.InDir(d.Dir, d.Line)
		}
		return shell.InDir(d.Dir, wording.Command(d.Program))
	},
	Explain: func(exit int, outs ...string) diagnosis.Diagnosis {
		for _, a := range table {
			if d := a.Explain(exit, outs...); d.Kind != "" {
				return d
			}
		}
		return diagnosis.Diagnosis{}
	},
	Trace:     python.TraceCommand,
	Detect:    detectCommand,
	Forbidden: joined(func(a adapter.Adapter) []language.Smell { return a.Forbidden }),
}

// otherTest knows the test files of languages without an adapter.
func otherTest(file string) bool {
	for _, suffix := range []string{"Test.java", "Tests.java", "Test.kt", "_test.rb", "_spec.rb", "Test.php", "Tests.cs", "_test.rs", "_test.exs"} {
		if strings.HasSuffix(file, suffix) {
			return true
		}
	}
	return false
}

// Custom makes the detection of a user's own test command. A line that is more than
// words, with operators, redirections, expansions or patterns, is run by a shell, as
// setup commands are: it comes from the base commit or the workflow, never from the
// change.
func Custom(dir, line string, tests, coverage []adapter.Declared) (adapter.Detection, error) {
	words, err := ownWords(line)
	if err != nil {
		return adapter.Detection{}, fmt.Errorf("test-command %q: %w", line, err)
	}
	d := adapter.Detection{
		Framework: "command", Dir: folder.FromDot(path.Clean(dir)), Evidence: []string{"test-command: " + line}, Installed: true,
		Coverage: len(coverage) > 0,
		Tools:    adapter.Tools{Program: words}, Reports: adapter.Reports{Tests: tests, CoverageFiles: coverage},
	}
	for len(d.Program) > 1 && shell.Assignment.MatchString(d.Program[0]) {
		d.Env, d.Program = append(d.Env, d.Program[0]), d.Program[1:]
	}
	if !d.Coverage {
		d.CoverageHint = "coverage is not measured: name the file that the test command writes in coverage-file"
	}
	if len(tests) == 0 {
		d.ExitOnly = true
		d.Hint.Cure = "name the report that the test command writes in test-report (JUnit XML or another known format)"
	}
	return d, nil
}

// builtins are commands that only a shell knows.
var builtins = []string{".", ":", "cd", "eval", "exec", "exit", "export", "set", "source", "ulimit", "umask", "unset"}

// ownWords are what is run of a command line: its words, or a shell where the line
// is more than words.
func ownWords(line string) ([]string, error) {
	words, err := shell.Split(line)
	switch {
	case err != nil:
		return nil, err
	case len(words) == 0:
		return nil, errors.New("is empty")
	case strings.ContainsAny(inQuotes.ReplaceAllString(line, ""), "&|;<>()$`\n*?[~"), strings.Contains(line, "$"), strings.Contains(line, "`"), slices.Contains(builtins, words[0]):
		return []string{"sh", "-c", line}, nil
	}
	return words, nil
}

// inQuotes is what a shell takes as it stands, but for expansions.
var inQuotes = pattern.New(`'[^']*'|"[^"]*"`)

// detectCommand is the test script as a whole, for what no leaf of it says.
func detectCommand(p *project.Project) *adapter.Detection {
	if p.Pkg == nil || p.Pkg.Scripts["test"] == "" || strings.Contains(p.Pkg.Scripts["test"], "no test specified") {
		return nil
	}
	d := adapter.Detection{Installed: true, Traits: adapter.Traits{ExitOnly: true}, Standing: adapter.Standing{Weak: true}, Tools: adapter.Tools{Program: []string{"npm", "test"}}, Origin: adapter.Origin{Line: p.Pkg.Scripts["test"]}}
	d.Prove(1, "package.json: script \"test\"")
	d.CoverageHint = "coverage is not measured: name the file that the test command writes in coverage-file"
	d.Hint = diagnosis.Diagnosis{Cause: "npm test writes no report that can be read", Cure: "set test-report to the file of a JUnit reporter"}
	return &d
}

func commandInvocation(d adapter.Detection, req adapter.Request) (qa.Invocation, error) {
	if len(d.Program) == 0 {
		return qa.Invocation{}, errors.New("describe test command: no command is declared; set test-command")
	}
	inv := qa.Invocation{Argv: slices.Clone(d.Program), Dir: d.Dir, Env: slices.Clone(d.Env)}
	// {out} stands for the folder of this run's reports.
	for i, w := range inv.Argv {
		inv.Argv[i] = strings.ReplaceAll(w, "{out}", req.OutDir)
	}
	file := func(r adapter.Declared) qa.ReportFile {
		return qa.ReportFile{Path: strings.ReplaceAll(r.Path, "{out}", req.OutDir), Format: r.Format}
	}
	for _, r := range d.Tests {
		inv.Tests = append(inv.Tests, file(r))
	}
	if d.ExitOnly { // unless it prints a report of a known format
		inv.Tests = append(inv.Tests, qa.ReportFile{Path: "stdout", Stdout: true})
	}
	if req.Coverage {
		for _, r := range d.CoverageFiles {
			inv.Coverage = append(inv.Coverage, file(r))
		}
	}
	return inv, nil
}
