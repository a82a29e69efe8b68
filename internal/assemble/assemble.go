// Package assemble makes the report of a run of everything that is known, and
// leaves one however the run ends. Start at [Assembly.Report].
package assemble

import (
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/artifact"
	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/budget"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/notes"
	"github.com/org/qa-action/internal/past"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/task"
	"github.com/org/qa-action/internal/trials"
)

// About says of which run a report is.
type About struct {
	checkout.Checkout
	Config     *config.Config
	Repository string // owner/name or the directory's name
	Version    string
	Session    string // its id
	Kind       task.Kind
	Time       budget.Time
}

// Assembly is what a report is made of.
type Assembly struct {
	About
	State    *task.State
	Baseline *baseline.Baseline // nil when it is not over
	Mutants  *mutation.Set
	Code     *related.Code
	Past     *past.Reader
	Memory   past.Memory
	HeadLine HeadLine
	// Use is what was asked of the model; nil for a run without one.
	Use   func() qa.ModelUse
	Notes *notes.Log
	// Refused is what is in the output directory and was not read.
	Refused []string
}

// Report makes the report of everything that is there. partial says that the
// run ended before all its tasks were done. measured are the findings where the
// checkout has them.
func (a Assembly) Report(partial bool) (p *qa.Report, measured []qa.Finding) {
	p = a.empty()
	p.Partial, p.Generated = partial, a.State.Kept.Tests
	if a.State.Strategy != nil {
		p.Strategy = *a.State.Strategy
	}
	joined := scout.Join(a.Config.MinSeverity, a.State.Scan, a.State.Gaps)
	a.State.Read.Weigh(joined.Findings)
	p.Findings = a.proven(joined.Findings)
	a.State.Read.Tell(joined.Engines, p.Findings)
	p.Mutation, p.Patch = a.Mutants.Score(a.State.Kept.Killed, a.State.Alike), artifact.Diff(a.Read, a.State.Kept.Files)
	a.manifest(p, joined)
	p.Manifest.NotDone = append(p.Manifest.NotDone, quality.ScanFailures(p)...)
	if a.Baseline != nil {
		p.Tests = a.Baseline.Tests()
		renames(a.Baseline, a.Checkout, &p.Tests)
		p.Coverage = a.coverage()
		p.Baseline = a.source()
		p.Account = a.Baseline.Account(a.Change)
		p.Manifest.NotDone = append(p.Manifest.NotDone, a.Baseline.NotDone(a.Change)...)
		p.Manifest.NotDone = append(p.Manifest.NotDone, quality.IsolationGaps(a.Baseline.Levels)...)
	} else {
		p.Partial = true
		p.Coverage = qa.CoverageReport{State: "unknown", Reason: "the tests did not finish"}
	}
	for _, o := range a.State.Outcomes {
		if o.State == pipeline.Failed && a.State.Row(o.ID).Role != task.Generator {
			p.Partial = true
			why := o.Err.Error()
			if told := func(t qa.TargetRow) bool { return t.Reason != "" && strings.Contains(why, t.Reason) }; !slices.ContainsFunc(p.Manifest.Targets, told) {
				p.Manifest.Warnings = append(p.Manifest.Warnings, o.ID+" failed: "+why)
			}
		}
	}
	measured = a.HeadLine.toHead(p)
	a.Past.Compare(a.Memory, p)
	p.Patterns = quality.Patterns(p)
	a.judge(p)
	if partial {
		// Whoever cancelled stopped the comparison with base as well: what
		// failed until then is no verdict.
		p.Result, p.Reason = qa.Inconclusive, "ended before all tasks were done; until then: "+p.Reason
	}
	p.Next, p.Recommendations = quality.Next(p), append([]string{}, a.State.Advice...)
	return p, measured
}

// proven gives findings the tests that show them, or why none can.
func (a Assembly) proven(findings []qa.Finding) []qa.Finding {
	proofs := trials.Proofs{Change: a.Change, Code: a.Code, All: a.State.Kept.Proofs, Weak: a.State.Kept.Weak}
	if a.State.Strategy != nil {
		proofs.Focus = a.State.Strategy.Focus
	}
	out := proofs.Show(append(findings, a.regressions(findings)...))
	for i := range out {
		if b, left := each.First(a.State.Beyond, func(b generator.Beyond) bool { return b.Finding == out[i].Fingerprint }); left {
			b.Tell(&out[i])
		}
	}
	return out
}

// empty is the report of a run that saw nothing.
func (a About) empty() *qa.Report {
	return &qa.Report{
		Schema: qa.ReportSchema, Session: a.Session, Repository: a.Repository, Mode: string(a.Kind.Mode), Depth: string(a.Kind.Depth),
		Task: a.Config.Task, Started: a.Time.Started.UTC().Format(time.RFC3339), Change: a.Change,
		Findings: []qa.Finding{}, MaxShown: a.Config.MaxFindings, Trend: quality.TrendOf(nil),
	}
}

// judge enters score and verdict.
func (a About) judge(p *qa.Report) {
	p.Score = quality.Score(p)
	quality.Judge(p, quality.Rules{FailOn: a.Config.FailOn, MustModel: a.Config.Model.MustWork, Target: a.Config.Coverage[qa.L1], Goals: a.Config.Goals(qa.L1)})
	p.Score.Band = quality.Band(p)
}
