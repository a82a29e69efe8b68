package trials

import (
	"context"
	"slices"
	"time"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/source/weakening"
)

// This file tries tests of which the text does not tell whether they assert less.

// notices is the rule of tests that a mutant shows and nothing else.
const notices = "notices-less"

// enough is how many mutants a test has to notice as it did on base for it to be left.
const enough = 3

// Rewritten is a test that the change wrote anew, with the mutant that it noticed on base
// and nothing of the change's tests does any more, or with its own failure on head as it was.
type Rewritten struct {
	qa.Weakening
	Weak
}

// Rewritten finds them among the tests that the change touched and of which their text
// says nothing. Without mutants only those are run as they were that say less than they did.
// It leaves the copy as it was.
func (r Runner) Rewritten(ctx context.Context, b *baseline.Baseline, mutants bool) ([]Rewritten, error) {
	tests, product := r.revisions(ctx)
	doubts := each.Where(weakening.Doubtful(tests, product), func(w qa.Weakening) bool { return mutants || w.Less })
	if len(doubts) == 0 || len(b.Runs) == 0 {
		return nil, nil
	}
	ws, err := r.Copies.Open(ctx)
	if err != nil { // whoever measured the baseline has said why
		return nil, nil //nolint:nilerr // see above
	}
	defer r.Copies.Restore(ctx)
	deadline := r.Now().Add(min(r.Config.Timeout/8, longest(b)))
	r.bends = baseline.Bends(ctx, b, r.Checkout, ws)
	var out []Rewritten
	for i, w := range doubts {
		if i >= mostWeak || r.Config.Timeout > 0 && r.Now().After(deadline) {
			r.Notes.Cut("whether tests that were rewritten notice what they did, beyond the first %d", i)
			break
		}
		file, _ := each.First(tests, func(f qa.Revision) bool { return f.Path == w.Path })
		t, ok := r.revive(w, file.Before, file.After, b)
		if !ok || !t.passes() {
			continue
		}
		t.ws, t.deadline, t.plain = ws, deadline, !mutants
		for _, f := range tests {
			if target, ok := b.Of(f.Path); ok && target.Name == t.run.Target.Name && f.Path != w.Path && f.After != nil {
				t.others = append(t.others, f.Path)
			}
		}
		shown, err := t.try(ctx)
		if err != nil {
			return out, err
		}
		if shown.Proof != nil {
			out = append(out, Rewritten{w, shown})
		}
	}
	return out, nil
}

// longest is what looking may take: as much as the tests of head, and half a minute where
// those are quick.
func longest(b *baseline.Baseline) time.Duration {
	seconds := 30.0
	for _, run := range b.Runs {
		seconds = max(seconds, run.Head.Seconds)
	}
	return time.Duration(seconds * float64(time.Second))
}

// passes reports that the test as it is now passes on head: where it does not, others say so.
func (t revived) passes() bool {
	return slices.ContainsFunc(t.run.Tests.Cases, func(k qa.Case) bool {
		return assurance.Matches(k, t.Path, assurance.Names(t.Path, t.now, t.Test)...) && k.Status == qa.Passed
	})
}

// revisions are both versions of the files of the change that its tests are about.
func (r Runner) revisions(ctx context.Context) (tests, product []qa.Revision) {
	for _, f := range r.Change.Files {
		inline := f.Kind == qa.KindSource && language.Of(f.Path).HasInline(f.Path)
		if f.Binary || f.Submodule || f.Generated || f.Kind != qa.KindTest && f.Kind != qa.KindSource {
			continue
		}
		rev := qa.Revision{Path: f.Path, OldPath: f.OldPath, Before: r.Before(ctx, f)}
		if now, err := r.Read(f.Path); err == nil {
			rev.After = now
		}
		if f.Kind == qa.KindTest || inline {
			tests = append(tests, rev)
		}
		if f.Kind == qa.KindSource {
			product = append(product, rev)
		}
	}
	return tests, product
}
