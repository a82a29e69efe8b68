package checks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// laid is a file as the copy of head is to have it; without a text it is taken out.
type laid struct {
	name string
	text []byte
}

// weakened says which checks that pass on head do not pass there by what base has them run
// by: the program of the project that they start, what that loads, and what configures a
// program that everybody knows. It is empty where none is, and where the change writes
// nothing of it.
func (r *Runner) weakened(ctx context.Context, passing []framework.Check) (string, error) {
	if r.Change.Base == "" || r.Elsewhere {
		return "", nil
	}
	var files, all []string
	for _, c := range passing {
		rules, loaded := r.rules(ctx, c)
		var tries [][]laid
		if len(rules) > 0 {
			tries = append(tries, rules)
		}
		if len(loaded) > 0 { // apart, for what is loaded may be what is looked at
			tries = append(tries, append(slices.Clip(rules), loaded...))
		}
		for _, set := range tries {
			what, err := r.by(ctx, c, set)
			if err != nil {
				return "", err
			}
			if what != "" {
				all = append(all, c.Text+" "+what)
				files = append(files, each.Of(set, func(l laid) string { return l.name })...)
				break
			}
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	slices.Sort(files)
	return fmt.Sprintf("what checks of the test script run by changes (%s); with base's, on head: %s", wording.Some(slices.Compact(files), 3), wording.Some(all, mostTold)), nil
}

// by says how a check ends on head with files of base, where base has that check and it
// passes there.
func (r *Runner) by(ctx context.Context, c framework.Check, set []laid) (string, error) {
	switch base := r.onBase(ctx); {
	case base.err != nil:
		return "cannot be judged, as base could not be prepared", nil
	case !slices.ContainsFunc(slices.Concat(base.checks, base.ahead), func(b framework.Check) bool { return same(b, c) }):
		return "", nil
	}
	return r.held(ctx, c, set)
}

// lays puts files into the copy of head, as base has them.
func (r *Runner) lays() error {
	for _, l := range r.lay {
		var err error
		if l.text == nil {
			err = r.Head.Remove(l.name)
		} else {
			err = r.Head.Write(l.name, l.text)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// rules are the changed files that a check runs by, as base has them, and those that these
// load. A program that base has not says what it says.
func (r *Runner) rules(ctx context.Context, c framework.Check) (rules, loaded []laid) {
	basis := c.Basis()
	from := loading{changed: map[string]qa.FileChange{}, dir: c.Run.Dir, checkout: r.Checkout}
	for _, f := range r.Change.Files {
		if f.Submodule || f.Binary || framework.Aside(f.Path) {
			continue
		}
		started := slices.ContainsFunc(basis.Files, func(name string) bool { return names(name, f.Path) })
		known, also := basis.Known(f.Path), basis.Known(f.BasePath())
		if !started && !known && !also {
			from.changed[f.Path] = f
			continue
		}
		now, was := r.both(ctx, f)
		switch moved := f.Path != f.BasePath(); {
		case started:
			if was != nil && !moved {
				rules = append(rules, laid{f.Path, was})
			}
		case moved:
			if known {
				rules, from.names = append(rules, laid{name: f.Path}), append(from.names, f.Path)
			}
			if also {
				rules = append(rules, laid{f.BasePath(), was})
			}
		default:
			if from.names = append(from.names, f.Path); !bytes.Equal(basis.Rules(f.Path, now), basis.Rules(f.Path, was)) {
				rules = append(rules, laid{f.Path, basis.WithRules(f.Path, now, was)})
			}
		}
	}
	for _, f := range from.all(basis.Files) {
		if _, was := r.both(ctx, f); was != nil && f.Path == f.BasePath() {
			loaded = append(loaded, laid{f.Path, was})
		}
	}
	return rules, loaded
}

// both is the text of a file on head and on base, nil where it is not there.
func (r *Runner) both(ctx context.Context, f qa.FileChange) (now, was []byte) {
	if f.Status != qa.Deleted {
		now = r.Text(f.Path)
	}
	if f.Status != qa.Added && f.Status != qa.Copied { // a copy has no base of its own
		was = r.Before(ctx, f)
	}
	return now, was
}
