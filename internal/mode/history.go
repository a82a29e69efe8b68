package mode

import (
	"context"
	"fmt"

	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/past"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan"
)

// keptHistory is the name of what the past tells among the kept results: a resumed
// run compares with what the first one knew, also when others were recorded in
// between.
const keptHistory = "HISTORY"

// reader reads the past for this run.
func (r *run) reader() *past.Reader {
	return &past.Reader{
		Source: r.Past, Scope: r.scope(), Change: r.Change, Covers: scan.Request{Within: Within(r.Config)}.Covers,
		Started: r.started, Read: r.Read, Content: r.Content,
	}
}

// recall reads the history before anything runs. A history that is missing or
// cannot be read never fails the run: it is a warning, and nothing is recorded
// over it.
func (r *run) recall(ctx context.Context) {
	if !r.session.Kept(keptHistory, r.session.ID(), &r.past) {
		var warning error
		r.past, warning = r.reader().Recall(ctx, r.Config.Quarantine, r.Now())
		r.notes.Note(warning)
		r.notes.Note(r.session.Keep(keptHistory, r.session.ID(), r.past))
	}
	if p := r.past.Problem; p != "" {
		r.notes.Warn("%s", p)
	}
}

// scope tells baselines of parts of a repository apart.
func (r *run) scope() string {
	if r.Config.WorkingDirectory == "." {
		return ""
	}
	return r.Config.WorkingDirectory
}

// remembered reports whether every target was compared with the earlier run of
// base.
func (r *run) remembered() bool {
	for _, b := range r.own().Runs {
		if _, ok := r.past.StandsFor(b.Target.Name, r.Change.Base); !ok || b.Base != nil && b.Base.Coverage != nil {
			return false
		}
	}
	return len(r.own().Runs) > 0
}

// digest is the baseline that this run is for later ones, nil when no test ran.
func (r *run) digest(p *qa.Report) *history.Baseline {
	if p.Tests.Head.Executed() == 0 {
		return nil
	}
	b := history.BaselineOf(*p)
	b.Scope = r.scope()
	b.Opened, b.Whole = r.own().Opened()
	b.Suites = map[string]history.Suite{}
	for _, row := range r.own().Rows {
		if row.State != "ran" {
			b.Suites, b.Cut = nil, true
		}
	}
	for _, run := range r.own().Runs {
		if len(run.Head.Suite.Problems) > 0 {
			b.Suites, b.Cut = nil, true
		}
		if b.Suites != nil {
			b.Suites[run.Target.Name] = history.SuiteOf(run.Tests.Cases)
		}
	}
	b = b.Bounded()
	return &b
}

// enter records a finished run, and writes its badge.
func (r *run) enter(ctx context.Context, p *qa.Report) {
	if err := r.session.WriteFile("badge.svg", history.Badge("coverage", past.Score(p))); err != nil {
		p.Manifest.Warnings = append(p.Manifest.Warnings, err.Error())
	}
	r.keepShard()
	reader := r.reader()
	// The id of a session comes again in another workspace, its time does not.
	leave := past.Leave{Report: p, ID: p.Session + " " + r.session.Meta().Created, Baseline: r.digest(p), Ledger: reader.Ledger(r.past, p)}
	var err error
	r.carry, err = reader.Carry(leave)
	r.notes.Note(err)
	if why := reader.Unfit(r.past, p); why != "" {
		p.Manifest.Skipped["history"] = why
		return
	}
	leave.Ledger = listed(r, leave.Ledger)
	if err := reader.Record(ctx, leave); err != nil {
		p.Manifest.Warnings = append(p.Manifest.Warnings, fmt.Sprintf("this run is not in the history: %v", err))
	}
	r.notes.Note(r.session.Remember(Analyst, "coverage_history", listed(r, p.Trend.Points)))
}
