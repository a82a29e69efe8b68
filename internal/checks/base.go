package checks

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/targets"
	"github.com/org/qa-action/internal/wording"
)

// side is base with what its test scripts check.
type side struct {
	tree   executor.Tree
	checks []framework.Check
	ahead  []framework.Check
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
			r.base.checks, r.base.ahead = found.Checks, found.Ahead
		}
	}
	return *r.base
}

// Less says what of base's checks head does not hold against the code any more; empty
// where it holds as much.
func (r *Runner) Less(ctx context.Context, now []framework.Check, outcomes []Outcome) (string, error) {
	fewer, err := r.fewer(ctx, now)
	if err != nil {
		return "", err
	}
	passing := slices.Clone(r.Ahead)
	for i, o := range outcomes {
		if o.State == passed {
			passing = append(passing, now[i])
		}
	}
	weakened, err := r.weakened(ctx, passing)
	return strings.Join(each.Where([]string{fewer, weakened}, func(s string) bool { return s != "" }), "; "), err
}

// fewer says which checks of base the change takes out of the test script, or has it not
// heed, and that do not pass on head though they do on base: a script without them is green
// over less. It is empty where none is, and where the change writes none of what says which
// checks there are.
func (r *Runner) fewer(ctx context.Context, now []framework.Check) (string, error) {
	if !r.Changed || r.Elsewhere {
		return "", nil
	}
	var all []string
	for _, c := range r.onBase(ctx).checks { // none where it could not be prepared, which is said of its test command
		if c.Why != "" || slices.ContainsFunc(now, func(n framework.Check) bool { return same(n, c) }) {
			continue
		}
		what, err := r.held(ctx, c, nil)
		if rules, _ := r.rules(ctx, c); what == "" && err == nil && len(rules) > 0 {
			what, err = r.held(ctx, c, rules)
		}
		if err != nil {
			return "", err
		}
		if what != "" {
			all = append(all, c.Text+" "+what)
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	return "the test script checks less than before; base's, on head: " + wording.Some(all, mostTold), nil
}

// mostTold bounds how many checks are named.
const mostTold = 5

// held says how one of base's checks ends on head, with some files as base has them, where
// it passes on base; empty where it passes, or base does not either.
func (r *Runner) held(ctx context.Context, c framework.Check, set []laid) (string, error) {
	r.lay = set
	head, err := r.each(ctx, r.Head, []framework.Check{c})
	r.lay = nil
	if err != nil || passes(head[0]) {
		return "", err
	}
	was, err := r.each(ctx, r.onBase(ctx).tree, []framework.Check{c})
	if err != nil {
		return "", err
	}
	return worse(head[0], was[0]), nil
}

// worse says how a check that does not pass on head ends there, where base passes or came
// to no end: what nobody saw fail on base is no old failure.
func worse(head, was executor.Run) string {
	switch {
	case passes(was) && failing(head):
		return "fails"
	case passes(was), unended(was):
		return "cannot be judged"
	}
	return ""
}
