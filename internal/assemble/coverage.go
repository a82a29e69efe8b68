package assemble

import (
	"cmp"
	"slices"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/task"
)

func (a Assembly) coverage() qa.CoverageReport {
	c := qa.CoverageReport{State: "measured", Reason: a.Baseline.Coverage.Part, Head: a.Baseline.Coverage.Head, Patch: a.Baseline.Coverage.Patch}
	if a.Baseline.Coverage.Head == nil {
		c = qa.CoverageReport{State: "unknown", Reason: cmp.Or(a.Baseline.Coverage.Reason, "no coverage was measured")}
	} else {
		c.Warnings = append(c.Warnings, a.Baseline.Coverage.Head.Warnings...)
		c.Warnings = append(c.Warnings, a.Baseline.Coverage.Head.Conflicts...)
	}
	if a.Baseline.Coverage.Base != nil {
		c.BaseLines = a.Baseline.Coverage.Base.Lines
	}
	for _, l := range qa.Layers() {
		if res, ok := a.State.Layers[l]; ok {
			c.Layers = append(c.Layers, res)
			continue
		}
		skipped := qa.LayerResult{Layer: l, Name: l.Name(), Target: a.Config.Coverage[l], State: "skipped"}
		if a.State.Strategy != nil {
			if plan, ok := a.State.Strategy.Layer(l); ok {
				skipped.Reason = plan.Rationale
				a.unmeasured(&skipped, plan)
			}
		}
		c.Layers = append(c.Layers, skipped)
	}
	c.WithGenerated = a.withGenerated(c.Layers)
	c.Files = a.files()
	return c
}

// unmeasured says why a selected layer has no result: its task did not end well,
// or the mode has none for it.
func (a Assembly) unmeasured(l *qa.LayerResult, plan qa.LayerPlan) {
	if !plan.Selected {
		return
	}
	for _, row := range a.State.Rows {
		if row.Role != task.Executor || row.Layer != l.Layer {
			continue
		}
		l.State, l.Reason = "unknown", row.ID+" did not run"
		if o, ok := a.State.Outcomes[row.ID]; ok && o.Err != nil {
			l.Reason = row.ID + ": " + o.Err.Error()
		}
		return
	}
	l.Reason = "not part of mode " + string(a.Kind.Mode)
}

// withGenerated is the patch coverage of the suite with the kept tests in it:
// each layer that kept some was measured again, the last with all of them.
func (a Assembly) withGenerated(layers []qa.LayerResult) *qa.Count {
	var best *qa.Count
	for _, l := range layers {
		kept := slices.ContainsFunc(a.State.Kept.Tests, func(g qa.GeneratedTest) bool { return g.Kept && g.Layer == l.Layer })
		if kept && l.Patch != nil && (best == nil || l.Patch.Covered > best.Covered) {
			best = l.Patch
		}
	}
	return best
}

// files are the rows of changed source files that coverage knows.
func (a Assembly) files() []qa.FileRow {
	var out []qa.FileRow
	if a.Baseline.Coverage.Head == nil {
		return out
	}
	missing := map[string][]qa.Range{}
	for _, m := range a.Baseline.Coverage.Patch.Missing {
		missing[m.Path] = m.Ranges
	}
	for _, f := range a.Change.Files {
		head := a.Baseline.Coverage.Head.File(f.Path)
		if head == nil {
			continue
		}
		row := qa.FileRow{Path: f.Path, Lines: head.LineCount, Missing: missing[f.Path]}
		if before := a.Baseline.Coverage.Base.File(f.BasePath()); before != nil {
			row.Base = before.LineCount
		}
		if c, ok := a.Baseline.Coverage.Patch.Files[f.Path]; ok {
			row.Patch = &c
		}
		row.Covered, row.Partial = ran(f, head.Lines)
		out = append(out, row)
	}
	return out
}

// ran gives the changed lines of a file that were run, and those of them that
// did not take all their branches.
func ran(f qa.FileChange, lines []qa.LineHit) (covered, partial []qa.Range) {
	var all, some []int
	for _, l := range lines {
		n := int(l.Line)
		if l.Hits == 0 || !slices.ContainsFunc(f.Added, func(a qa.Range) bool { return a.Contains(n) }) {
			continue
		}
		all = append(all, n)
		if l.Partial() {
			some = append(some, n)
		}
	}
	return qa.Ranges(all), qa.Ranges(some)
}

// source says what the numbers of base come from.
func (a Assembly) source() qa.BaselineSource {
	if a.remembered() {
		return a.Memory.Source
	}
	for _, b := range a.Baseline.Runs {
		if b.Base != nil && b.Base.Inconclusive == "" && !b.Added {
			return qa.BaselineSource{Kind: "base-run", SHA: a.Change.Base, Reason: b.BaseReason}
		}
		if b.BaseReason != "" {
			return qa.BaselineSource{Kind: "none", Reason: b.BaseReason}
		}
	}
	return qa.BaselineSource{Kind: "none", Reason: "base was not run"}
}

// remembered reports whether every target was compared with the earlier run of
// base.
func (a Assembly) remembered() bool {
	for _, run := range a.Baseline.Runs {
		if !run.Remembered {
			return false
		}
	}
	return len(a.Baseline.Runs) > 0
}
