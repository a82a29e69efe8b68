package quality

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// testsRan is the gate of what kept tests from running. It passes only when a
// test passed: an exit code without a count is conditional at best.
func (g *judge) testsRan() {
	head := g.r.Tests.Head
	gate := qa.Gate{Name: qa.GateTestsRan, Rule: "every suite of the test command runs whole, and a test passes", Input: "framework, test-command",
		Measured: fmt.Sprintf("%d of %d tests ran", head.Executed(), head.Tests), Verdict: qa.Pass}
	if head.Tests == 0 {
		gate.Measured = "no test ran"
	}
	if left := g.r.Tests.LeftOut(); left.Any() {
		gate.Rule = "every test that the change can reach runs, and a test passes"
		gate.Measured += "; " + left.Said("test files or packages") + " left out, which the change cannot reach"
		gate.Input = "tests, " + gate.Input
	}
	var unknown, uncounted, unavailable []string
	judged := false
	for _, t := range g.r.Manifest.Targets {
		switch {
		case t.State == "unavailable":
			unavailable = append(unavailable, ofTarget(t, len(g.r.Manifest.Targets)))
		case t.State != "ran":
			unknown = append(unknown, ofTarget(t, len(g.r.Manifest.Targets)))
		case t.ExitOnly:
			uncounted = append(uncounted, exitOnly(t))
		case t.Tests.Executed() == 0 && len(g.r.Manifest.Targets) > 1:
			unknown = append(unknown, t.Name+": no test was executed")
		default:
			judged = true
		}
	}
	if judged || len(unknown)+len(uncounted)+len(unavailable) == 0 {
		switch {
		case head.Executed() == 0:
			unknown = append(unknown, "no test was executed"+firstProblem(g.r.Tests.Problems))
		case head.Passed+head.Flaky == 0 && NewFailures(g.r.Tests) == 0:
			unknown = append(unknown, "no test passed")
		}
	}
	switch {
	case len(unknown) > 0:
		gate.Verdict, gate.Reason = qa.Inconclusive, strings.Join(unknown, "; ")
	case !judged && len(uncounted) == 0:
		gate.Verdict, gate.Reason = qa.Inconclusive, "no suite starts here: "+strings.Join(unavailable, "; ")
	case len(uncounted) > 0:
		gate.Verdict, gate.Reason = qa.Conditional, strings.Join(uncounted, "; ")
		if head.Tests == 0 {
			gate.Measured = "no test was counted"
		}
	}
	g.add(gate)
}

// ofTarget is why a suite did not run; the only one of the root needs no name.
func ofTarget(t qa.TargetRow, all int) string {
	if all == 1 && t.Name == "." {
		return t.Reason
	}
	return t.Name + ": " + t.Reason
}

// exitOnly says of a suite that only its exit code is known, and what would
// make it tell more.
func exitOnly(t qa.TargetRow) string {
	name := t.Name
	if name == "." && t.Command != "" {
		name = t.Command // the only suite goes by what it runs
	}
	said := name + " gives an exit code and no count of tests"
	if t.Reason != "" {
		said += "; " + t.Reason
	}
	return said
}

// command is the gate of what may decide about the tests beside the change: another test
// command, what steers it, something that is missing.
func (g *judge) command() {
	if said := g.r.Manifest.CommandChanged; said != "" {
		g.add(qa.Gate{Name: qa.GateCommand, Rule: "what the tests say follows from the code alone", Input: "test-command",
			Measured: "not known to", Verdict: qa.Conditional, Reason: said})
	}
}

// firstProblem is what may have kept the tests from running, in one line to be
// put behind another.
func firstProblem(problems []qa.Problem) string {
	if len(problems) == 0 {
		return ""
	}
	return ": " + problems[0].Where + ": " + wording.Cut(wording.First(problems[0].Message), maxProblem)
}

// maxProblem is how much of a problem a gate shows, in characters.
const maxProblem = 160
