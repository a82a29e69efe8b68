package quality

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Verify holds a report that was written elsewhere against itself: the result is
// worked out again from its gates, and the gates from its counts. Whoever can
// write a report can invent a consistent one; what contradicts itself was changed
// by hand or is broken, and nothing of it is to be published. The error lists
// every contradiction with what was expected.
//
// What [Judge] and [Score] make always passes.
func Verify(r *qa.Report) error {
	v := &verifier{r: r, gates: map[string]qa.Gate{}}
	v.words()
	v.result()
	v.tests()
	v.failures()
	v.groups()
	v.targets()
	v.passed()
	v.score()
	v.findings()
	v.rates()
	v.coverage()
	v.account()
	return v.error()
}

// verifier collects contradictions.
type verifier struct {
	r     *qa.Report
	gates map[string]qa.Gate
	found []string
	more  int // found and not listed
}

// maxContradictions is how many are listed.
const maxContradictions = 20

// wrong notes that where the report has one thing and should have another.
func (v *verifier) wrong(where, has, want string) {
	if len(v.found) == maxContradictions {
		v.more++
		return
	}
	v.found = append(v.found, fmt.Sprintf("%s: %s, expected %s", where, has, want))
}

func (v *verifier) error() error {
	if len(v.found) == 0 {
		return nil
	}
	text := strings.Join(v.found, "\n")
	if v.more > 0 {
		text += fmt.Sprintf("\nand %d more", v.more)
	}
	return errors.New("the report contradicts itself; take the session as its run wrote it, or run again:\n" + text)
}

var (
	results  = []qa.Verdict{qa.Pass, qa.Conditional, qa.Fail, qa.Inconclusive}
	verdicts = append(slices.Clone(results), qa.NotApplicable, qa.Advisory)
	// gateNames are all that a row of the table can be about.
	gateNames = append(qa.OptionalGates(), qa.GateTestsRan, qa.GateCommand, qa.GateNewFailures, qa.GateScore, qa.GateModel, qa.GateEndToEnd)
)

// words knows the gates by name; each has a verdict that is one, and stands once.
func (v *verifier) words() {
	for i, g := range v.r.Gates {
		where := fmt.Sprintf("gates[%d] %.60q", i, g.Name)
		if !slices.Contains(verdicts, g.Verdict) {
			v.wrong(where, fmt.Sprintf("verdict %.40q", g.Verdict), listed(verdicts))
		}
		if !slices.Contains(gateNames, g.Name) && !strings.HasPrefix(g.Name, loopGate) {
			v.wrong(where, "no gate of that name", "one that a run has")
		}
		if _, twice := v.gates[g.Name]; twice {
			v.wrong(where, "stands there twice", "each gate once")
			continue
		}
		v.gates[g.Name] = g
	}
	for _, name := range []string{qa.GateTestsRan, qa.GateRegression, qa.GateScore} {
		if _, there := v.gates[name]; !there {
			v.wrong("gates", "no gate "+name, "that every report has it")
		}
	}
}

func listed(all []qa.Verdict) string {
	words := each.Of(all, func(word qa.Verdict) string { return string(word) })
	return "one of " + strings.Join(words, ", ")
}

// result works the result out again. A run that was ended early is INCONCLUSIVE
// whatever its gates say, see the assembly of reports.
func (v *verifier) result() {
	if !slices.Contains(results, v.r.Result) {
		v.wrong("result", fmt.Sprintf("%.40q", v.r.Result), listed(results))
		return
	}
	want, _ := outcome(v.r.Gates, v.r)
	if v.r.Result == want || v.r.Partial && v.r.Result == qa.Inconclusive {
		return
	}
	by := each.Of(each.Where(v.r.Gates, func(g qa.Gate) bool { return g.Verdict == want }), func(g qa.Gate) string { return fmt.Sprintf("%.60q", g.Name) })
	why := "as no gate says otherwise"
	switch {
	case want == qa.Inconclusive && len(by) == 0:
		why = "because the run is partial"
	case want != qa.Pass:
		why = "by gate " + strings.Join(by[:min(len(by), 3)], ", ")
	}
	v.wrong("result", string(v.r.Result), string(want)+" "+why)
}

// maxCount is more than a report counts of anything; sums of such numbers stay
// numbers.
const maxCount = 1 << 40

func (v *verifier) count(where string, n int) bool {
	if n < 0 || n > maxCount {
		v.wrong(where, fmt.Sprint(n), "a number from 0")
		return false
	}
	return true
}

// tally reports whether the parts of a tally make its whole.
func (v *verifier) tally(where string, t qa.Tally) bool {
	for _, n := range []int{t.Tests, t.Passed, t.Failed, t.Errors, t.Skipped, t.Flaky} {
		if !v.count(where, n) {
			return false
		}
	}
	if sum := t.Passed + t.Failed + t.Errors + t.Skipped + t.Flaky; sum != t.Tests {
		v.wrong(where, fmt.Sprintf("%d tests", t.Tests), fmt.Sprintf("%d, the sum of passed, failed, errors, skipped and flaky", sum))
		return false
	}
	return true
}

// tests holds the numbers of tests against each other and the cases.
func (v *verifier) tests() {
	t := v.r.Tests
	if !v.tally("tests.head", t.Head) {
		return
	}
	if t.Base != nil {
		v.tally("tests.base", *t.Base)
	}
	if cases := (qa.Suite{Cases: t.Cases}).Tally(); len(t.Cases) > 0 && cases != t.Head {
		v.wrong("tests.head", words(t.Head), words(cases)+" as in tests.cases")
	}
	listed := each.Count(t.Failing, func(f qa.FailingTest) bool { return f.Case.Status.Bad() })
	if bad := t.Head.Failed + t.Head.Errors; bad > listed && !v.r.Partial {
		v.wrong("tests.failing", fmt.Sprintf("%d failed tests", listed), fmt.Sprintf("%d, as tests.head counts", bad))
	}
}

func words(t qa.Tally) string {
	return fmt.Sprintf("%d tests, %d passed, %d failed, %d errors, %d skipped, %d flaky", t.Tests, t.Passed, t.Failed, t.Errors, t.Skipped, t.Flaky)
}

// failures holds the triage against what was seen, and the gates of failing
// tests against the triage.
func (v *verifier) failures() {
	t := v.r.Tests
	unsteady := 0
	for i, f := range t.Failing {
		where := fmt.Sprintf("tests.failing[%d]", i)
		switch f.Triage {
		case qa.NewFailure, qa.UnknownFailure:
		case qa.PreExisting:
			if !f.Base.Bad() && f.Base != qa.BuildFailed {
				v.wrong(where, fmt.Sprintf("pre-existing with base %.20q", f.Base), "a failure on base, or triage new")
			}
		case qa.FlakyFailure:
			seen := slices.Contains(f.Head, true) || f.Case.Status == qa.Flaky || f.Base == qa.Flaky
			if f.Quarantine == "" {
				unsteady++
			}
			if !seen && f.FlakyRate == nil && f.Quarantine == "" {
				v.wrong(where, "flaky without a passed attempt, a known rate or a quarantine", "triage new")
			}
		default:
			v.wrong(where, fmt.Sprintf("triage %.40q", f.Triage), "one of new, pre-existing, flaky, unknown")
		}
	}
	n := NewFailures(t)
	gate, judged := v.gates[qa.GateNewFailures]
	switch {
	case n > 0 && gate.Verdict != newFailuresVerdict(t):
		v.gate(qa.GateNewFailures, newFailuresVerdict(t), wording.Count(n, "new failing test"))
	case n == 0 && gate.Verdict == qa.Fail:
		v.gate(qa.GateNewFailures, qa.Pass, "no new failing test")
	case !judged && t.Head.Executed() > 0:
		v.wrong("gates", "no gate "+qa.GateNewFailures, "one, because tests were executed")
	}
	v.passes(qa.GateFlaky, unsteady == 0, wording.Count(unsteady, "flaky failure"))
	v.passes(qa.GateRemovedTests, len(t.Removed) == 0, wording.Count(len(t.Removed), "removed test"))
	v.passes(qa.GateSkippedTests, len(t.NewlySkipped) == 0, wording.Count(len(t.NewlySkipped), "newly skipped test"))
}

// gate notes that a gate does not have the verdict that the counts give.
func (v *verifier) gate(name string, want qa.Verdict, because string) {
	has := "is missing"
	if g, there := v.gates[name]; there {
		has = fmt.Sprintf("%.40s", g.Verdict)
	}
	v.wrong("gate "+name, has, string(want)+" because of "+because)
}

// passes notes a gate that passed in spite of the counts; whether it fails or
// advises is a matter of configuration.
func (v *verifier) passes(name string, may bool, because string) {
	if g, there := v.gates[name]; there && g.Verdict == qa.Pass && !may {
		v.wrong("gate "+name, string(qa.Pass), "another verdict because of "+because)
	}
}

// groups makes sure that no failing test is hidden by its group.
func (v *verifier) groups() {
	if len(v.r.Tests.Groups) == 0 {
		return
	}
	want, has := map[qa.Triage]int{}, map[qa.Triage]int{}
	for _, f := range v.r.Tests.Failing {
		want[f.Triage]++
	}
	for i, g := range v.r.Tests.Groups {
		where := fmt.Sprintf("tests.groups[%d]", i)
		if !v.count(where, g.Count) {
			return
		}
		if len(g.Tests) == 0 || len(g.Tests) > min(g.Count, qa.GroupNames) {
			v.wrong(where, fmt.Sprintf("names %d of %d tests", len(g.Tests), g.Count), fmt.Sprintf("1 to %d of them", qa.GroupNames))
		}
		has[g.Triage] += g.Count
	}
	for _, t := range []qa.Triage{qa.NewFailure, qa.UnknownFailure, qa.PreExisting, qa.FlakyFailure} {
		if has[t] != want[t] {
			v.wrong("tests.groups", fmt.Sprintf("%d %s failures", has[t], t), fmt.Sprintf("%d, as in tests.failing", want[t]))
		}
	}
}
