package quality

import (
	"fmt"
	"math"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// The weights of the score. A finding costs base × severity × evidence points;
// the sum of each group of penalties is capped, so that one bad area cannot
// hide behind another.
var (
	perspectiveBase = map[qa.Perspective]float64{qa.Security: 10, qa.Bug: 5}
	severityWeight  = map[qa.Severity]float64{qa.Critical: 2, qa.High: 1, qa.Medium: 0.4, qa.Low: 0.1}
	evidenceWeight  = map[qa.Evidence]float64{qa.Proven: 1, qa.Corroborated: 0.7, qa.Suspected: 0}
)

const (
	otherBase        = 2.0  // base of test-coverage, code-quality, ux
	findingsCap      = 60.0 // of all findings
	gapPerPoint      = 0.5  // per point of patch coverage under target
	gapCap           = 20.0
	passPerPoint     = 0.3 // per point of pass rate under 100
	newFailureCost   = 10.0
	newFailureCap    = 40.0
	effectiveBonus   = 5.0
	trendBonus       = 3.0
	provenCap        = 40
	fewLines         = 10 // below, coverage terms are advisory
	effectivePass    = 0.95
	effectiveRetries = 2
)

// Score computes 0 to 100 from the evidence in r, with every term. Unknown is
// neutral: what was not measured has no term. Value is nil when there is nothing
// to judge, when tests should have run and could not, and when the run ended
// early: a number would look like a measurement.
func Score(r *qa.Report) qa.Score {
	var s qa.Score
	if noScore(r) != "" {
		return s
	}
	add := func(name, detail string, points float64) {
		if points != 0 {
			s.Terms = append(s.Terms, qa.Term{Name: name, Detail: detail, Points: round2(points)})
		}
	}
	add("start", "every run starts at 100", 100)
	points, detail := findingsPenalty(r.Findings)
	add("findings", detail, -points)
	gap := 0.0
	for _, l := range r.Coverage.Layers {
		if l.State != "measured" {
			continue
		}
		if p := layerGap(r, l); p > 0 {
			room := math.Max(0, gapCap-gap)
			gap += p
			add("coverage "+string(l.Layer), fmt.Sprintf("patch coverage %s under target %g %%", l.Patch.Text(), l.Target), -math.Min(p, room))
		}
		if rate := answeredRate(l); rate < 1 {
			add("pass rate "+string(l.Layer), answered(l).Percent()+" % of tests do not fail because of the change", -passPerPoint*100*(1-rate))
		}
		if l.Effective {
			add("effective "+string(l.Layer), "at least 95 % passed within 2 iterations", effectiveBonus)
		}
	}
	if n := NewFailures(r.Tests); n > 0 {
		add("new failures", fmt.Sprintf("%d new failing, %g points each, at most %g", n, newFailureCost, newFailureCap), -math.Min(newFailureCap, newFailureCost*float64(n)))
	}
	if r.Trend.Direction == "improving" {
		add("trend", "coverage is improving", trendBonus)
	}
	total := 0.0
	for _, t := range s.Terms {
		total += t.Points
	}
	value := within(total)
	if heard := points - hearsay(r.Findings); heard > 0 {
		for _, limit := range []int{passScore, failScore} {
			if value < limit && within(total+heard) >= limit {
				value, s.Cap = limit, fmt.Sprintf("at least %d: what only a model says moves no verdict", limit)
			}
		}
	}
	if f := provenHigh(r.Findings); f != "" && value > provenCap {
		value = provenCap
		s.Cap = fmt.Sprintf("at most %d: %s is proven", provenCap, f)
	}
	s.Value = &value
	return s
}

// answeredRate is the share of a layer's tests whose failure, if any, is not
// held against the change: pre-existing and flaky ones are not.
func answeredRate(l qa.LayerResult) float64 {
	if l.Tally == nil || l.Tally.Executed() <= 0 {
		return 1
	}
	rate, _ := answered(l).Rate()
	return rate
}

// answered counts a layer's tests that do not fail because of the change.
func answered(l qa.LayerResult) qa.Count {
	return qa.Count{Covered: max(0, l.Tally.Executed()-l.NewFailures), Total: l.Tally.Executed()}
}

const nothingToJudge = "nothing to judge"

// noScore says why a report has no score; empty when it has one.
func noScore(r *qa.Report) string {
	nothing := r.Tests.Unneeded != ""
	switch {
	case r.Partial:
		return "the run ended before all its tasks were done"
	case nothing && !slices.ContainsFunc(r.Findings, qa.Finding.Counts):
		return nothingToJudge
	case nothing:
		return ""
	case r.Tests.Head.Executed() == 0 && slices.ContainsFunc(r.Manifest.Targets, func(t qa.TargetRow) bool { return t.ExitOnly }):
		return "no test was counted"
	case r.Tests.Head.Executed() == 0:
		return "no test was executed"
	case len(startFailures(r.Tests)) > 0:
		return "not all tests could be started"
	case slices.ContainsFunc(r.Manifest.Targets, func(t qa.TargetRow) bool { return t.State == "inconclusive" }):
		return "not all targets could be judged"
	}
	return ""
}

// startFailures are new failures outside of any test: a package that does not
// build, a file that cannot be loaded. What their tests would say is unknown.
func startFailures(t qa.Tests) []qa.FailingTest {
	return problems(t, func(p qa.Problem) bool { return p.Kind != qa.OutsideTests && p.Kind != qa.FailedCheck })
}

// failedChecks are new failures of what the test script checks beside its tests.
func failedChecks(t qa.Tests) int {
	return len(problems(t, func(p qa.Problem) bool { return p.Kind == qa.FailedCheck }))
}

// outsideErrors are new errors beside tests that all ran.
func outsideErrors(t qa.Tests) int {
	return len(problems(t, func(p qa.Problem) bool { return p.Kind == qa.OutsideTests }))
}

// problems are the new failures that stand for such problems.
func problems(t qa.Tests, such func(qa.Problem) bool) []qa.FailingTest {
	return each.Where(t.Failing, func(f qa.FailingTest) bool {
		return isNew(f) && slices.ContainsFunc(t.Problems, func(p qa.Problem) bool { return such(p) && f.Failed(p) })
	})
}

func scanned(r *qa.Report) bool {
	return slices.ContainsFunc(r.Manifest.Engines, func(e qa.Engine) bool { return e.State == "ran" })
}

// findingsPenalty sums what the findings that count cost.
func findingsPenalty(findings []qa.Finding) (float64, string) {
	sum, n := 0.0, 0
	for _, f := range findings {
		if !f.Counts() {
			continue
		}
		base := otherBase
		for _, p := range f.Perspectives {
			base = math.Max(base, perspectiveBase[p])
		}
		if cost := base * severityWeight[f.Severity] * evidenceWeight[f.Evidence]; cost > 0 {
			sum += cost
			n++
		}
	}
	detail := wording.Count(n, "new finding")
	if sum > findingsCap {
		detail += fmt.Sprintf(", capped at %g", findingsCap)
	}
	return math.Min(findingsCap, sum), detail
}

// hearsay is the findings' penalty without what only a model says.
func hearsay(findings []qa.Finding) float64 {
	solid, _ := findingsPenalty(slices.DeleteFunc(slices.Clone(findings), func(f qa.Finding) bool {
		return f.Evidence != qa.Proven && f.Opinion()
	}))
	return solid
}

func within(total float64) int { return int(math.Round(math.Max(0, math.Min(100, total)))) }

// layerGap is what a layer's patch coverage under target costs; changes with
// few executable lines cost nothing.
func layerGap(r *qa.Report, l qa.LayerResult) float64 {
	if l.Patch == nil || hasFewLines(r.Coverage.Patch) {
		return 0
	}
	parts := l.Parts
	if len(parts) == 0 {
		parts = []qa.Part{{Target: l.Target, Lines: *l.Patch}}
	}
	short, total := 0.0, 0.0 // in lines: what one package has too many covers no other
	for _, p := range parts {
		total += float64(p.Lines.Total)
		if !p.Lines.Reaches(p.Target) {
			short += p.Target*float64(p.Lines.Total) - 100*float64(p.Lines.Covered)
		}
	}
	if total == 0 {
		return 0
	}
	return gapPerPoint * short / total
}

// hasFewLines reports whether the change has too few executable lines for
// coverage to be more than advice.
func hasFewLines(p *qa.PatchCoverage) bool { return p != nil && p.Lines.Total < fewLines }

// NewFailures counts the failures that the change is held responsible for:
// those that pass on base, and those that could not be run there.
func NewFailures(t qa.Tests) int { return each.Count(t.Failing, isNew) }

func isNew(f qa.FailingTest) bool { return f.Triage == qa.NewFailure || f.Triage == qa.UnknownFailure }

// Effective is the seeds' rule for a layer that did its job.
func Effective(passRate *float64, iterations int) bool {
	return passRate != nil && *passRate >= effectivePass && iterations <= effectiveRetries
}

func provenHigh(findings []qa.Finding) string {
	f, _ := each.First(findings, func(f qa.Finding) bool {
		return f.Counts() && f.Evidence == qa.Proven && f.Severity.AtLeast(qa.High) && !isSoft(f)
	})
	return f.ID
}

func round2(x float64) float64 { return math.Round(x*100) / 100 }
