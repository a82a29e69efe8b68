package baseline

import (
	"context"
	"fmt"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// helperChanged looks whether the change makes tests pass by what they have in common: a
// file among them that has none, as one with their checks. The suite is run on head once
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

// helpers are the files of the change that lie among tests, have none, and had assertions or
// what runs tests on base. What tests expect changes with the product, and may lie beside
// them as well: data alone says nothing.
func (c comparison) helpers(ctx context.Context) (out []steered) {
	for _, f := range c.Change.Of(qa.KindTest) {
		now, was := c.both(ctx, f)
		judges := adapter.Asserts(was) || framework.SpeaksOfJudges(was)
		if judges && f.Status == qa.Modified && !framework.DefinesTests(f.Path, now) && !framework.DefinesTests(f.Path, was) && !framework.Configures(f.Path) {
			out = append(out, steered{file: f, text: was})
		}
	}
	return out
}
