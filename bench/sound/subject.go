package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// answer is what the product said.
type answer struct {
	exit    int
	seconds float64
	report  *qa.Report // nil when it wrote none
	last    string     // its last words, where there is no report
}

// ask runs the product as a person would, without a model.
func (b *bench) ask(ctx context.Context, s *stage) (answer, error) {
	argv := slices.Concat([]string{b.program, "run", "--quiet", "--runtime", "host", "--history", "none"},
		s.project.Args, s.fault.Args, s.environment.Args)
	if !s.environment.Shallow {
		argv = append(argv, "--base", s.before())
	}
	if err := os.RemoveAll(filepath.Join(s.repo, "qa-report")); err != nil {
		return answer{}, err
	}
	res, err := process.Run(ctx, process.Command{Argv: argv, Dir: s.repo, Timeout: b.limit, Env: []string{
		// Interpreters may live in the home directory, which the product hides but
		// for them.
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + filepath.Join(s.top, "temp"),
		// Compilers' and package managers' caches outlive a cell.
		"RUNNER_TEMP=" + s.shared, "TZ=UTC", "GOTOOLCHAIN=local", "GOFLAGS=", "CI=true",
	}})
	if err != nil {
		return answer{}, fmt.Errorf("run the product: %w", err)
	}
	a := answer{exit: res.ExitCode, seconds: res.Seconds, last: lastLine(res.Stderr, res.Stdout)}
	if res.TimedOut {
		a.last = fmt.Sprintf("no end after %s", b.limit)
		return a, nil
	}
	names, err := filepath.Glob(filepath.Join(s.repo, "qa-report", "qa-*", "report.json"))
	if err != nil || len(names) == 0 {
		return a, err
	}
	raw, err := os.ReadFile(names[0])
	if err != nil {
		return a, err
	}
	a.report = &qa.Report{}
	if err := json.Unmarshal(raw, a.report); err != nil {
		return a, fmt.Errorf("read report.json: %w", err)
	}
	return a, nil
}

func lastLine(streams ...[]byte) string {
	for _, s := range streams {
		if lines := strings.Split(string(bytes.TrimSpace(s)), "\n"); lines[0] != "" {
			return lines[len(lines)-1]
		}
	}
	return "nothing was said"
}

// exits are the verdicts' exit codes.
var exits = map[qa.Verdict]int{qa.Pass: 0, qa.Conditional: 0, qa.Fail: 1, qa.Inconclusive: 3}

// verdict is the report's, or empty when there is none or the exit code says
// something else.
func (a answer) verdict() qa.Verdict {
	if a.report == nil {
		return ""
	}
	if code, known := exits[a.report.Result]; !known || code != a.exit {
		return ""
	}
	return a.report.Result
}

// reason is what the report gives for its verdict.
func (a answer) reason() string {
	if a.report == nil {
		return a.last
	}
	return a.report.Reason
}

// words are all sentences of the report that may hold a reason or a next step.
func (a answer) words() string {
	if a.report == nil {
		return a.last
	}
	parts := []string{a.report.Reason}
	for _, g := range a.report.Gates {
		if g.Verdict == qa.Inconclusive {
			parts = append(parts, g.Reason, g.Measured)
		}
	}
	for _, t := range a.report.Manifest.Targets {
		parts = append(parts, t.Reason)
	}
	for _, p := range a.report.Tests.Problems {
		parts = append(parts, p.Message)
	}
	for _, step := range a.report.Next {
		parts = append(parts, step.What+": "+step.Command)
	}
	parts = append(parts, a.report.Manifest.NotDone...)
	parts = append(parts, a.report.Manifest.Cuts...)
	return strings.Join(parts, "\n")
}
