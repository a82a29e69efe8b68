package past

import (
	"context"

	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
)

// Leave is what a run hands on.
type Leave struct {
	Report *qa.Report
	// ID names the run among all.
	ID string
	// Baseline is what this run is as base of later ones, nil when no test ran.
	Baseline *history.Baseline
	// Base is what it knows of its base, nil when that is not whole.
	Base   *history.Baseline
	Ledger history.Ledger
}

// Ledger is the list of findings after this run, with the tests that prove what of
// them is to be mended.
func (r *Reader) Ledger(m Memory, p *qa.Report, proofs []history.Evidence) history.Ledger {
	ledger, _, _ := m.Ledger.Advance(r.push(p))
	if !r.Default {
		ledger.Evidence = append(proofs, m.untried(p)...)
	}
	return ledger
}

// Carry is what a run leaves in its check run, empty for one that no later run may
// build on.
func (r *Reader) Carry(l Leave) (string, error) {
	if r.Room == 0 || l.Report.Partial || l.Report.Change.Dirty {
		return "", nil
	}
	d := history.Digest{Baseline: l.Baseline, Base: l.Base}
	if r.Ref != "" {
		d.Ref, d.Ledger = r.Ref, &l.Ledger
	}
	return d.Pack(r.Room)
}

// Unfit says why a run is not recorded, empty when it is. A run that was cut short
// or that looked at uncommitted edits teaches nothing: what it says belongs to no
// commit.
func (r *Reader) Unfit(m Memory, p *qa.Report) string {
	switch {
	case r.Store == nil && r.Why == "":
		return "not kept"
	case r.Store == nil:
		return r.Why
	case m.Problem != "":
		return "not recorded, because what is there cannot be read"
	case r.ReadOnly != "":
		return "not recorded: " + r.ReadOnly
	case p.Change.Dirty:
		return "not recorded: there are uncommitted edits"
	case p.Partial:
		return "not recorded: the run is not complete"
	}
	return ""
}

// RecordBase enters what a run measured on its base, although the run itself says
// nothing about a commit: the edits that nobody committed are not on base.
func (r *Reader) RecordBase(ctx context.Context, m Memory, l Leave) error {
	if !l.Report.Change.Dirty || l.Report.Partial || r.Store == nil || m.Problem != "" || r.ReadOnly != "" || l.Base == nil || l.Base == m.Baseline {
		return nil
	}
	_, err := history.Add(ctx, r.Store, history.Run{Base: l.Base})
	return err
}

// Record enters a run that is fit into the history.
func (r *Reader) Record(ctx context.Context, l Leave) error {
	p := l.Report
	_, err := history.Add(ctx, r.Store, history.Run{
		ID: l.ID, SHA: p.Change.Head, Ref: r.Ref, Date: r.Started, Default: r.Default,
		Point: point(p), Patterns: p.Patterns, Cases: p.Tests.Cases, Ledger: l.Ledger, Baseline: l.Baseline, Base: l.Base,
	})
	return err
}

// Score puts the score into the last point of the trend, and gives the coverage of
// the run in percent, nil when it is unknown.
func Score(p *qa.Report) (percent *float64) {
	if n := len(p.Trend.Points); n > 0 {
		p.Trend.Points[n-1].Score = p.Score.Value
	}
	if now := point(p); now.Coverage != nil {
		v := 100 * *now.Coverage
		percent = &v
	}
	return percent
}
