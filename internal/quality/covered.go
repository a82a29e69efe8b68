package quality

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// goal is what the changed lines are held to, all of them or package by package.
type goal struct {
	rule    string
	reached bool
	below   string // the packages that do not reach theirs
}

func goalOf(p *qa.PatchCoverage, rules Rules) goal {
	g := goal{rule: fmt.Sprintf("≥ %g %% of changed executable lines", rules.Target)}
	for _, own := range rules.Goals {
		g.rule += fmt.Sprintf("; %s: ≥ %g %%", own.Name, own.Target)
	}
	if p == nil {
		return g
	}
	var below []string
	parts := qa.Parts(p.Files, rules.Goals, rules.Target)
	for _, part := range parts {
		if !part.Lines.Reaches(part.Target) {
			below = append(below, fmt.Sprintf("%s %s of %g %%", part.Name, part.Lines.Text(), part.Target))
		}
	}
	if g.reached = len(below) == 0; len(parts) == 0 {
		g.reached = p.Lines.Reaches(rules.Target)
	}
	if !g.reached && len(below) > 0 {
		g.below = "; below: " + strings.Join(below, ", ")
	}
	return g
}

func (g *judge) patch() {
	p := g.r.Coverage.Patch
	goal := goalOf(p, g.rules)
	gate := qa.Gate{Name: qa.GatePatch, Rule: goal.rule, Input: "coverage-targets, fail-on: patch-coverage"}
	switch {
	case g.r.Coverage.State != "measured" || p == nil:
		gate.Measured, gate.Verdict, gate.Reason = "unknown", g.unknown(qa.GatePatch, qa.NotApplicable), g.r.Coverage.Reason
		if g.r.Tests.Unneeded != "" {
			gate.Measured, gate.Verdict, gate.Reason = "n/a", qa.NotApplicable, nothingToJudge
		}
	case len(p.Unmapped) > 0:
		known := p.Lines.Text() + " of the lines that are known"
		if p.Lines.Total == 0 {
			known = "unknown"
		}
		gate.Measured = fmt.Sprintf("%s; %s in no coverage report", known, wording.Count(len(p.Unmapped), "changed file")) + goal.below
		gate.Verdict = g.unknown(qa.GatePatch, qa.Advisory)
		if p.Lines.Total > 0 && g.r.Coverage.Reason == "" && !goal.reached {
			gate.Verdict = g.optional(qa.GatePatch, false)
		}
	case p.Lines.Total == 0:
		gate.Measured, gate.Verdict = "no executable line changed", qa.NotApplicable
	case g.r.Coverage.Reason != "" && !goal.reached: // what was not measured may have run the rest
		gate.Measured, gate.Verdict, gate.Reason = "at least "+p.Lines.Text()+goal.below, g.unknown(qa.GatePatch, qa.Advisory), g.r.Coverage.Reason
	default:
		gate.Measured = p.Lines.Text() + goal.below
		gate.Verdict = g.optional(qa.GatePatch, goal.reached)
		if hasFewLines(p) && gate.Verdict != qa.Pass {
			gate.Verdict, gate.Reason = qa.Advisory, fmt.Sprintf("fewer than %d executable lines changed: advisory", fewLines)
		}
	}
	g.add(gate)
	g.coverageDrop()
}

func (g *judge) coverageDrop() {
	c := g.r.Coverage
	if c.Head == nil || c.Head.Lines == nil || c.BaseLines == nil {
		return
	}
	head, base := *c.Head.Lines, *c.BaseLines
	held := int64(head.Covered)*int64(base.Total) >= int64(base.Covered)*int64(head.Total)
	g.add(qa.Gate{Name: qa.GateCoverageDrop, Rule: "overall line coverage not below base", Measured: head.Text() + " (base " + base.Text() + ")",
		Verdict: g.optional(qa.GateCoverageDrop, held), Input: "fail-on: coverage-drop"})
}

// missed says in the verdict line that the changed lines do not reach their target
// though nothing fails for it. Where a loop ended below it a row of its own says so.
func missed(r *qa.Report, rules Rules) string {
	gate, advises := each.First(r.Gates, func(g qa.Gate) bool { return g.Name == qa.GatePatch && g.Verdict == qa.Advisory })
	p := r.Coverage.Patch
	loops := slices.ContainsFunc(r.Coverage.Layers, func(l qa.LayerResult) bool { return l.Below })
	if !advises || p == nil || r.Coverage.State != "measured" || loops || hasFewLines(p) || goalOf(p, rules).reached {
		return ""
	}
	return "; below target: patch coverage " + gate.Measured
}

// endToEnd judges the end-to-end commands, where they were to run. One that fails
// on base as well is not the change's.
func (g *judge) endToEnd() {
	l, asked := endToEndOf(g.r)
	if !asked {
		return
	}
	gate := qa.Gate{Name: qa.GateEndToEnd, Rule: "0 end-to-end commands newly failing", Input: "e2e-command", Verdict: endToEndVerdict(l)}
	gate.Measured, gate.Reason = fmt.Sprint(l.NewFailures), strings.Join(l.Failed, "; ")
	if gate.Verdict == qa.Inconclusive {
		gate.Measured, gate.Reason = "unknown", l.Reason
	}
	g.add(gate)
}

// endToEndOf is the layer of end-to-end tests, and whether it was to be run.
func endToEndOf(r *qa.Report) (qa.LayerResult, bool) {
	return each.First(r.Coverage.Layers, func(l qa.LayerResult) bool { return l.Layer == qa.L3 && l.State != "skipped" })
}

func endToEndVerdict(l qa.LayerResult) qa.Verdict {
	switch {
	case l.State != "measured":
		return qa.Inconclusive
	case l.NewFailures > 0:
		return qa.Fail
	case len(l.Failed) > 0:
		return qa.Advisory
	}
	return qa.Pass
}
