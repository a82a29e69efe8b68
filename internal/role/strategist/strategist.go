// Package strategist decides what to test: which layers, which functions first,
// in which style. It computes everything from the change, the findings and the
// measured coverage; no model has a part in it. Start at [Plan].
package strategist

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/wording"
)

// Input is what is known when the strategy is made.
type Input struct {
	Change   qa.Change
	Findings []qa.Finding
	Patch    *qa.PatchCoverage // nil when coverage is unknown
	Baseline *qa.Count         // lines of base; nil when coverage is unknown
	Depth    config.Depth
	Targets  map[qa.Layer]float64
	E2E      bool // an end-to-end command is configured
	// Outlines are those of the changed source files, by path.
	Outlines map[string]qa.Outline
	// FanIn is how many files depend on a path; nil counts as none.
	FanIn func(path string) int
	// Users are the functions that use the lines of a finding outside of
	// functions; nil knows none.
	Users func(qa.Finding) []outline.Caller
	// Unaltered tells of the functions of a file whether they compute what they did,
	// however they are laid out and commented now; nil knows none.
	Unaltered func(path string) func(symbol string) bool
	// Edits tells of a file what the change did within lines of it, empty where that says
	// too little to be known again; nil knows none.
	Edits func(path string) func(within qa.Range) string
	// Excluded reports whether no test here can run a file; nil knows none.
	Excluded    func(path string) bool
	Conventions qa.Conventions
}

// maxIssues is how many findings the strategy names as priority.
const maxIssues = 10

// Plan makes the strategy.
func Plan(in Input) qa.Strategy {
	var s qa.Strategy
	sources, tests := in.Change.Of(qa.KindSource), in.Change.Of(qa.KindTest)
	s.Scope.TotalChanged, s.Scope.SourceFiles, s.Scope.TestFiles = len(in.Change.Files), len(sources), len(tests)
	counted := openFindings(in.Findings)
	s.Scope.Issues = len(counted)
	if in.Baseline != nil {
		if rate, ok := in.Baseline.Rate(); ok {
			s.Scope.Baseline = &rate
		}
	}
	s.Framework, s.Conventions = in.Conventions.Framework, in.Conventions
	s.Focus = focus(in, sources, counted)
	s.Layers = layers(in, sources, counted, s.Focus)
	s.PriorityIssues = each.Of(counted[:min(len(counted), maxIssues)], func(f qa.Finding) string { return f.ID })
	s.Risks = risks(in.Change, s.Focus)
	for _, l := range s.Layers {
		if l.Selected {
			s.Order = append(s.Order, fmt.Sprintf("%s %s tests: %s", l.Layer, l.Name, l.Rationale))
		}
	}
	return s
}

// DepthOf resolves depth auto by the size of the change: targeted up to 3
// source files in 1 module, standard up to 10 files in 3 modules. With an
// end-to-end command it is standard at least, which runs that.
func DepthOf(c qa.Change, endToEnd bool) config.Depth {
	sources := c.Of(qa.KindSource)
	modules := each.Set(each.Of(sources, func(f qa.FileChange) string { return module(f.Path) }))
	switch {
	case len(sources) <= 3 && len(modules) <= 1 && !endToEnd:
		return config.Targeted
	case len(sources) <= 10 && len(modules) <= 3:
		return config.Standard
	}
	return config.Comprehensive
}

// module is the first two path segments of a file's directory.
func module(path string) string {
	parts := strings.Split(path, "/")
	return strings.Join(parts[:min(2, len(parts)-1)], "/")
}

func openFindings(findings []qa.Finding) []qa.Finding {
	out := each.Where(findings, qa.Finding.Open)
	slices.SortStableFunc(out, func(a, b qa.Finding) int { return cmp.Compare(a.Severity.Rank(), b.Severity.Rank()) })
	return out
}

// layers applies the seeds' selection rules: L1 for any source change (or for
// findings alone), L2 from 3 source files or a critical finding. L3 is selected by an
// end-to-end command: nobody knows which files it reads, so that it runs for every change
// of more than documentation. Depth may take layers away: targeted keeps L1 only.
func layers(in Input, sources []qa.FileChange, findings []qa.Finding, focus []qa.Focus) []qa.LayerPlan {
	criticals := each.Count(findings, func(f qa.Finding) bool { return f.Severity == qa.Critical })
	plan := func(l qa.Layer, wanted bool, why, whyNot string) qa.LayerPlan {
		p := qa.LayerPlan{Layer: l, Name: l.Name(), Target: in.Targets[l], Selected: wanted, Rationale: whyNot}
		if wanted {
			p.Rationale = why
			p.Focus = focusPaths(focus, findings)
		}
		return p
	}
	l1 := plan(qa.L1, len(sources) > 0 || len(findings) > 0,
		wording.Count(len(sources), "source file")+" changed", "no source file changed and nothing was found")
	l2 := plan(qa.L2, len(sources) >= 3 || criticals > 0,
		wording.Count(len(sources), "source file")+" changed, "+wording.Count(criticals, "critical finding"), "fewer than 3 source files changed and no critical finding")
	if l2.Selected && in.Depth == config.Targeted {
		l2 = plan(qa.L2, false, "", "depth is targeted")
	}
	more := slices.ContainsFunc(in.Change.Files, func(f qa.FileChange) bool { return f.Kind != qa.KindDocs })
	l3 := plan(qa.L3, in.E2E && (more || l1.Selected), "an end-to-end command is configured, and more than documentation changed", "nothing but documentation changed")
	switch {
	case !in.E2E:
		l3.Rationale = "no end-to-end command is configured (e2e-command)"
	case l3.Selected && in.Depth == config.Targeted:
		l3 = plan(qa.L3, false, "", "depth is targeted")
	}
	return []qa.LayerPlan{l1, l2, l3}
}

func focusPaths(focus []qa.Focus, findings []qa.Finding) []string {
	on := each.Of(focus, func(f qa.Focus) string { return f.Path })
	return each.Added(each.Added(nil, on...), each.Of(findings, func(f qa.Finding) string { return f.Path })...)
}

// risks is one row per changed file that is not documentation, riskiest first.
func risks(c qa.Change, focus []qa.Focus) []qa.RiskRow {
	worst := map[string]float64{}
	for _, f := range focus {
		worst[f.Path] = max(worst[f.Path], f.Risk)
	}
	var out []qa.RiskRow
	for _, f := range c.Files {
		if f.Kind == qa.KindDocs || f.Kind == qa.KindOther || f.Generated {
			continue
		}
		row := qa.RiskRow{Path: f.Path, Change: fmt.Sprintf("%s, +%d −%d", f.Status, f.AddedLines(), f.Removed), Priority: "P2"}
		switch risk := worst[f.Path]; {
		case f.Status == qa.Deleted:
			row.Impact = "low: clean up its tests"
		case f.Kind != qa.KindSource:
			row.Impact = "low: " + string(f.Kind)
			if f.Kind == qa.KindConfig {
				row.Impact, row.Priority = "medium: may change how everything runs", "P1"
			}
		case risk >= 50 || f.Status == qa.Added && risk >= 30:
			row.Impact, row.Priority = fmt.Sprintf("high: risk %.0f", risk), "P0"
		case risk >= 20 || f.Status == qa.Added:
			row.Impact, row.Priority = fmt.Sprintf("medium: risk %.0f", risk), "P1"
		default:
			row.Impact = fmt.Sprintf("low: risk %.0f", risk)
		}
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(a, b qa.RiskRow) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(worst[b.Path], worst[a.Path]), cmp.Compare(a.Path, b.Path))
	})
	return out
}
