package past

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/wording"
)

// Compare enters what earlier runs know into a report that has its findings,
// tests, coverage and engines: the trend, what became of findings since the
// last push, and a baseline where base was not measured. It changes nothing
// else, so it may be called for every report of a run.
func (r *Reader) Compare(m Memory, p *qa.Report) {
	r.standIn(m, p)
	m.trend(p)
	p.KnownFlaky, p.Quarantine = m.watched(p.Tests.Cases)
	_, p.Findings, p.Since = m.Ledger.Advance(r.push(p))
	if p.Partial {
		// What did not run has not passed and is not fixed.
		p.Since = nil
	}
}

// standIn takes the numbers of base from an earlier run where base was not
// measured now.
func (r *Reader) standIn(m Memory, p *qa.Report) {
	b, c := m.Baseline, &p.Coverage
	if p.Tests.LeftOut().Any() { // the coverage of a part compares with nothing
		b = nil
	}
	none := p.Baseline.Kind == "none" || p.Baseline.Kind == ""
	if b == nil {
		if none && m.Source.Reason != "" {
			p.Baseline = qa.BaselineSource{Kind: "none", Reason: strings.TrimPrefix(p.Baseline.Reason+"; "+m.Source.Reason, "; ")}
		}
		return
	}
	if lines := c.Head != nil && c.BaseLines == nil && b.Lines != nil; !lines && !none {
		return
	}
	if p.Baseline != m.Source { // base was not compared with this digest alone
		why := p.Baseline.Reason
		if !none {
			why = "coverage of base was not measured in this run"
		}
		p.Baseline = m.Source
		p.Baseline.Reason = why
	}
	if c.Head == nil || c.BaseLines != nil {
		return
	}
	c.BaseLines = b.Lines
	for i := range c.Files {
		f, ok := r.Change.File(c.Files[i].Path)
		if n, had := b.Files[f.BasePath()]; ok && had && c.Files[i].Base == nil {
			c.Files[i].Base = &n
		}
	}
}

// trend puts this run behind the points of the default branch. A run whose
// coverage is unknown says nothing about a direction.
func (m Memory) trend(p *qa.Report) {
	// The same commit again replaces its point.
	points := each.Where(m.Points, func(point qa.TrendPoint) bool { return point.SHA != p.Change.Head })
	if len(points) == 0 {
		p.Trend = quality.TrendOf(nil)
		return
	}
	now := point(p)
	p.Trend = quality.TrendOf(append(points, now))
	if now.Coverage == nil {
		p.Trend.Direction, p.Trend.Confidence = "insufficient_data", "low"
	}
}

func point(p *qa.Report) qa.TrendPoint {
	out := qa.TrendPoint{Date: p.Started, SHA: p.Change.Head, Score: p.Score.Value, Issues: each.Count(p.Findings, qa.Finding.Counts)}
	if c := p.Coverage.Head; c != nil && c.Lines != nil && !p.Tests.LeftOut().Any() {
		if rate, ok := c.Lines.Rate(); ok {
			out.Coverage = &rate
		}
	}
	return out
}

// push is the run as the ledger sees it.
func (r *Reader) push(p *qa.Report) history.Push {
	ran := map[string]bool{}
	for _, e := range p.Manifest.Engines {
		ran[e.Name] = e.State == "ran"
	}
	steady := each.Where(p.Tests.Failing, func(f qa.FailingTest) bool { return f.Triage != qa.FlakyFailure })
	failing := each.Of(steady, func(f qa.FailingTest) string { return f.Case.ID() })
	untested := p.Partial || len(p.Manifest.Targets) == 0 || slices.ContainsFunc(p.Manifest.Targets, func(t qa.TargetRow) bool { return t.State != "ran" })
	return history.Push{
		Head: p.Change.Head, Date: r.Started, Findings: p.Findings, Failing: failing, Untested: untested, Lessons: history.LessonsOf(p.Generated, r.Started), Mended: mended(p),
		// What nobody looked at is not gone.
		Changed: func(e history.Entry) bool { return r.Covers(e.Path) && r.changed(e) },
		Ran:     func(engine string) bool { return ran[engine] && !p.Partial },
	}
}

// around is how many lines beside a finding belong to its code: a fix seldom
// is further away.
const around = 3

// changed reports whether the code of a ledger's entry is gone or was changed
// since the entry was seen. Where that commit cannot be read any more, as after
// a force push, the quoted code alone decides.
func (r *Reader) changed(e history.Entry) bool {
	now, err := r.Read(e.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		return false // unknown is not gone
	}
	code := e.Quote
	if then, err := r.Content(context.Background(), e.Seen, e.Path); err == nil && e.Lines.Start > 0 {
		lines := strings.Split(string(then), "\n")
		from, to := max(0, e.Lines.Start-1-around), min(len(lines), e.Lines.End+around)
		if from < to {
			code = strings.Join(lines[from:to], "\n")
		}
	}
	if code == "" {
		return false
	}
	return !strings.Contains(wording.Fold(string(now)), wording.Fold(code))
}
