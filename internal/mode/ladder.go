package mode

import (
	"context"
	"fmt"

	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
)

// carriedBack is how many commits are asked for what their check run carries:
// each costs a request.
const carriedBack = 10

// rungs are the places where the baseline of an earlier run may be, best first;
// running base now is what is left when none has one.
func (r *run) rungs(book history.Book, bookErr error) []history.Rung {
	var out []history.Rung
	if r.Past.Carried != nil {
		out = append(out, history.Rung{Name: "check-run", Find: r.carriedBaseline})
	}
	if r.Past.Store != nil || bookErr != nil {
		out = append(out, history.Rung{Name: r.Past.Rung, Find: func(context.Context) (*history.Baseline, error) {
			return book.Baseline(r.Past.Ancestors, r.scope()), bookErr
		}})
	}
	return out
}

// scope tells baselines of parts of a repository apart.
func (r *run) scope() string {
	if r.Config.WorkingDirectory == "." {
		return ""
	}
	return r.Config.WorkingDirectory
}

// carriedBaseline looks at the check runs of the merge base and of the commits
// before it.
func (r *run) carriedBaseline(ctx context.Context) (*history.Baseline, error) {
	for _, sha := range r.Past.Ancestors[:min(len(r.Past.Ancestors), carriedBack)] {
		d, err := r.carried(ctx, sha)
		if err != nil {
			return nil, err
		}
		if b := d.Baseline; b != nil && b.SHA == sha && b.Scope == r.scope() {
			return b, nil
		}
	}
	return nil, nil
}

// carried is the digest that a commit's check run carries; an empty one where
// there is none. One that cannot be read is an error only the ladder shows.
func (r *run) carried(ctx context.Context, sha string) (history.Digest, error) {
	text, err := r.Past.Carried(ctx, sha)
	if err != nil || text == "" {
		return history.Digest{}, err
	}
	d, err := history.Unpack(text)
	if err != nil {
		return d, fmt.Errorf("commit %.7s: %w", sha, err)
	}
	return d, nil
}

// lastLedger is the ledger after the last push: that of the store, or the one
// that the last push's check run carries.
func (r *run) lastLedger(ctx context.Context, book history.Book) history.Ledger {
	kept := book.Ledger(r.Past.Ref)
	if kept.Head != "" || r.Past.Before == "" || r.Past.Carried == nil {
		return kept
	}
	d, err := r.carried(ctx, r.Past.Before)
	if err != nil {
		r.warn("what changed since the last push is not known: %v", err)
		return kept
	}
	if d.Ledger == nil || d.Ref != r.Past.Ref || d.Ledger.Head != r.Past.Before {
		return kept
	}
	return *d.Ledger
}

// standsFor reports whether an earlier run of exactly the base commit knows all
// that running a target's tests on base would tell; then they need not run.
func (p recollection) standsFor(target, base string) (history.Suite, bool) {
	b := p.Baseline
	if b == nil || b.SHA == "" || b.SHA != base || b.Cut || b.Lines == nil {
		return history.Suite{}, false
	}
	s, ok := b.Suites[target]
	return s, ok
}

// compareRemembered compares a target's tests with those of an earlier run of
// base.
func compareRemembered(b *executor.Baseline, base history.Suite) {
	if b.Base != nil && b.Base.Coverage != nil || len(b.Head.Suite.Problems) > 0 {
		return // base ran in full after all, or head cannot be compared
	}
	b.BaseReason = ""
	// The names of remembered tests are whole ids.
	head := qa.Suite{}
	for _, c := range b.Head.Suite.Cases {
		head.Cases = append(head.Cases, qa.Case{Name: c.ID(), Status: c.Status})
	}
	quality.Compare(&b.Tests, qa.Suite{Cases: base.Cases()}, head)
}

// remembered reports whether every target was compared with the earlier run of
// base.
func (r *run) remembered() bool {
	for _, b := range r.base.runs {
		if _, ok := r.past.standsFor(b.Target.Name, r.Change.Base); !ok || b.Base != nil && b.Base.Coverage != nil {
			return false
		}
	}
	return len(r.base.runs) > 0
}

// digest is the baseline that this run is for later ones, nil when no test ran.
func (r *run) digest(p *qa.Report) *history.Baseline {
	if p.Tests.Head.Executed() == 0 {
		return nil
	}
	b := history.BaselineOf(*p)
	b.Scope = r.scope()
	b.Opened, b.Whole = r.base.opened()
	b.Suites = map[string]history.Suite{}
	for _, row := range r.base.rows {
		if row.State != "ran" {
			b.Suites, b.Cut = nil, true
		}
	}
	for _, run := range r.base.runs {
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

// carryOn is what this run leaves in its check run.
func (r *run) carryOn(p *qa.Report, ledger history.Ledger) string {
	if r.Past.Room == 0 || p.Partial || p.Change.Dirty {
		return ""
	}
	d := history.Digest{Baseline: r.digest(p)}
	if r.Past.Ref != "" {
		d.Ref, d.Ledger = r.Past.Ref, &ledger
	}
	text, err := d.Pack(r.Past.Room)
	r.note(err)
	return text
}
