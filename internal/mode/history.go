package mode

import (
	"context"
	"fmt"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/past"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/record"
	"github.com/org/qa-action/internal/shard"
	"github.com/org/qa-action/internal/task"
	"github.com/org/qa-action/internal/trials"
)

// recall reads the history before anything runs. A history that is missing or
// cannot be read never fails the run: it is a warning, and nothing is recorded
// over it. A resumed run compares with what the first one knew, also when others
// were recorded in between.
func (r *run) recall(ctx context.Context) {
	if !r.session.Kept(past.KeptAs, r.session.ID(), &r.past) {
		var warning error
		r.past, warning = r.reader().Recall(ctx, r.Config.Quarantine, r.Now())
		r.notes.Note(warning)
		r.notes.Note(r.session.Keep(past.KeptAs, r.session.ID(), r.past))
	}
	if p := r.past.Problem; p != "" {
		r.notes.Warn("%s", p)
	}
}

// scope tells baselines of parts of a repository apart.
func scope(c *config.Config) string {
	if c.WorkingDirectory == "." {
		return ""
	}
	return c.WorkingDirectory
}

// enter records a finished run, and writes its badge. It gives what the run's
// check run is to carry.
func (r *run) enter(ctx context.Context, p *qa.Report) (carry string) {
	if err := r.session.WriteFile("badge.svg", history.Badge("coverage", past.Score(p))); err != nil {
		p.Manifest.Warnings = append(p.Manifest.Warnings, err.Error())
	}
	b := r.base.Join()
	r.notes.Note(shard.Keep(r.session, *r.Config, b))
	reader := r.reader()
	// The id of a session comes again in another workspace, its time does not.
	leave := past.Leave{Report: p, ID: p.Session + " " + r.session.Meta().Created, Baseline: b.ForLater(p, scope(r.Config)),
		Base: b.Base(p.Change.Base, scope(r.Config), r.past.Knows(p.Change.Base)), Ledger: reader.Ledger(r.past, p, trials.Unmended(r.state.Kept.Proofs, p.Findings, p.Change.Head, b))}
	carry, err := reader.Carry(leave)
	r.notes.Note(err)
	if why := reader.Unfit(r.past, p); why != "" {
		p.Manifest.Skipped["history"] = why
		r.notes.Note(reader.RecordBase(ctx, r.past, leave))
		return carry
	}
	leave.Ledger = record.Listed(r.notes, leave.Ledger)
	if err := reader.Record(ctx, leave); err != nil {
		p.Manifest.Warnings = append(p.Manifest.Warnings, fmt.Sprintf("this run is not in the history: %v", err))
	}
	r.notes.Note(r.session.Memory.Remember(task.Analyst, "coverage_history", record.Listed(r.notes, p.Trend.Points)))
	return carry
}
