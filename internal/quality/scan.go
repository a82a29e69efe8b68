package quality

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// maxGapNames is how many engines a line about an incomplete scan names.
const maxGapNames = 6

// maxUnseenNames is how many files a line about an incomplete scan names.
const maxUnseenNames = 3

// unseenBy names the changed files that a scan should have looked at and did not.
func unseenBy(engines []qa.Engine) []string {
	all := map[string]bool{}
	for _, e := range engines {
		for path := range e.Unseen {
			all[path] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

const scanIncomplete = "scan incomplete: "

// ScanGaps says which engines did not look at the change though nobody looked
// in their place; engines that stand still for one reason over the same files
// share a clause, and all clauses a line. It is empty after a complete scan.
func ScanGaps(r *qa.Report) []string { return scanGaps(r.Manifest.Engines) }

// ScanFailures are the gaps that somebody has to know of. That a program is not
// installed which nobody asked for stands with the gate and the engines: a reader's
// first line is not the place to advertise it.
func ScanFailures(r *qa.Report) []string {
	return scanGaps(slices.DeleteFunc(slices.Clone(r.Manifest.Engines), func(e qa.Engine) bool { return e.State == "missing" && e.Optional }))
}

func scanGaps(engines []qa.Engine) []string {
	type clause struct {
		state, gap string
		names      []string
	}
	var clauses []*clause
	for _, e := range engines {
		if e.Gap == "" {
			continue
		}
		at, ok := each.First(clauses, func(c *clause) bool { return c.state == e.State && c.gap == e.Gap })
		if !ok {
			at = &clause{state: e.State, gap: e.Gap}
			clauses = append(clauses, at)
		}
		at.names = append(at.names, e.Name)
	}
	var parts []string
	if unseen := unseenBy(engines); len(unseen) > 0 {
		parts = append(parts, wording.Count(len(unseen), "changed file")+" not reviewed by the model: "+wording.Some(unseen, maxUnseenNames))
	}
	if len(clauses)+len(parts) == 0 {
		return nil
	}
	for _, c := range clauses {
		parts = append(parts, fmt.Sprintf("%s %s (%s changed)", engineNames(c.names), stopped(c.state, len(c.names)), c.gap))
	}
	return []string{scanIncomplete + strings.Join(parts, "; ")}
}

// stopped says in words why engines have nothing to say.
func stopped(state string, n int) string {
	switch {
	case state == "missing" && n == 1:
		return "is not installed"
	case state == "missing":
		return "are not installed"
	case state == "timeout":
		return "did not end in time"
	}
	return "failed"
}

// engineNames lists names as a sentence does.
func engineNames(names []string) string {
	if len(names) > maxGapNames {
		names = append(append([]string{}, names[:maxGapNames]...), wording.Count(len(names)-maxGapNames, "more engine"))
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// findings counts what the scan found. What it found is evidence though it did
// not finish; that it found nothing is none.
func (g *judge) findings() {
	criticals, highs := counting(g.r.Findings, qa.Critical), counting(g.r.Findings, qa.High)
	gaps := strings.Join(ScanGaps(g.r), "; ")
	engines := slices.ContainsFunc(g.r.Manifest.Engines, func(e qa.Engine) bool { return e.Name != coverageGap })
	if !engines && scanned(g.r) {
		gaps = "no engine of the scan is part of mode " + g.r.Mode
	}
	if !scanned(g.r) && gaps == "" {
		return
	}
	row := func(name, rule, measured string, bad int) {
		gate := qa.Gate{Name: name, Rule: rule, Measured: measured, Verdict: g.optional(name, bad == 0), Input: "fail-on: " + name, Reason: gaps}
		if gaps != "" && bad == 0 {
			gate.Verdict = g.unknown(name, qa.Advisory)
		}
		if (!scanned(g.r) || !engines) && bad == 0 {
			gate.Measured = "unknown"
		}
		g.add(gate)
	}
	row(qa.GateFindings, "0 new critical or high findings", fmt.Sprintf("%d critical, %d high", criticals, highs), criticals+highs)
	if slices.Contains(g.rules.FailOn, qa.GateCriticals) {
		row(qa.GateCriticals, "0 new critical findings", fmt.Sprint(criticals), criticals)
	}
}

// coverageGap is the engine that reads measured coverage, in modes without a
// scan as well: what it does not find says nothing about defects.
const coverageGap = "coverage-gap"
