package mode

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/budget"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/layers"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/notes"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/analyst"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/role/strategist"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/task"
	"github.com/org/qa-action/internal/trials"
	"github.com/org/qa-action/internal/wording"
)

// roles do the tasks, each with what it needs. They hold nothing of the run's
// state: it is given to them.
type roles struct {
	*config.Config
	depth  config.Depth
	code   *related.Code
	client *llm.Client    // nil for a run without a model
	tokens *budget.Tokens // of the client
	base   *baseline.Run
	turns  *pipeline.Turns
	notes  *notes.Log
	scout  scout.Scout
	writer generator.Writer
	meter  layers.Meter
	trials trials.Runner
	// remembered are the lines of base as an earlier run measured them; nil is unknown.
	remembered *qa.Count
	// evidence are the tests that proved regressions in the last run of the branch.
	evidence trials.Remembered
}

// scan scans the change.
func (w roles) scan(ctx context.Context) (task.Result, error) {
	res, risks, err := w.scout.Scan(ctx)
	if err != nil {
		return task.Result{}, err
	}
	return task.Result{Scan: &res, Findings: scout.Text(res), Advice: risks}, nil
}

// read asks a second reader about claims that no test has settled, with the tests that
// were tried.
func (w roles) read(ctx context.Context, findings []qa.Finding, tests []qa.GeneratedTest) scout.Readings {
	if w.client == nil || ctx.Err() != nil {
		return nil
	}
	said, err := w.scout.Refute(ctx, findings, tests)
	if err != nil {
		w.notes.Model(fmt.Errorf("second reader: %w", err))
	}
	return said
}

// rescan scans the change with the kept tests in place.
func (w roles) rescan(ctx context.Context, s task.State) (task.Result, error) {
	if len(s.Kept.Files) == 0 {
		return task.Result{}, pipeline.Skip("nothing was written since the first scan")
	}
	if _, err := w.trials.Lay(ctx); err != nil {
		return task.Result{}, err
	}
	res, err := w.scout.Rescan(ctx, s.Kept.Files)
	if err != nil {
		return task.Result{}, err
	}
	return task.Result{Scan: &res, Findings: scout.Since(s.Scan, res)}, nil
}

// plan joins the baseline, adds what its coverage tells, and decides.
func (w roles) plan(ctx context.Context, s task.State) (task.Result, error) {
	b, err := w.base.Wait(ctx)
	if err != nil && ctx.Err() != nil {
		return task.Result{}, err
	}
	var out task.Result
	if b.Coverage.Head != nil {
		gaps, err := w.scout.Gaps(ctx, b.Coverage.Head)
		if err != nil {
			return task.Result{}, err
		}
		out.Gaps = &gaps
	}
	change := w.scout.Change
	near := each.Of(change.Of(qa.KindSource), func(f qa.FileChange) string { return f.Path })
	version := ""
	if len(b.Targets) > 0 {
		version = b.Targets[0].Framework.Version
	}
	findings := s.Found(w.MinSeverity, out.Gaps)
	strategy := strategist.Plan(strategist.Input{
		Change: change, Findings: findings, Patch: b.Coverage.Patch, Baseline: w.baseLines(b),
		Depth: w.depth, Targets: w.Coverage, E2E: len(w.EndToEnd()) > 0, Outlines: related.Outlines(w.code), FanIn: w.code.Graph().FanIn, Users: w.code.Users,
		Unaltered:   func(path string) func(string) bool { return w.code.Unaltered(ctx, path) },
		Edits:       func(path string) func(qa.Range) string { return related.Forms(ctx, w.code, path) },
		Excluded:    func(path string) bool { return baseline.Excluded(b, path, w.scout.Text(path)) != "" },
		Conventions: strategist.Learn(b.Framework(), version, strategist.Examples(change, b.TestFiles()), near, w.scout.Read),
	})
	w.again(ctx, s, b, &out)
	w.weakened(ctx, findings, b, &out)
	strategy.Notes = s.Risks()
	out.Strategy = &strategy
	chosen := each.Where(strategy.Layers, func(l qa.LayerPlan) bool { return l.Selected })
	if len(chosen) > 0 && len(strategy.Focus) > 0 {
		w.mutants(ctx, b, &out)
	}
	selected := each.Of(chosen, func(l qa.LayerPlan) string { return string(l.Layer) })
	out.Findings = fmt.Sprintf("layers %s; %d functions in focus; %d priority issues", cmp.Or(strings.Join(selected, ", "), "none"), len(strategy.Focus), len(strategy.PriorityIssues))
	return out, nil
}

// baseLines are the lines of base: as this run measured them, or one before it.
func (w roles) baseLines(b *baseline.Baseline) *qa.Count {
	if b.Coverage.Base != nil {
		return b.Coverage.Base.Lines
	}
	return w.remembered
}

// advise are a model's recommendations about the evidence of the run. They
// stand behind those that are computed, marked as a model's.
func (w roles) advise(ctx context.Context, report *qa.Report, gained map[string][]int) []string {
	if w.client == nil || ctx.Err() != nil || !w.tokens.Notes() {
		return nil
	}
	m := analyst.Model{Ask: llm.Asker[analyst.Reply](w.client), Text: w.scout.Text}
	texts, err := m.Recommend(ctx, report, gained)
	w.notes.Model(err)
	for i := range texts {
		texts[i] = "Model: " + texts[i]
	}
	return texts
}

// known is what the writer of tests is told.
func (w roles) known(s task.State, b *baseline.Baseline) generator.Known {
	findings, shown := s.Found(w.MinSeverity, s.Gaps), trials.Proofs{Code: w.code}
	out := generator.Known{
		Strategy: s.Strategy, Findings: findings, Tests: b.TestFiles(),
		Suite: func(file string) (generator.Suite, bool) {
			t, ok := b.Of(file)
			return generator.Suite{Target: t.Name, Framework: t.Framework.Framework, Version: t.Framework.Version, Language: t.Framework.Language}, ok
		},
		Written: s.Kept.Files, Gained: s.Kept.Gained, Living: each.Where(s.Kept.Living(w.trials.Results.Mutants()), func(m mutant.Mutant) bool { return !s.Kept.Beheld[m.ID] && !slices.Contains(s.Alike, m.ID) }),
		Left: s.Beyond, Tried: s.Kept.Tests, Proven: each.Of(s.Kept.Proofs, func(p trials.Proof) generator.Proven {
			finding, instead := shown.Named(findings, p)
			return generator.Proven{Path: p.Path, Test: p.Test, Finding: finding, Instead: instead}
		}),
	}
	out.Guarded = func(file string) []qa.Range { return mutant.Guarded(file, w.scout.Text(file)) }
	out.Judged, out.Broken = w.trials.Results.Judged()
	if slices.Contains(w.Perspectives, qa.Bug) {
		out.Read = s.Reviewed()
	}
	out.Measured = func(f qa.Focus) bool {
		if patch := b.Coverage.Patch; patch != nil {
			if _, known := patch.Files[f.Path]; known {
				return true
			}
		}
		return w.trials.Results.Ran(w.trials.Checkout, f)
	}
	return out
}

// generate writes tests for a layer.
func (w roles) generate(ctx context.Context, row task.Row, s task.State) (task.Result, error) {
	if _, err := s.Selected(row.Layer); err != nil {
		return task.Result{}, err
	}
	if w.client == nil {
		return task.Result{}, pipeline.Skip("no model configured")
	}
	known := w.known(s, w.base.Join())
	switch {
	case row.Layer == qa.L3:
		return task.Result{}, pipeline.Skip("end-to-end tests are run, not written")
	case row.Layer == qa.L2 && !w.writer.Crosses(known):
		return task.Result{}, pipeline.Skip("no function in focus is called from another module of its suite")
	}
	written, err := w.writer.Write(ctx, row.Layer, row.Round, known)
	if err != nil && len(written.Tests) == 0 {
		return task.Result{}, err
	}
	if err != nil {
		w.notes.Model(fmt.Errorf("%s: %w", row.ID, err))
	}
	out := task.Result{Alike: written.Alike}
	out.Candidates, out.Beyond = known.Beyond(written.Tests)
	out.Findings = strings.Join(append([]string{fmt.Sprintf("%d tests proposed", len(out.Candidates))}, written.Left...), "; ")
	if n := each.Count(s.Strategy.Focus, func(f qa.Focus) bool { return f.Like != "" }); n > 0 {
		out.Findings += fmt.Sprintf("; %s not asked about, whose edit is that of another", wording.Count(n, "function"))
	}
	if n := len(out.Beyond); n > 0 {
		out.Findings += fmt.Sprintf("; %s that no test can show", wording.Count(n, "finding"))
	}
	return out, nil
}

// execute measures a layer. It changes files of the copies and measures what is
// in them, so that layers of one wave take turns, in the order of tasks.
func (w roles) execute(ctx context.Context, row task.Row, s task.State) (task.Result, error) {
	p, err := s.Selected(row.Layer)
	if err != nil {
		return task.Result{}, err
	}
	b, err := w.base.Wait(ctx)
	if err != nil {
		return task.Result{}, fmt.Errorf("no baseline: %w", err)
	}
	if err := w.turns.Wait(ctx, row.ID); err != nil {
		return task.Result{}, err
	}
	l, err := w.meter.Measure(ctx, p, b)
	if err != nil {
		return task.Result{}, err
	}
	if last, ok := s.Layers[row.Layer]; ok && row.Round > 0 {
		l = last // what earlier rounds kept still counts
		l.Below = false
	}
	out, err := w.try(ctx, row, s, b)
	gained := row.Round == 0 && slices.ContainsFunc(s.Kept.Tests, func(g qa.GeneratedTest) bool { return g.Kept && g.Layer == row.Layer })
	if t := out.Trial; t != nil && err == nil {
		l.Iterations, l.Rounds = 1, row.Round
		for _, g := range t.Tests {
			l.Iterations = max(l.Iterations, g.Repairs+1)
		}
		gained = gained || t.Kept() > 0
	}
	if gained && err == nil {
		if l.OwnPatch == nil {
			l.OwnPatch = l.Patch
		}
		if _, err = w.trials.Lay(ctx); err == nil {
			err = w.meter.WithKept(ctx, row.ID, &l, b)
		}
	}
	if err != nil {
		return task.Result{}, err
	}
	l.Effective = l.State == "measured" && quality.Effective(l.PassRate, l.Iterations)
	out.Layer, out.Findings = &l, layers.Text(l)
	if out.Trial != nil {
		out.Findings += out.Trial.Text()
	}
	return out, nil
}

// try puts the tests that were proposed on trial.
func (w roles) try(ctx context.Context, row task.Row, s task.State, b *baseline.Baseline) (out task.Result, err error) {
	proposed := s.Proposed(row)
	if len(proposed) == 0 {
		return out, nil
	}
	if out.Mutation, err = w.trials.Prepare(ctx, b); err != nil {
		return out, err
	}
	var repair trials.Repair
	if w.client != nil {
		repair = w.repair(row.Layer, w.known(s, b))
	}
	t, err := w.trials.Try(ctx, row.ID, proposed, b, repair)
	if err == nil {
		w.trials.Results.Add(t)
		out.Trial = &t
	}
	return out, err
}

func (w roles) repair(layer qa.Layer, known generator.Known) trials.Repair {
	return func(ctx context.Context, v assurance.Verdict) (assurance.Fix, error) {
		why := generator.Failure{Gate: v.Gate, Reason: v.Reason, Repairs: v.Repairs, Fails: v.Head.Bad(), Base: v.Base}
		again, product, err := w.writer.Repair(ctx, layer, v.Candidate, why, known)
		return assurance.Fix{Candidate: again, Product: product}, err
	}
}
