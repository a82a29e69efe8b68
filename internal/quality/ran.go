package quality

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// testsRan is the gate of what kept tests from running.
func (g *judge) testsRan() {
	gate := qa.Gate{Name: qa.GateTestsRan, Rule: "at least 1 test runs in every target", Input: "framework, test-command",
		Measured: fmt.Sprintf("%d of %d tests ran", g.r.Tests.Head.Executed(), g.r.Tests.Head.Tests), Verdict: qa.Pass}
	var reasons []string
	for _, t := range g.r.Manifest.Targets {
		switch {
		case t.State != "ran":
			reasons = append(reasons, t.Name+": "+t.Reason)
		case t.Tests.Executed() == 0 && len(g.r.Manifest.Targets) > 1:
			reasons = append(reasons, t.Name+": no test was executed")
		}
	}
	if g.r.Tests.Head.Executed() == 0 && len(reasons) == 0 {
		reasons = append(reasons, "no test was executed"+firstProblem(g.r.Tests.Problems))
	}
	if len(reasons) > 0 {
		gate.Verdict, gate.Reason = qa.Inconclusive, strings.Join(reasons, "; ")
	}
	g.add(gate)
}

// firstProblem is what may have kept the tests from running, in one line to be
// put behind another.
func firstProblem(problems []qa.Problem) string {
	if len(problems) == 0 {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(problems[0].Message), "\n")
	if text := []rune(line); len(text) > maxProblem {
		line = string(text[:maxProblem]) + "…"
	}
	return ": " + problems[0].Where + ": " + line
}

// maxProblem is how much of a problem a gate shows, in characters.
const maxProblem = 160
