package baseline

import (
	"context"
	"fmt"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/impact"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// helperChanged looks whether the change makes tests pass by what they have in common, as a
// file with their checks, or rows of data that it takes away. The suite is run on head once
// more with base's. Tests that cannot be built then, and a crash in the helper itself, say
// that base's does not fit the product as it is, and nothing of the tests.
func (c comparison) helperChanged(ctx context.Context) error {
	helpers := c.helpers(ctx)
	if len(helpers) == 0 || len(c.b.Runs) == 0 {
		return nil
	}
	names := each.Of(helpers, func(f steered) string { return f.file.Path })
	say := func(what string) {
		c.b.Command = also(c.b.Command, "what tests have in common changes ("+some(names)+"); with base's, on head: "+what)
	}
	defer c.Copies.Restore(ctx)
	for _, f := range helpers {
		if err := f.lay(c.ws); err != nil {
			say("not compared: " + err.Error())
			return nil
		}
	}
	misfit := executor.Misfit(names, each.Of(c.Change.Of(qa.KindSource), func(f qa.FileChange) string { return f.Path }))
	for i, t := range c.b.Targets {
		run, err := c.once(ctx, t, "base-helper", i)
		if err != nil {
			return fmt.Errorf("run the tests of %s with base's helpers: %w", t.Name, err)
		}
		command := framework.CommandLine(t.Framework)
		if run == nil {
			say(command + " was not run: no time was left")
		} else if run.TimedOut || run.Killed {
			say(command + " cannot be judged: " + run.Inconclusive)
		} else if fails := executor.Bent(c.b.Runs, *run, c.Touches, misfit); len(fails) > 0 {
			say(command + " fails: " + some(fails))
		}
	}
	return nil
}

// helpers are the files of the change that tests have in common, as base has them.
func (c comparison) helpers(ctx context.Context) []steered {
	shared := executor.Shared(c.Change, func(f qa.FileChange) (now, was []byte) { return c.both(ctx, f) }, impact.Alone(c.Root))
	return each.Of(shared, func(f executor.Common) steered { return steered{file: f.File, text: f.Text} })
}

// testsTaken looks whether the change took tests away that fail on head as base has them.
func (c comparison) testsTaken(ctx context.Context) error {
	defer c.Copies.Restore(ctx)
	for i, ran := range c.b.Runs {
		base, _ := c.Past.StandsFor(ran.Target.Name, c.Change.Base, ran.Key, ran.Target.Framework.Coverage)
		gone := executor.TakenBy(c.Change, ran, base.Passed)
		for _, f := range gone.Files {
			if err := (steered{file: f, text: c.Before(ctx, f)}).lay(c.ws); err != nil {
				return err
			}
		}
		if len(gone.Files) == 0 {
			continue
		}
		run, err := c.once(ctx, ran.Target, "base-tests", i, gone.Selected()...)
		if err != nil {
			return fmt.Errorf("run tests of %s that the change took away: %w", ran.Target.Name, err)
		}
		if run == nil || run.TimedOut || run.Killed {
			c.b.Command = also(c.b.Command, "whether tests that the change took away fail on head as base has them is not known: they did not end, or no time was left")
		} else if len(gone.Fail(*run)) > 0 {
			c.b.Command = also(c.b.Command, "tests that the change took away fail on head as base has them: "+some(gone.Fail(*run)))
		}
	}
	return nil
}
