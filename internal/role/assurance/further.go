package assurance

import (
	"context"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/source/mutant"
)

// Further mutants of a line, and of one candidate.
const (
	mostOfLine  = 4
	mostFurther = 8
)

// further are trials of a test that noticed none of the mutants of the change, on other
// ones of the lines that it alone runs. Of each line the change has one, and of a large
// change not of each line: that one may be no wrong version at all, and what notices
// another all the same is worth as much. The project's tests notice none of them, for they
// do not run there; what a test accepted before notices as well counts for nothing.
type further struct{ trial }

func (t further) try(ctx context.Context, on *tally) error {
	for i, m := range t.mutants() {
		if t.v.noticed || i == mostFurther {
			return nil
		}
		if err := t.mutant(ctx, m, on); err != nil {
			return err
		}
	}
	return nil
}

// mutants are those to try, the first choice of every line before the second ones. That
// something is returned is noticed by any test.
func (t further) mutants() []mutant.Mutant {
	type choice struct {
		mutant.Mutant
		rank int
	}
	var all []choice
	for _, f := range t.Change {
		lines := t.v.Lines[f.Path]
		src, err := t.Read(f.Path)
		if err != nil || len(lines) == 0 {
			continue
		}
		every, err := mutant.Every(f.Path, src, qa.Ranges(lines), mostOfLine)
		if err != nil {
			continue // it cannot be read, and has no mutants of the change either
		}
		rank := map[int]int{}
		for _, m := range every {
			all = append(all, choice{m, rank[m.Line]})
			rank[m.Line]++
		}
	}
	slices.SortStableFunc(all, func(a, b choice) int { return a.rank - b.rank })
	return each.Of(slices.DeleteFunc(all, func(c choice) bool {
		return c.Operator == mutant.ReturnValue || slices.ContainsFunc(t.Mutants, func(o mutant.Mutant) bool { return o.ID == c.ID })
	}), func(c choice) mutant.Mutant { return c.Mutant })
}

// mutant tries one. What lives, or only crashes, says nothing against the
// test that the mutants of the change have not said.
func (t further) mutant(ctx context.Context, m mutant.Mutant, on *tally) error {
	if standing, err := t.standing(m.Path); err != nil {
		return nil
	} else if original, err := t.Read(m.Path); err != nil || !fits(m, original, standing) {
		return nil
	}
	o, settled, err := t.noticed(ctx, m)
	if err != nil || !settled || !o.status.Bad() || !tells(m, o) {
		return err
	}
	if known, err := t.known(ctx, m); err != nil || known {
		return err
	}
	on.add(m, true)
	t.v.heard(m, o)
	return nil
}

// known reports that a test accepted before notices a mutant, too.
func (t further) known(ctx context.Context, m mutant.Mutant) (known bool, err error) {
	if len(t.accepted) == 0 {
		return false, nil
	}
	err = t.Try(ctx, m, func() error {
		run, err := t.once(ctx, t.Head, selection(t.v, t.accepted), func(o *executor.Options) { o.Timeout = allowance(t.head.seconds) })
		known = ended(run) || slices.ContainsFunc(run.Suite.Cases, func(k qa.Case) bool { return k.Status.Bad() })
		return err
	})
	return known, err
}
