package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// answer is what the product said.
type answer struct{ repo.Answer }

// ask runs the product as a person would, without a model.
func (b *bench) ask(ctx context.Context, s *stage) (answer, error) {
	argv := slices.Concat([]string{b.program, "run", "--quiet", "--runtime", "host", "--history", "none"},
		s.project.Args, s.fault.Args, s.environment.Args)
	if !s.environment.Shallow {
		argv = append(argv, "--base", s.before())
	}
	if err := os.RemoveAll(filepath.Join(s.Repo, "qa-report")); err != nil {
		return answer{}, err
	}
	a, err := repo.Ask(ctx, process.Command{Argv: argv, Dir: s.Repo, Timeout: b.limit, Env: []string{
		// Interpreters may live in the home directory, which the product hides but
		// for them.
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + filepath.Join(s.Top, "temp"),
		// Compilers' and package managers' caches outlive a cell.
		"RUNNER_TEMP=" + s.shared, "TZ=UTC", "GOTOOLCHAIN=local", "GOFLAGS=", "CI=true",
	}})
	return answer{a}, err
}

// exits are the verdicts' exit codes.
var exits = map[qa.Verdict]int{qa.Pass: 0, qa.Conditional: 0, qa.Fail: 1, qa.Inconclusive: 3}

// verdict is the report's, or empty when there is none or the exit code says
// something else.
func (a answer) verdict() qa.Verdict {
	if a.Report == nil {
		return ""
	}
	if code, known := exits[a.Report.Result]; !known || code != a.ExitCode {
		return ""
	}
	return a.Report.Result
}

// reason is what the report gives for its verdict.
func (a answer) reason() string {
	if a.Report == nil {
		return a.Last
	}
	return a.Report.Reason
}

// words are all sentences of the report that may hold a reason or a next step.
func (a answer) words() string {
	if a.Report == nil {
		return a.Last
	}
	parts := []string{a.Report.Reason}
	for _, g := range a.Report.Gates {
		if g.Verdict == qa.Inconclusive {
			parts = append(parts, g.Reason, g.Measured)
		}
	}
	for _, t := range a.Report.Manifest.Targets {
		parts = append(parts, t.Reason)
	}
	for _, p := range a.Report.Tests.Problems {
		parts = append(parts, p.Message)
	}
	for _, step := range a.Report.Next {
		parts = append(parts, step.What+": "+step.Command)
	}
	parts = append(parts, a.Report.Manifest.NotDone...)
	parts = append(parts, a.Report.Manifest.Cuts...)
	return strings.Join(parts, "\n")
}
