package checks

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/targets"
)

// side is base with what its test scripts check.
type side struct {
	tree   executor.Tree
	checks []framework.Check
	err    error
}

// onBase is base, and what its test scripts check.
func (r *Runner) onBase(ctx context.Context) side {
	if r.base == nil {
		r.base = &side{}
		sides := r.Copies.Sides(r.Head)
		if sides.Base == nil {
			r.base.err = errors.New("there is no base commit")
			return *r.base
		}
		if r.base.tree, r.base.err = sides.Base(ctx); r.base.err == nil {
			var found targets.Found
			found, r.base.err = targets.Find(targets.Machine(ctx, r.Head), r.base.tree.Dir(), r.Config)
			r.base.checks = found.Checks
		}
	}
	return *r.base
}

// Less says what of base's checks head does not hold against the code any more; empty
// where it holds as much.
func (r *Runner) Less(ctx context.Context, now []framework.Check, outcomes []Outcome) (string, error) {
	fewer, err := r.fewer(ctx, now)
	if err != nil {
		return fewer, err
	}
	weakened, err := r.weakened(ctx, now, outcomes)
	return strings.Trim(fewer+"; "+weakened, "; "), err
}

// fewer says which checks of base the change takes out of the test script, or has it not
// heed, and that do not pass on head though they do on base: a script without them is green
// over less. It is empty where none is, and where the change writes none of what says which
// checks there are.
func (r *Runner) fewer(ctx context.Context, now []framework.Check) (string, error) {
	if !r.Changed || r.Elsewhere {
		return "", nil
	}
	base := r.onBase(ctx)
	if base.err != nil {
		return "", nil // that base cannot be compared is said of its test command
	}
	var all []string
	for _, c := range base.checks {
		if c.Why != "" || slices.ContainsFunc(now, func(n framework.Check) bool { return same(n, c) }) {
			continue
		}
		head, err := r.each(ctx, r.Head, []framework.Check{c})
		if err != nil || passes(head[0]) {
			if err != nil {
				return "", err
			}
			continue
		}
		was, err := r.each(ctx, base.tree, []framework.Check{c})
		switch {
		case err != nil:
			return "", err
		case passes(was[0]) && failing(head[0]):
			all = append(all, c.Text+" fails")
		case passes(was[0]):
			all = append(all, c.Text+" cannot be judged")
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	return "the test script checks less than before; base's, on head: " + strings.Join(all, "; "), nil
}
