package mode

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/scan"
)

// assemble makes the report of everything that is there. partial says that the
// run ended before all its tasks were done.
func (r *run) assemble(partial bool) *qa.Report {
	p := &qa.Report{
		Schema: qa.ReportSchema, Session: r.session.ID(), Repository: r.Repository, Mode: string(r.mode), Depth: string(r.depth),
		Task: r.Config.Task, Started: r.started.UTC().Format(time.RFC3339), Change: r.Change, Partial: partial,
		Generated: r.generated, Findings: []qa.Finding{}, MaxShown: r.Config.MaxFindings, Trend: quality.TrendOf(nil),
	}
	if r.strategy != nil {
		p.Strategy = *r.strategy
	}
	var parts []scan.Result
	for _, s := range []*scan.Result{r.scan, r.gaps} {
		if s != nil {
			parts = append(parts, *s)
		}
	}
	joined := r.joined(parts)
	p.Findings = r.prove(joined.Findings)
	p.Mutation, p.Patch = r.mutation.Score(r.killed), r.patch()
	r.manifest(p, joined)
	p.Manifest.NotDone = append(p.Manifest.NotDone, quality.ScanGaps(p)...)
	if r.base.Known() != nil {
		p.Tests = r.own().Tests()
		r.own().Renames(r.Checkout, &p.Tests)
		p.Coverage = r.coverage()
		p.Baseline = r.rung()
		p.Account = r.own().Account(r.Change)
		p.Manifest.NotDone = append(p.Manifest.NotDone, r.own().NotDone()...)
		p.Manifest.NotDone = append(p.Manifest.NotDone, quality.IsolationGaps(r.own().Levels)...)
	} else {
		p.Partial = true
		p.Coverage = qa.CoverageReport{State: "unknown", Reason: "the tests did not finish"}
	}
	for _, o := range r.outcomes {
		if o.State == pipeline.Failed && r.rows[o.ID].Role != Generator {
			p.Partial = true
			p.Manifest.Warnings = append(p.Manifest.Warnings, fmt.Sprintf("%s failed: %v", o.ID, o.Err))
		}
	}
	r.merged = r.HeadLine.toHead(p)
	r.reader().Compare(r.past, p)
	p.Patterns = quality.Patterns(p)
	p.Score = quality.Score(p)
	quality.Judge(p, quality.Rules{FailOn: r.Config.FailOn, MustModel: r.Config.Model.MustWork, Target: r.Config.Coverage[qa.L1]})
	if partial {
		// Whoever cancelled stopped the comparison with base as well: what
		// failed until then is no verdict.
		p.Result, p.Reason = qa.Inconclusive, "ended before all tasks were done; until then: "+p.Reason
	}
	p.Recommendations = append(quality.Recommend(p), r.advice...)
	return p
}

func (r *run) coverage() qa.CoverageReport {
	c := qa.CoverageReport{State: "measured", Reason: r.own().Coverage.Part, Head: r.own().Coverage.Head, Patch: r.own().Coverage.Patch}
	if r.own().Coverage.Head == nil {
		c = qa.CoverageReport{State: "unknown", Reason: cmp.Or(r.own().Coverage.Reason, "no coverage was measured")}
	} else {
		c.Warnings = append(c.Warnings, r.own().Coverage.Head.Warnings...)
		c.Warnings = append(c.Warnings, r.own().Coverage.Head.Conflicts...)
	}
	if r.own().Coverage.Base != nil {
		c.BaseLines = r.own().Coverage.Base.Lines
	}
	for _, l := range qa.Layers() {
		if res, ok := r.layers[l]; ok {
			c.Layers = append(c.Layers, res)
			continue
		}
		skipped := qa.LayerResult{Layer: l, Name: l.Name(), Target: r.Config.Coverage[l], State: "skipped"}
		if r.strategy != nil {
			if plan, ok := r.strategy.Layer(l); ok {
				skipped.Reason = plan.Rationale
				r.unmeasured(&skipped, plan)
			}
		}
		c.Layers = append(c.Layers, skipped)
	}
	c.WithGenerated = r.withGenerated(c.Layers)
	c.Files = r.files()
	return c
}

// unmeasured says why a selected layer has no result: its task did not end well,
// or the mode has none for it.
func (r *run) unmeasured(l *qa.LayerResult, plan qa.LayerPlan) {
	if !plan.Selected {
		return
	}
	for _, id := range r.order {
		row := r.rows[id]
		if row.Role != Executor || row.Layer != l.Layer {
			continue
		}
		l.State, l.Reason = "unknown", id+" did not run"
		if o, ok := r.outcomes[id]; ok && o.Err != nil {
			l.Reason = id + ": " + o.Err.Error()
		}
		return
	}
	l.Reason = "not part of mode " + string(r.mode)
}

// withGenerated is the patch coverage of the suite with the kept tests in it:
// each layer that kept some was measured again, the last with all of them.
func (r *run) withGenerated(layers []qa.LayerResult) *qa.Count {
	var best *qa.Count
	for _, l := range layers {
		kept := slices.ContainsFunc(r.generated, func(g qa.GeneratedTest) bool { return g.Kept && g.Layer == l.Layer })
		if kept && l.Patch != nil && (best == nil || l.Patch.Covered > best.Covered) {
			best = l.Patch
		}
	}
	return best
}

// files are the rows of changed source files that coverage knows.
func (r *run) files() []qa.FileRow {
	var out []qa.FileRow
	if r.own().Coverage.Head == nil {
		return out
	}
	missing := map[string][]qa.Range{}
	for _, m := range r.own().Coverage.Patch.Missing {
		missing[m.Path] = m.Ranges
	}
	for _, f := range r.Change.Files {
		head := r.own().Coverage.Head.File(f.Path)
		if head == nil {
			continue
		}
		row := qa.FileRow{Path: f.Path, Lines: head.LineCount, Missing: missing[f.Path]}
		if before := r.own().Coverage.Base.File(f.BasePath()); before != nil {
			row.Base = before.LineCount
		}
		if c, ok := r.own().Coverage.Patch.Files[f.Path]; ok {
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

// rung says what the numbers of base come from.
func (r *run) rung() qa.BaselineSource {
	if r.remembered() {
		return r.past.Source
	}
	for _, b := range r.own().Runs {
		if b.Base != nil && b.Base.Inconclusive == "" && !b.Added {
			return qa.BaselineSource{Rung: "base-run", SHA: r.Change.Base, Reason: b.BaseReason}
		}
		if b.BaseReason != "" {
			return qa.BaselineSource{Rung: "none", Reason: b.BaseReason}
		}
	}
	return qa.BaselineSource{Rung: "none", Reason: "base was not run"}
}

func (r *run) manifest(p *qa.Report, joined scan.Result) {
	m := &p.Manifest
	m.Tool, m.Version, m.Skipped = "qa", r.Version, map[string]string{}
	m.Cuts = r.notes.Cuts()
	m.Engines, m.Warnings = r.bothTimes(joined.Engines), slices.Concat(joined.Warnings, r.notes.Warnings(), r.refused())
	for path, why := range joined.Skipped {
		m.Skipped[path] = why
	}
	for why, n := range joined.Folded {
		m.Skipped["findings "+why] = fmt.Sprint(n)
	}
	for _, f := range r.Change.Files {
		switch {
		case f.Generated:
			m.Skipped[f.Path] = "generated, vendored or minified"
		case f.Binary:
			m.Skipped[f.Path] = "binary"
		case f.Submodule:
			m.Skipped[f.Path] = "submodule"
		default:
			if m.Skipped[f.Path] == "" {
				m.Reviewed = append(m.Reviewed, f.Path)
			}
		}
	}
	if r.base.Known() != nil {
		m.CommandChanged = r.own().Command
		m.Targets, m.Checks, m.Runtime, m.Isolation = r.own().Rows, r.own().Checks, r.own().Driver, r.own().Levels
		for what, why := range r.own().Also {
			m.Skipped[what] = why
		}
	}
	for _, id := range r.order {
		o, row := r.outcomes[id], r.rows[id]
		t := qa.TaskRow{ID: id, Role: row.Role, Layer: row.Layer, Wave: o.Wave, Status: cmp.Or(string(o.State), "pending"), Detail: o.Value.Findings}
		if o.Err != nil {
			t.Detail = o.Err.Error()
		}
		if o.Wave > 0 {
			t.Start, t.Seconds = o.Start.Sub(r.started).Seconds(), o.End.Sub(o.Start).Seconds()
		}
		m.Tasks = append(m.Tasks, t)
	}
	if r.use != nil {
		m.Model = *r.use
	} else if r.Model != nil {
		m.Model = r.Model.Use()
	} else if c := r.Config.Model.Configure; c != "" {
		m.Model.Error = c
	}
	if m.Model.Error == "" {
		m.Warnings = append(m.Warnings, r.notes.Unsaid()...)
	}
	m.Seconds = r.Now().Sub(r.started).Seconds()
}

// write renders every reporter that is a file of the session. One that cannot
// be written keeps none of the others from being.
func (r *run) write(p *qa.Report) ([]string, error) {
	var written []string
	var failed []error
	for _, name := range reporter.Names() {
		rep, err := reporter.For(name)
		if err != nil {
			return written, err
		}
		if rep.File == "" || name == "patch" && len(p.Generated) == 0 {
			continue
		}
		var b bytes.Buffer
		shown := p
		if name == "sarif" { // it is uploaded for the commit that is checked out
			shown = onMeasured(p, r.merged)
		}
		if err := reporter.Render(&b, name, shown, reporter.Options{Source: r.headSource}); err != nil {
			r.notes.Note(err)
			continue
		}
		if err := r.session.WriteFile(rep.File, b.Bytes()); err != nil {
			failed = append(failed, err)
			continue
		}
		written = append(written, name)
	}
	r.notes.Note(r.session.Remember(Analyst, "quality_score", p.Score.Value))
	r.notes.Note(r.session.Remember(Analyst, "defect_patterns", listed(r, p.Patterns)))
	return written, errors.Join(failed...)
}
