package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// The outcomes of a row.
const (
	right   = "right"
	wrong   = "WRONG"
	unknown = "INCONCLUSIVE"
	// uncounted is a run that says itself that its suites give no counts.
	uncounted = "no counts"
)

// near is how far two measurements of coverage may differ, in points: tools count
// lines, statements and branches each in their own way.
const near = 2.0

// judge holds what the product said against the facts; why names the reason for all
// that is not right.
func judge(f fact, r *qa.Report, last string) (outcome, why string) {
	if r == nil {
		return wrong, "no report: " + last
	}
	if r.Result == qa.Inconclusive {
		return unknown, r.Reason
	}
	var faults []string
	head := r.Tests.Head
	if got := head.Passed + head.Flaky; got != f.passed || head.Failed+head.Errors != f.failed || head.Skipped != f.skipped {
		faults = append(faults, fmt.Sprintf("%d passed, %d failed, %d skipped instead of %d, %d, %d", got, head.Failed+head.Errors, head.Skipped, f.passed, f.failed, f.skipped))
	}
	blamed := 0
	for _, t := range r.Tests.Failing {
		if t.Triage == qa.NewFailure {
			blamed++
		}
	}
	switch {
	case r.Result == qa.Fail && f.failed == 0:
		faults = append(faults, "red: "+r.Reason)
	case r.Result != qa.Fail && blamed > 0:
		faults = append(faults, "green with new failures")
	}
	if lines := covered(r); f.coverage >= 0 && !spared(r) && math.Abs(lines-f.coverage) > near {
		faults = append(faults, fmt.Sprintf("coverage %.2f %% instead of %.2f %%", lines, f.coverage))
	}
	if head.Tests == 0 && f.failed == 0 && r.Result == qa.Conditional && exitOnly(r) {
		return uncounted, "its suites end with an exit code alone"
	}
	if len(faults) > 0 {
		return wrong, strings.Join(faults, "; ")
	}
	return right, ""
}

// exitOnly reports whether no suite of a run gave more than an exit code.
func exitOnly(r *qa.Report) bool {
	return len(r.Manifest.Targets) > 0 && !slices.ContainsFunc(r.Manifest.Targets, func(t qa.TargetRow) bool { return !t.ExitOnly })
}

// spared reports whether coverage was not asked for: nothing that changed is measured.
func spared(r *qa.Report) bool {
	return r.Coverage.Head == nil && strings.Contains(r.Coverage.Reason, "no source code")
}

// covered is the percentage of lines, -1 where it is unknown.
func covered(r *qa.Report) float64 {
	if r.Coverage.Head == nil || r.Coverage.Head.Lines == nil || r.Coverage.Head.Lines.Total == 0 {
		return -1
	}
	lines := r.Coverage.Head.Lines
	return 100 * float64(lines.Covered) / float64(lines.Total)
}

// row is one line of the sheet.
type row struct {
	fact               fact
	outcome, why       string
	verdict            string
	tally              qa.Tally
	lines              float64
	seconds, processor float64
}

// line is the row in Markdown.
func (r row) line() string {
	lines := "unknown"
	if r.lines >= 0 {
		lines = fmt.Sprintf("%.1f %%", r.lines)
	}
	if r.fact.coverage >= 0 {
		lines += fmt.Sprintf(" (%.1f %%)", r.fact.coverage)
	}
	why := wording.Line(strings.NewReplacer("|", `\|`, "<", "&lt;", "`", "'").Replace(r.why), 300)
	return fmt.Sprintf("| %s `%.7s` | %s | %s | %d, %d, %d (%d, %d, %d) | %s | %.0f, %.0f | %.0f, %.0f | %s |", r.fact.repository, r.fact.commit, r.outcome, r.verdict,
		r.tally.Passed+r.tally.Flaky, r.tally.Failed+r.tally.Errors, r.tally.Skipped, r.fact.passed, r.fact.failed, r.fact.skipped,
		lines, r.seconds, r.processor, r.fact.seconds, r.fact.processor, why)
}
