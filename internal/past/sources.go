package past

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
)

// carriedBack is how many commits are asked for what their check run carries:
// each costs a request.
const carriedBack = 10

// sources are the places where the baseline of an earlier run may be, best first;
// running base now is what is left when none has one.
func (r *Reader) sources(book history.Book, bookErr error) []history.Source {
	var out []history.Source
	add := func(there bool, name string, silent bool, find func(context.Context) (*history.Baseline, error)) {
		if there {
			out = append(out, history.Source{Name: name, Find: find, Silent: silent})
		}
	}
	base := len(r.Ancestors) > 0
	add(base && r.Carried != nil, "check-run", true, r.ownBase)
	add(base && r.Store != nil && bookErr == nil, r.Name, true, func(context.Context) (*history.Baseline, error) {
		return book.Base(r.Ancestors[0], r.Scope), nil
	})
	add(base && r.Carried != nil && r.Before != "", "check-run", true, r.lastBase)
	add(r.Carried != nil, "check-run", false, r.carriedBaseline)
	add(r.Store != nil || bookErr != nil, r.Name, false, func(context.Context) (*history.Baseline, error) {
		return book.Baseline(r.Ancestors, r.Scope), bookErr
	})
	return out
}

// ownBase is what the check run of base itself carries, if that is all there is to know.
func (r *Reader) ownBase(ctx context.Context) (*history.Baseline, error) {
	d, err := r.carried(ctx, r.Ancestors[0])
	if b := d.Baseline; err != nil || b == nil || b.SHA != r.Ancestors[0] || b.Scope != r.Scope || b.Cut {
		return nil, nil //nolint:nilerr // the same is asked again below, and the error told
	}
	return d.Baseline, nil
}

// lastBase is what the last push knew of base, if that was the same commit.
func (r *Reader) lastBase(ctx context.Context) (*history.Baseline, error) {
	d, err := r.carried(ctx, r.Before)
	if err != nil || d.Base == nil || d.Base.SHA != r.Ancestors[0] || d.Base.Scope != r.Scope {
		return nil, err
	}
	return d.Base, nil
}

// carriedBaseline looks at the check runs of the merge base and of the commits
// before it.
func (r *Reader) carriedBaseline(ctx context.Context) (*history.Baseline, error) {
	for _, sha := range r.Ancestors[:min(len(r.Ancestors), carriedBack)] {
		d, err := r.carried(ctx, sha)
		if err != nil {
			return nil, err
		}
		if b := d.Baseline; b != nil && b.SHA == sha && b.Scope == r.Scope {
			return b, nil
		}
	}
	return nil, nil
}

// carried is the digest that a commit's check run carries; an empty one where
// there is none. One that cannot be read is an error only the list of sources shows.
func (r *Reader) carried(ctx context.Context, sha string) (history.Digest, error) {
	text, asked := r.asked[sha]
	if !asked {
		if r.deaf != nil {
			return history.Digest{}, r.deaf
		}
		var err error
		if text, err = r.Carried(ctx, sha); err != nil {
			r.deaf = err // whoever waited once for nothing does not wait again
			return history.Digest{}, err
		}
		if r.asked == nil {
			r.asked = map[string]string{}
		}
		r.asked[sha] = text
	}
	if text == "" {
		return history.Digest{}, nil
	}
	d, err := history.Unpack(text)
	if err != nil {
		return d, fmt.Errorf("commit %.7s: %w", sha, err)
	}
	return d, nil
}

// lastLedger is the ledger after the last push: that of the store, or the one
// that the last push's check run carries.
func (r *Reader) lastLedger(ctx context.Context, book history.Book) (history.Ledger, error) {
	kept := book.Ledgers[r.Ref]
	if kept.Head != "" || r.Before == "" || r.Carried == nil {
		return kept, nil
	}
	d, err := r.carried(ctx, r.Before)
	if err != nil {
		return kept, fmt.Errorf("what changed since the last push is not known: %w", err)
	}
	if d.Ledger == nil || d.Ref != r.Ref || d.Ledger.Head != r.Before {
		return kept, nil
	}
	return *d.Ledger, nil
}

// Knows is what an earlier run knows of exactly the base commit.
func (m Memory) Knows(base string) *history.Baseline {
	if b := m.Baseline; b != nil && b.SHA != "" && b.SHA == base {
		return b
	}
	return nil
}

// StandsFor reports whether an earlier run of exactly the base commit knows all
// that running a target's tests on base would tell; then they need not run. key says
// what that follows from beside the commit; measured that coverage belongs to it.
func (m Memory) StandsFor(target, base, key string, measured bool) (history.Suite, bool) {
	b := m.Knows(base)
	if b == nil || b.Cut || b.Lines == nil && measured {
		return history.Suite{}, false
	}
	s, ok := b.Suites[target]
	return s, ok && s.Key == key
}

// Counts are how many lines of each file an earlier run of base ran, where that run stands for
// base in all of some suites; nil when it does not, or did not measure.
func (m Memory) Counts(base string, runs []executor.Baseline) *qa.Coverage {
	b := m.Knows(base)
	if b == nil || b.Lines == nil || slices.ContainsFunc(runs, func(run executor.Baseline) bool { return !run.Remembered }) {
		return nil
	}
	out := &qa.Coverage{Lines: b.Lines}
	for _, file := range slices.Sorted(maps.Keys(b.Files)) {
		n := b.Files[file]
		out.Files = append(out.Files, qa.FileCoverage{Path: file, LineCount: &n})
	}
	return out
}

// CompareWith compares a target's tests with those of an earlier run of base. It
// reports whether that could stand for a run of base.
func CompareWith(b *executor.Baseline, base history.Suite) bool {
	if b.Base != nil && b.Base.Coverage != nil || len(b.Head.Suite.Problems) > 0 {
		return false // base ran in full after all, or head cannot be compared
	}
	b.BaseReason = ""
	// The names of remembered tests are whole ids.
	head := each.Of(b.Head.Suite.Cases, func(c qa.Case) qa.Case { return qa.Case{Name: c.ID(), Status: c.Status} })
	quality.Compare(&b.Tests, qa.Suite{Cases: base.Cases()}, qa.Suite{Cases: head})
	return true
}
