package quality

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// because says in a reader's words why the gates with verdict v decided: what was
// found and where. The names of gates and the numbers of findings stand in the table.
func because(r *qa.Report, gates []qa.Gate, v qa.Verdict) string {
	var parts []string
	for _, g := range gates {
		if g.Verdict == v && !followsFrom(g, gates) {
			parts = append(parts, inWords(r, g))
		}
	}
	return strings.Join(parts, "; ")
}

// followsFrom is true of a score that is low because of what another gate says: the
// headline names the cause, and not what it costs.
func followsFrom(g qa.Gate, gates []qa.Gate) bool {
	return g.Name == qa.GateScore && slices.ContainsFunc(gates, func(other qa.Gate) bool {
		return other.Verdict == qa.Fail && other.Name != qa.GateScore
	})
}

// inWords is one gate as a clause. A gate that has no words of its own is told by
// what it measured.
func inWords(r *qa.Report, g qa.Gate) string {
	switch {
	case g.Name == qa.GateTestsRan || g.Name == qa.GateCommand:
		return g.Reason
	case g.Name == qa.GateNewFailures && g.Verdict == qa.Fail:
		return failuresInWords(r.Tests) + brackets(g.Reason)
	case g.Name == qa.GateNewFailures:
		return g.Measured + brackets(g.Reason)
	case g.Name == qa.GateRegression:
		return regressionsInWords(r.Findings)
	case g.Name == qa.GateScore && g.Verdict == qa.Fail:
		return fmt.Sprintf("score %s of 100 is below %d", g.Measured, failScore) + brackets(g.Reason)
	case g.Name == qa.GateScore:
		return fmt.Sprintf("score %s of 100 is below %d", g.Measured, passScore) + brackets(g.Reason)
	case g.Name == qa.GatePatch:
		return "patch coverage " + g.Measured + under(g) + brackets(g.Reason)
	case g.Name == qa.GateCoverageDrop:
		return "coverage is lower than on base: " + g.Measured
	case g.Name == qa.GateFindings || g.Name == qa.GateCriticals:
		return findingsInWords(r.Findings, g)
	case g.Name == qa.GateRemovedTests && g.Verdict == qa.Fail:
		return wording.Count(len(r.Tests.Removed), "test") + " removed: " + wording.Line(wording.Some(r.Tests.Removed, 1), maxName)
	case g.Name == qa.GateSkippedTests && g.Verdict == qa.Fail:
		return wording.Count(len(r.Tests.NewlySkipped), "test") + " newly skipped: " + wording.Line(wording.Some(r.Tests.NewlySkipped, 1), maxName)
	case g.Name == qa.GateFlaky && g.Verdict == qa.Fail:
		return g.Measured + " flaky" + in(filesOf(r.Tests.Failing, qa.FlakyFailure))
	case g.Name == qa.GateMutation:
		return g.Measured + " faults put into the changed lines are noticed by a test"
	case g.Name == qa.GateEndToEnd && g.Verdict == qa.Fail:
		return g.Measured + " end-to-end newly failing: " + g.Reason
	case g.Name == qa.GateModel:
		return "the model's part is missing: " + g.Measured
	case strings.HasPrefix(g.Name, loopGate):
		return "the tests written for " + strings.TrimPrefix(g.Name, loopGate) + " do not reach the coverage target"
	}
	return strings.ReplaceAll(g.Name, "-", " ") + ": " + g.Measured + brackets(g.Reason)
}

const (
	// maxName is how much of a name a clause of the headline shows, in characters.
	maxName = 100
	// fewPlaces is how many places are named; more are counted.
	fewPlaces = 2
)

// under names the target that changed lines do not reach, where there is one for all.
func under(g qa.Gate) string {
	target, _, _ := strings.Cut(strings.TrimPrefix(g.Rule, "≥ "), " of changed")
	if g.Verdict != qa.Fail || strings.Contains(g.Measured, ";") {
		return ""
	}
	return ", below " + target
}

func brackets(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

// in says where, in so many places as a reader keeps in mind.
func in(places []string) string {
	if len(places) == 0 {
		return ""
	}
	if len(places) > fewPlaces {
		return " in " + wording.Count(len(places), "file")
	}
	for i, p := range places {
		places[i] = wording.Line(p, maxName)
	}
	return " in " + strings.Join(places, " and ")
}

// failuresInWords counts what newly fails, and says where; what fails on base as
// well, or comes and goes, is not the reason.
func failuresInWords(t qa.Tests) string {
	counts := map[qa.Triage]int{}
	for _, f := range t.Failing {
		if f.Quarantine == "" && (f.Triage == qa.NewFailure || f.Triage == qa.UnknownFailure) {
			counts[f.Triage]++
		}
	}
	text := failuresText(counts, t, 0)
	places := filesOf(t.Failing, qa.NewFailure, qa.UnknownFailure)
	only, ok := each.First(t.Failing, func(f qa.FailingTest) bool {
		return f.Quarantine == "" && counts[f.Triage] == 1 && f.Case.Name != exitCase
	})
	if len(places) == 0 && counts[qa.NewFailure]+counts[qa.UnknownFailure] == 1 && ok {
		return text + ": " + wording.Line(only.Case.ID(), maxName) // of a test without a file the name is the place
	}
	return text + in(places)
}

// filesOf are the files of failing tests with such a triage, each once.
func filesOf(failing []qa.FailingTest, triages ...qa.Triage) []string {
	var out []string
	for _, f := range failing {
		if f.Quarantine == "" && f.Case.File != "" && slices.Contains(triages, f.Triage) {
			out = each.Added(out, f.Case.File)
		}
	}
	return out
}

// isRegression is a finding that a test proves to be the change's.
func isRegression(f qa.Finding) bool {
	return f.Counts() && f.Proof != nil && f.Proof.Regression && f.Evidence == qa.Proven
}

// ToMend is a proven regression that fails the change as it is.
func ToMend(f qa.Finding) bool { return isRegression(f) && !isSoft(f) }

// isSoft is a proven difference that the change announces or that matters little.
func isSoft(f qa.Finding) bool {
	return isRegression(f) && (f.Proof.Announced != "" || f.Severity == qa.Low)
}

func regressionsInWords(all []qa.Finding) string {
	n := each.Count(all, isRegression)
	if n > 0 && n == each.Count(all, isSoft) {
		return wording.Count(n, "proven difference") + " to look at" + in(placesOf(all, isRegression))
	}
	return wording.Count(n, "proven regression") + in(placesOf(all, isRegression))
}

func findingsInWords(all []qa.Finding, g qa.Gate) string {
	if g.Verdict != qa.Fail {
		return g.Reason // what was not looked at; what was found decides by itself
	}
	gates := func(s qa.Severity) bool { return s == qa.Critical || s == qa.High && g.Name == qa.GateFindings }
	var counts []string
	for _, s := range []qa.Severity{qa.Critical, qa.High} {
		if n := counting(all, s); n > 0 && gates(s) {
			counts = append(counts, fmt.Sprintf("%d %s", n, s))
		}
	}
	text := strings.Join(counts, " and ") + " new findings"
	if text == "1 critical new findings" || text == "1 high new findings" {
		text = strings.TrimSuffix(text, "s")
	}
	return text + in(placesOf(all, func(f qa.Finding) bool { return f.Counts() && gates(f.Severity) })) + brackets(g.Reason)
}

// counting is how many findings of a severity count.
func counting(all []qa.Finding, s qa.Severity) int {
	return each.Count(all, func(f qa.Finding) bool { return f.Counts() && f.Severity == s })
}

// placesOf are the places of the findings that are meant: the line where there is one
// of them, else the files, each once.
func placesOf(all []qa.Finding, meant func(qa.Finding) bool) []string {
	var files []string
	last, n := "", 0
	for _, f := range all {
		if !meant(f) || f.Path == "" {
			continue
		}
		n++
		if last = f.Path; f.Lines.Start > 0 {
			last += ":" + f.Lines.String()
		}
		files = each.Added(files, f.Path)
	}
	if n == 1 {
		return []string{last}
	}
	return files
}
