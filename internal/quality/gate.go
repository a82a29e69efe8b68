package quality

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Rules are what the gate is measured against.
type Rules struct {
	FailOn []string // optional gates that decide
	// MustModel turns a missing model part into INCONCLUSIVE
	// (on-model-failure: fail).
	MustModel bool
	// Target is the L1 coverage target in percent, Goals those of packages that have
	// their own.
	Target float64
	Goals  []qa.Goal
}

const (
	passScore = 80
	failScore = 60
)

// Judge fills in the gate table, the result and its reason. It expects
// r.Score, r.Tests, r.Coverage and r.Findings to be complete.
func Judge(r *qa.Report, rules Rules) {
	g := &judge{r: r, rules: rules}
	if reason := r.Tests.Unneeded; reason != "" {
		g.add(qa.Gate{Name: qa.GateTestsRan, Rule: "tests run unless none can see the change", Measured: reason, Verdict: qa.NotApplicable, Input: "scope"})
	} else {
		g.testsRan()
		g.command()
		g.newFailures()
	}
	g.regression()
	g.score()
	g.patch()
	g.loop()
	g.endToEnd()
	g.findings()
	g.suiteShape()
	g.model()
	r.Gates = g.gates
	r.Result, r.Reason = outcome(g.gates, r)
	r.Reason += missed(r, rules)
	if n := len(unseenBy(r.Manifest.Engines)); n > 0 {
		r.Reason += "; not reviewed: " + wording.Count(n, "changed file")
	}
	// An incomplete scan has a gate of its own; what else the verdict does
	// without stands beside it.
	lost := slices.DeleteFunc(slices.Clone(r.Manifest.NotDone), func(s string) bool { return strings.HasPrefix(s, scanIncomplete) })
	if len(lost) > 0 {
		r.Reason += "; not done: " + lost[0]
		if more := len(lost) - 1; more > 0 {
			r.Reason += fmt.Sprintf(" and %d more", more)
		}
	}
}

type judge struct {
	r     *qa.Report
	rules Rules
	gates []qa.Gate
}

func (g *judge) add(gate qa.Gate) { g.gates = append(g.gates, gate) }

// optional decides whether a violated optional gate fails or only advises.
func (g *judge) optional(name string, ok bool) qa.Verdict {
	switch {
	case ok:
		return qa.Pass
	case slices.Contains(g.rules.FailOn, name):
		return qa.Fail
	}
	return qa.Advisory
}

// unknown is the verdict where an optional gate cannot be judged: otherwise, unless it
// decides.
func (g *judge) unknown(name string, otherwise qa.Verdict) qa.Verdict {
	if slices.Contains(g.rules.FailOn, name) {
		return qa.Inconclusive
	}
	return otherwise
}

func (g *judge) newFailures() {
	held := 0
	counts := map[qa.Triage]int{}
	for _, f := range g.r.Tests.Failing {
		if f.Quarantine != "" {
			held++ // neither new nor flaky, until its day
			continue
		}
		counts[f.Triage]++
	}
	gate := qa.Gate{Name: qa.GateNewFailures, Rule: "0 new failing tests", Measured: failuresText(counts, g.r.Tests, held), Verdict: qa.Pass, Input: "—"}
	if g.r.Tests.Head.Executed() == 0 && len(g.r.Tests.Failing) == 0 {
		// Nothing ran: that no test failed is not known, and tests-ran says so.
		gate.Measured, gate.Verdict = "unknown", qa.NotApplicable
		g.add(gate)
		return
	}
	gate.Verdict = newFailuresVerdict(g.r.Tests)
	switch {
	case gate.Verdict == qa.Inconclusive && g.r.Tests.Head.Passed+g.r.Tests.Head.Flaky == 0:
		gate.Reason = "no test passes, and base could not be judged"
	case gate.Verdict == qa.Inconclusive:
		gate.Reason = "only its exit code is known, and base could not be judged"
	case gate.Verdict == qa.Fail && counts[qa.NewFailure] == 0:
		gate.Reason = "base could not tell, so failures count as new"
	}
	g.add(gate)
	g.flaky(counts[qa.FlakyFailure])
}

// newFailuresVerdict is what the failures of a suite amount to. Where nothing passes
// and nobody knows whether it would on base, that tells of the place, not of the
// change, and so does a command of which only the exit code is known.
func newFailuresVerdict(t qa.Tests) qa.Verdict {
	known := slices.ContainsFunc(t.Failing, func(f qa.FailingTest) bool { return f.Triage == qa.NewFailure && f.Quarantine == "" })
	tests := slices.ContainsFunc(t.Failing, func(f qa.FailingTest) bool { return isNew(f) && f.Case.Name != exitCase })
	switch {
	case NewFailures(t) == 0:
		return qa.Pass
	case !known && (!tests || t.Head.Passed+t.Head.Flaky == 0):
		return qa.Inconclusive
	}
	return qa.Fail
}

// exitCase is the name of what stands for a command that gives only its exit code.
const exitCase = "(exit)"

// failuresText counts failures by whose they are. Some of the new ones are no tests but
// parts of the suite that do not start, whole commands that fail, or errors beside the
// tests; held are in quarantine.
func failuresText(counts map[qa.Triage]int, t qa.Tests, held int) string {
	start, outside, checks := startFailures(t), outsideErrors(t), failedChecks(t)
	exits := each.Count(start, func(f qa.FailingTest) bool { return f.Case.Name == exitCase })
	broken := len(start) - exits
	fresh := counts[qa.NewFailure] + counts[qa.UnknownFailure] - len(start) - outside - checks
	var parts []string
	if fresh > 0 || len(start)+outside+checks == 0 {
		parts = append(parts, wording.Count(fresh, "new failing test"))
	}
	if exits > 0 {
		parts = append(parts, wording.Count(exits, "test command")+" newly failing by exit code")
	}
	if broken > 0 {
		parts = append(parts, wording.Count(broken, "new failure")+" to build or start tests")
	}
	if checks > 0 {
		parts = append(parts, wording.Count(checks, "new failing check")+" of the test script")
	}
	if outside > 0 {
		parts = append(parts, wording.Count(outside, "new error")+" outside of tests")
	}
	for _, t := range []qa.Triage{qa.PreExisting, qa.FlakyFailure} {
		if counts[t] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[t], t))
		}
	}
	if held > 0 {
		parts = append(parts, fmt.Sprintf("%d in quarantine", held))
	}
	return strings.Join(parts, ", ")
}

// flaky counts failures that come and go. Of tests that could not be started
// nobody knows whether they are.
func (g *judge) flaky(n int) {
	gate := qa.Gate{Name: qa.GateFlaky, Rule: "0 flaky failures", Measured: fmt.Sprint(n), Verdict: g.optional(qa.GateFlaky, n == 0), Input: "fail-on: flaky"}
	if broken := len(startFailures(g.r.Tests)); broken > 0 && n == 0 {
		gate.Measured, gate.Verdict, gate.Reason = "unknown", g.unknown(qa.GateFlaky, qa.NotApplicable), "not all tests could be started"
	}
	g.add(gate)
}

// regression fails for what a test proves that nobody wanted. What the change
// announces, or what is of low severity, is looked at by somebody: words of an author
// never make it pass.
func (g *judge) regression() {
	var hard, soft []string
	for _, f := range g.r.Findings {
		switch {
		case !isRegression(f):
		case isSoft(f):
			soft = append(soft, f.ID)
		default:
			hard = append(hard, f.ID)
		}
	}
	gate := qa.Gate{Name: qa.GateRegression, Rule: "0 proven regressions", Measured: fmt.Sprint(len(hard) + len(soft)), Verdict: qa.Pass, Input: "fail-on: " + qa.GateRegression}
	switch ids := strings.Join(append(hard, soft...), ", "); {
	case len(hard) > 0 || len(soft) > 0 && slices.Contains(g.rules.FailOn, qa.GateRegression):
		gate.Verdict, gate.Reason = qa.Fail, ids
	case len(soft) > 0:
		gate.Verdict, gate.Reason = qa.Conditional, ids+": announced by the change, or of low severity"
	}
	g.add(gate)
}

func (g *judge) score() {
	gate := qa.Gate{Name: qa.GateScore, Rule: fmt.Sprintf("≥ %d passes, ≥ %d conditional", passScore, failScore), Input: "—"}
	if v := g.r.Score.Value; v != nil {
		gate.Measured, gate.Verdict, gate.Reason = fmt.Sprint(*v), scoreVerdict(*v), g.r.Score.Cap
	} else {
		gate.Measured, gate.Verdict, gate.Reason = "unknown", qa.NotApplicable, noScore(g.r)
		if gate.Reason == nothingToJudge {
			gate.Measured = "n/a"
		}
	}
	g.add(gate)
}

func scoreVerdict(score int) qa.Verdict {
	switch {
	case score < failScore:
		return qa.Fail
	case score < passScore:
		return qa.Conditional
	}
	return qa.Pass
}

// loopGate begins the name of a row about a generator-critic loop.
const loopGate = "loop "

// loop adds a row when a generator-critic loop ended below its target.
func (g *judge) loop() {
	for _, l := range g.r.Coverage.Layers {
		if l.Below {
			gate := qa.Gate{Name: loopGate + string(l.Layer), Rule: fmt.Sprintf("target %g %% reached within the rounds", l.Target),
				Measured: fmt.Sprintf("%d rounds", l.Rounds), Verdict: qa.Conditional, Input: "max-rounds, coverage-targets"}
			if hasFewLines(g.r.Coverage.Patch) {
				gate.Verdict, gate.Reason = qa.Advisory, fmt.Sprintf("fewer than %d executable lines changed: advisory", fewLines)
			}
			g.add(gate)
		}
	}
}

// suiteShape adds rows for tests that vanished or were switched off.
func (g *judge) suiteShape() {
	t := g.r.Tests
	for _, row := range []struct {
		name, rule string
		ids        []string
	}{
		{qa.GateRemovedTests, "0 tests removed", t.Removed},
		{qa.GateSkippedTests, "0 tests newly skipped", t.NewlySkipped},
	} {
		asked := slices.Contains(g.rules.FailOn, row.name)
		switch {
		case t.Base == nil && asked:
			g.add(qa.Gate{Name: row.name, Rule: row.rule, Measured: "unknown", Verdict: qa.Inconclusive, Input: "fail-on: " + row.name, Reason: "base was not run"})
		case t.Base != nil && (asked || len(row.ids) > 0):
			g.add(qa.Gate{Name: row.name, Rule: row.rule, Measured: fmt.Sprint(len(row.ids)), Verdict: g.optional(row.name, len(row.ids) == 0), Input: "fail-on: " + row.name})
		}
	}
	if m := g.r.Mutation; m != nil && m.After != nil {
		ok := *m.After*100 >= g.rules.Target
		g.add(qa.Gate{Name: qa.GateMutation, Rule: fmt.Sprintf("≥ %g %% of diff mutants killed", g.rules.Target), Measured: fmt.Sprintf("%d of %d", m.Killed+m.Timeout, m.Killed+m.Timeout+m.Survived+m.NoCover),
			Verdict: g.optional(qa.GateMutation, ok), Input: "fail-on: mutation"})
	}
}

func (g *judge) model() {
	if e := g.r.Manifest.Model.Error; e != "" {
		v := qa.Advisory
		if g.rules.MustModel {
			v = qa.Inconclusive
		}
		g.add(qa.Gate{Name: qa.GateModel, Rule: "the model part completes", Measured: e, Verdict: v, Input: "on-model-failure"})
	}
}

// outcome folds the gates into the result. A failure is evidence and outranks
// "could not tell"; a partial run can never pass.
func outcome(gates []qa.Gate, r *qa.Report) (qa.Verdict, string) {
	for _, v := range []qa.Verdict{qa.Fail, qa.Inconclusive} {
		if why := because(r, gates, v); why != "" {
			return v, why
		}
	}
	if r.Partial {
		return qa.Inconclusive, "the run ended before all required tasks were done"
	}
	if why := because(r, gates, qa.Conditional); why != "" {
		return qa.Conditional, why
	}
	if r.Tests.Unneeded != "" {
		return qa.Pass, r.Tests.Unneeded
	}
	return qa.Pass, "every gate passed"
}
