package mode

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/org/qa-action/internal/memory"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/reporter"
)

// bequeath leaves the report of a run that has to exit in the midst of its work
// for want of memory. It is made before there is any work, so that nothing is
// left to do then but to write it; the session can be gone on with.
func (r *run) bequeath(ctx context.Context) {
	why := memory.Ceiling(ctx)
	if why == nil {
		return
	}
	text, err := r.lastWords(why)
	if err != nil {
		r.notes.Note(err)
		return
	}
	// The console has the reason, too, so that a failure to write hides nothing.
	memory.LastWords(ctx, func(error) { _ = errors.Join(r.session.Yield(), r.session.WriteFile("report.json", text)) })
}

// lastWords is the report.json of a run that saw nothing.
func (r *run) lastWords(why error) ([]byte, error) {
	var text bytes.Buffer
	err := reporter.Render(&text, "json", r.blank(why), reporter.Options{})
	return text.Bytes(), err
}

// blank is the report of a run that saw nothing, and why.
func (r *run) blank(why error) *qa.Report {
	p := &qa.Report{
		Schema: qa.ReportSchema, Session: r.session.ID(), Repository: r.Repository, Mode: string(r.mode), Depth: string(r.depth),
		Task: r.Config.Task, Started: r.started.UTC().Format(time.RFC3339), Change: r.Change, Partial: true,
		Findings: []qa.Finding{}, MaxShown: r.Config.MaxFindings, Trend: quality.TrendOf(nil),
		Coverage: qa.CoverageReport{State: "unknown", Reason: "the program could not go on"},
	}
	p.Score = quality.Score(p)
	quality.Judge(p, quality.Rules{FailOn: r.Config.FailOn, MustModel: r.Config.Model.MustWork, Target: r.Config.Coverage[qa.L1]})
	p.Result, p.Reason = qa.Inconclusive, why.Error()
	p.Recommendations = quality.Recommend(p)
	return p
}

// outOfMemory makes the ceiling the reason of a run that it ended: every error
// of such a run comes from it.
func outOfMemory(ctx context.Context, p *qa.Report, err error) error {
	why := context.Cause(ctx)
	if err == nil || !errors.Is(why, memory.ErrCeiling) {
		return err
	}
	p.Result, p.Reason = qa.Inconclusive, why.Error()
	return why
}
