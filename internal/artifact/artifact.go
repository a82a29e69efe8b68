// Package artifact gives results of a run the shape that the files of a session
// have: those of the system's own description, and diffs as git writes them.
package artifact

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/finding"
)

// Scan is scan/scan-results.json, in the seeds' shape.
type Scan struct {
	ScanDate     string              `json:"scan_date"`
	Perspectives []qa.Perspective    `json:"perspectives"`
	Total        int                 `json:"total_findings"`
	BySeverity   map[qa.Severity]int `json:"by_severity"`
	Findings     []qa.Finding        `json:"findings"`
	Engines      []qa.Engine         `json:"engines"`
}

// ScanOf is the file of a scan that was done at a time.
func ScanOf(res finding.Result, now time.Time, perspectives []qa.Perspective) Scan {
	out := Scan{ScanDate: now.UTC().Format(time.RFC3339), Perspectives: perspectives, BySeverity: map[qa.Severity]int{}, Findings: res.Findings, Engines: res.Engines}
	for _, s := range qa.Severities() {
		out.BySeverity[s] = 0
	}
	for _, f := range res.Findings {
		if f.Open() {
			out.Total++
			out.BySeverity[f.Severity]++
		}
	}
	return out
}

// Layer is results/run-<layer>.json, in the seeds' shape.
type Layer struct {
	Layer      qa.Layer `json:"layer"`
	Framework  string   `json:"framework"`
	Iterations int      `json:"iterations"`
	PassRate   *float64 `json:"pass_rate"` // 0..1
	Coverage   *float64 `json:"coverage"`  // percent of changed lines
	Passed     int      `json:"tests_passed"`
	Failed     int      `json:"tests_failed"`
	AllPassed  bool     `json:"all_passed"`
	State      string   `json:"state"`
	Reason     string   `json:"reason,omitempty"`
}

// LayerOf is the file of a layer whose tests a framework runs, empty for none.
func LayerOf(l qa.LayerResult, framework string) Layer {
	out := Layer{Framework: framework, Layer: l.Layer, Iterations: l.Iterations, PassRate: l.PassRate, State: l.State, Reason: l.Reason}
	out.Coverage = l.Patch.Percentage()
	if l.Tally != nil {
		out.Passed, out.Failed = l.Tally.Passed+l.Tally.Flaky, l.Tally.Failed+l.Tally.Errors
		out.AllPassed = out.Failed == 0 && l.Tally.Executed() > 0
	}
	return out
}

// Strategy is strategy/test-strategy.md.
func Strategy(s qa.Strategy) []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Test strategy\n")
	line("## Scope\n\n- changed files: %d (%d source, %d test)\n- findings: %d", s.Scope.TotalChanged, s.Scope.SourceFiles, s.Scope.TestFiles, s.Scope.Issues)
	if s.Scope.Baseline != nil {
		line("- baseline coverage: %.2f %%", 100**s.Scope.Baseline)
	} else {
		line("- baseline coverage: unknown")
	}
	line("- framework: %s %s\n- conventions: %s, %s; %s\n", cmp.Or(s.Framework, "none found"), s.Conventions.Version, cmp.Or(s.Conventions.Naming, "no test files"), s.Conventions.Location, strings.Join(s.Conventions.Style, ", "))
	line("## Layers\n\n| level | name | selected | target | rationale |\n|---|---|---|---|---|")
	for _, l := range s.Layers {
		line("| %s | %s | %t | %g %% | %s |", l.Layer, l.Name, l.Selected, l.Target, l.Rationale)
	}
	line("\n## Focus\n\n| risk | function | file | why |\n|---|---|---|---|")
	for _, f := range s.Focus {
		line("| %.0f | `%s` | `%s:%s` | %s |", f.Risk, cell(f.Symbol), cell(f.Path), f.Lines, strings.Join(f.Reasons, "; "))
	}
	line("\n## Priority issues\n")
	for _, id := range s.PriorityIssues {
		line("- %s", id)
	}
	line("\n## Risks\n\n| priority | file | change | impact |\n|---|---|---|---|")
	for _, r := range s.Risks {
		line("| %s | `%s` | %s | %s |", r.Priority, cell(r.Path), r.Change, r.Impact)
	}
	line("\n## Execution order\n")
	for i, o := range s.Order {
		line("%d. %s", i+1, o)
	}
	return []byte(b.String())
}

// cell keeps a name from breaking out of its code span or table.
func cell(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '`' || r == '|' || r < ' ' {
			return '_'
		}
		return r
	}, name)
}
