package baseline

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/baseline/laid"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/targets"
)

// second is a run of head in which some files are as base has them.
type second struct {
	comparison
	as      string // of its runs
	files   []laid.File
	product []string // the changed sources, but for those
}

func (c comparison) second(as string, files []laid.File) second {
	own := each.Set(laid.Names(files))
	product := each.Of(c.Change.Of(qa.KindSource), func(f qa.FileChange) string { return f.Path })
	return second{c, as, files, each.Where(product, func(name string) bool { return !own[name] })}
}

// misfit tells failures of tests that some files have when they do not fit the product.
func (s second) misfit(of []qa.FileChange) func(qa.Case) bool {
	return executor.Misfit(each.Of(of, qa.FileChange.BasePath), s.product)
}

func (s second) changes() []qa.FileChange {
	return each.Of(s.files, func(f laid.File) qa.FileChange { return f.FileChange })
}

func (s second) lay() (err error) {
	for _, f := range s.files {
		err = errors.Join(err, f.Lay(s.ws))
	}
	return err
}

// targets are those of head as base configures them, with base's commands in the place of
// its own.
func (s second) targets(ctx context.Context, commands []executor.Target) ([]executor.Target, error) {
	defer s.Copies.Restore(ctx)
	if err := s.lay(); err != nil {
		return nil, fmt.Errorf("lay back what base has: %w", err)
	}
	found, err := targets.In(ctx, s.ws, s.Config)
	if err != nil {
		found.Targets = s.b.Targets // that is said by another look
	}
	old := each.By(commands, func(t executor.Target) string { return t.Name })
	return each.Of(found.Targets, func(t executor.Target) executor.Target {
		if was, ok := old[t.Name]; ok {
			return was
		}
		return t
	}), ctx.Err()
}

// unlike says what the suites of head show with base's text of some files that their own runs
// do not.
func (s second) unlike(ctx context.Context) (said []string, err error) {
	defer s.Copies.Restore(ctx)
	err = s.lay()
	was, in := targets.In(ctx, s.ws, s.Config)
	if err = errors.Join(err, in); err != nil {
		return []string{"not compared: " + err.Error()}, nil
	}
	for i, t := range was.Targets {
		run, err := s.once(ctx, t, s.as, i)
		if err != nil {
			return nil, fmt.Errorf("run the tests of %s with base's configuration: %w", t.Name, err)
		}
		if run == nil {
			return append(said, framework.CommandLine(t.Framework)+" was not run: no time was left"), nil
		}
		fails, also := executor.Unlike(s.b.Runs, t, *run, s.Touches)
		if each.Count(s.files, func(f laid.File) bool { return f.Named }) > 0 {
			fails = each.Where(fails, func(k qa.Case) bool { return !executor.WasBad(s.b.Runs, k) })
			if fails, err = s.held(ctx, t, i, fails); err != nil {
				return nil, err
			}
		}
		if len(fails) > 0 {
			also = append([]string{"fails: " + some(each.Of(fails, qa.Case.ID))}, also...)
		}
		if len(also) > 0 {
			said = append(said, framework.CommandLine(t.Framework)+" "+strings.Join(also, " and "))
		}
	}
	return said, nil
}

// say looks whether the change makes tests pass by the files. Tests that cannot be built with
// base's, and a crash in one of them, say that base's does not fit the product as it is, and
// nothing of the tests.
func (s second) say(ctx context.Context, what string, all []executor.Target) error {
	defer s.Copies.Restore(ctx)
	say := func(said string) {
		s.b.Command = also(s.b.Command, what+" ("+some(laid.Names(s.files))+"); with base's, on head: "+said)
	}
	if err := s.lay(); err != nil {
		say("not compared: " + err.Error())
		return nil
	}
	for i, t := range all {
		run, err := s.once(ctx, t, s.as, i)
		if err != nil {
			return fmt.Errorf("run the tests of %s with base's helpers: %w", t.Name, err)
		}
		command := framework.CommandLine(t.Framework)
		if run == nil {
			say(command + " was not run: no time was left")
			continue
		}
		if run.TimedOut || run.Killed {
			say(command + " cannot be judged: " + run.Inconclusive)
			continue
		}
		fails, err := s.held(ctx, t, i, executor.Bent(s.b.Runs, *run, s.Touches, s.misfit(s.changes())))
		if err != nil {
			return err
		}
		if len(fails) > 0 {
			say(command + " fails: " + some(each.Of(fails, qa.Case.ID)))
		}
	}
	return nil
}

// held are those of some failing tests that say something of the change. A test of a file
// that it leaves alone does. Where all are of files that it wrote, they may need what it wrote
// beside them, and are tried as base has these files: what passes then says nothing, nor does
// what base has not.
func (s second) held(ctx context.Context, t executor.Target, i int, fails []qa.Case) ([]qa.Case, error) {
	in := each.Set(each.Of(fails, func(k qa.Case) string { return k.File }))
	own := each.Where(s.Change.Files, func(f qa.FileChange) bool { return in[f.Path] || in[f.BasePath()] })
	if each.Count(fails, func(k qa.Case) bool { return !s.Touches(k.File) }) > 0 || len(own) == 0 {
		return fails, nil
	}
	added := each.Set(each.Of(each.Where(own, func(f qa.FileChange) bool { return f.Status == qa.Added || f.Status == qa.Copied }), qa.FileChange.BasePath))
	own = each.Where(own, func(f qa.FileChange) bool { return !added[f.Path] })
	for _, f := range own {
		if err := (laid.File{FileChange: f, Text: s.Before(ctx, f)}).Lay(s.ws); err != nil {
			return fails, nil //nolint:nilerr // so they are not excused
		}
	}
	defer func() { s.Copies.Restore(ctx); _ = s.lay() }() // as it was laid before
	run, err := s.once(ctx, t, s.as+"-tests", i, each.Of(own, func(f qa.FileChange) adapter.Selected { return adapter.Selected{File: f.BasePath()} })...)
	if err != nil || run == nil || run.TimedOut || run.Killed {
		return fails, err
	}
	now, misfit := each.By(run.Suite.Cases, qa.Case.ID), s.misfit(append(s.changes(), own...))
	ran := each.Set(each.Of(run.Suite.Cases, func(k qa.Case) string { return k.File }))
	return each.Where(fails, func(k qa.Case) bool {
		if as, ok := now[k.ID()]; ok {
			return as.Status != qa.Passed && !misfit(as)
		}
		return executor.Known(s.b.Runs) || !added[k.File] && !ran[k.File] // else base has no such test
	}), nil
}

// testsTaken looks whether the change took tests away that fail on head as base has them.
func (s second) testsTaken(ctx context.Context, all []executor.Target) error {
	defer s.Copies.Restore(ctx)
	if err := s.lay(); err != nil {
		return fmt.Errorf("lay back what base has: %w", err)
	}
	for i, ran := range s.b.Runs {
		base, _ := s.Past.StandsFor(ran.Target.Name, s.Change.Base, ran.Key, ran.Target.Framework.Coverage)
		gone := executor.TakenBy(s.Change, ran, base.Passed)
		t, ok := each.First(all, func(t executor.Target) bool { return t.Name == ran.Target.Name })
		for _, f := range gone.Files {
			if err := (laid.File{FileChange: f, Text: s.Before(ctx, f)}).Lay(s.ws); err != nil {
				return fmt.Errorf("lay back tests that the change took away: %w", err)
			}
		}
		if len(gone.Files) == 0 || !ok {
			continue
		}
		run, err := s.once(ctx, t, s.as, i, gone.Selected()...)
		if err != nil {
			return fmt.Errorf("run tests of %s that the change took away: %w", t.Name, err)
		}
		with := ""
		if len(s.files) > 0 {
			with = ", and these too (" + some(laid.Names(s.files)) + ")"
		}
		if run == nil || run.TimedOut || run.Killed {
			s.b.Command = also(s.b.Command, "whether tests that the change took away fail on head as base has them"+with+" is not known: they did not end, or no time was left")
		} else if fails := each.Where(gone.Fail(*run), func(k qa.Case) bool { return !s.misfit(s.changes())(k) }); len(fails) > 0 {
			s.b.Command = also(s.b.Command, "tests that the change took away fail on head as base has them"+with+": "+some(each.Of(fails, qa.Case.ID)))
		}
	}
	return nil
}
