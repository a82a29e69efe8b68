package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// runAll runs the cells that have no result yet, some at once. One that was
// stopped midway has none.
func (b *bench) runAll(ctx context.Context, cells []cell, kept *results) error {
	var g errgroup.Group
	g.SetLimit(b.parallel)
	left := slices.DeleteFunc(slices.Clone(cells), func(c cell) bool { _, done := kept.done[c.id()]; return done })
	for _, c := range left {
		g.Go(func() error {
			if ctx.Err() != nil {
				return nil
			}
			r := b.runCell(ctx, c)
			if ctx.Err() != nil {
				return nil
			}
			fmt.Fprintf(b.out, "%s: %s: %s\n", r.id(), r.found, r.said())
			return kept.keep(r.result())
		})
	}
	return g.Wait()
}

// runCell asks the oracle on both commits, then the product.
func (b *bench) runCell(ctx context.Context, c cell) row {
	r := row{cell: c}
	top := filepath.Join(b.work, strings.ReplaceAll(c.id(), "/", "."))
	if !b.keep {
		defer os.RemoveAll(top)
	}
	if err := b.fill(ctx, &r, top); err != nil {
		r.found, r.why = broken, short(err.Error())
	}
	return r
}

func (b *bench) fill(ctx context.Context, r *row, top string) error {
	s, err := b.lay(ctx, r.cell, top)
	if err != nil {
		return err
	}
	if r.base, err = s.bare(ctx, s.before()); err != nil {
		return err
	}
	if r.head, err = s.bare(ctx, "feature"); err != nil {
		return err
	}
	if b.check {
		if r.found = fine; !r.asDeclared() {
			r.found = broken
		}
		return nil
	}
	if err := s.present(ctx); err != nil {
		return err
	}
	if r.answer, err = b.ask(ctx, s); err != nil {
		return err
	}
	r.judge()
	if r.found == told && r.environment.Repair {
		return b.repair(ctx, s, r)
	}
	return nil
}

func (r *row) said() string {
	v := cmp.Or(string(r.answer.verdict()), "no verdict")
	text := fmt.Sprintf("bare %s, base %s; %s in %.1f s: %s", r.head, r.base, v, r.answer.Seconds, short(r.answer.reason()))
	if r.why != "" {
		text += " [" + r.why + "]"
	}
	return text
}

// conclude prints the totals, writes the page, and is an error when a verdict
// was wrong.
func (b *bench) conclude(rows []entry, all int, page string) error {
	t := count(rows)
	fmt.Fprint(b.out, t)
	if page != "" {
		if err := os.WriteFile(page, []byte(matrix(rows, t, all)), 0o644); err != nil {
			return fmt.Errorf("write the matrix: %w", err)
		}
	}
	var errs []error
	for _, f := range []finding{falseGreen, falseRed, badStep, broken} {
		if n := t.found[f]; n > 0 {
			errs = append(errs, fmt.Errorf("%d of %d cells: %s", n, len(rows), f))
		}
	}
	if n, of := t.share("prepared"); n*20 > of {
		errs = append(errs, fmt.Errorf("%d of %d prepared cells are INCONCLUSIVE without a true cause, expected less than 5 %%", n, of))
	}
	return errors.Join(errs...)
}
