package baseline

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/baseline/laid"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
)

// kinds are what of a change may bend what its tests say, as base has it.
type kinds struct {
	commands []executor.Target // test commands that head has not
	// steering configures runners; named are sources of the product of which only a name in
	// what does so tells, and that are laid back with it where it alone shows nothing.
	steering, named []laid.File
	helpers         []laid.File // what tests have in common
}

// again runs suites of head once more with what base has of the change: each kind by itself,
// and where none shows anything, all kinds together, for what is hidden twice shows only then.
func (c comparison) again(ctx context.Context) error {
	if c.Change.Base == "" || len(c.b.Runs) == 0 {
		return nil
	}
	known := c.b.Command
	all := c.look().Steering(ctx)
	k := kinds{helpers: c.look().Helpers(ctx)}
	k.steering, k.named = each.Where(all, func(f laid.File) bool { return !f.Named }), each.Where(all, func(f laid.File) bool { return f.Named })
	var err error
	if k.commands, err = c.commandChanged(ctx); err != nil {
		return err
	}
	for _, look := range []func() error{
		func() error { return c.runnerChanged(ctx, k) },
		func() error {
			if len(k.helpers) == 0 {
				return nil
			}
			return c.second("base-helper", k.helpers).say(ctx, "what tests have in common changes", c.b.Targets)
		},
		func() error { return c.second("base-tests", nil).testsTaken(ctx, c.b.Targets) },
	} {
		if err := look(); err != nil {
			return err
		}
	}
	if c.b.Command != known {
		return nil
	}
	return c.together(ctx, k)
}

func (c comparison) look() laid.Look { return look(c.b, c.Checkout, c.ws) }

func look(b *Baseline, c checkout.Checkout, ws *runtime.Workspace) laid.Look {
	return laid.Look{Checkout: c, Found: b.Found, Runs: b.Runs, Tracked: func() iter.Seq[string] { return ws.Tracked() }}
}

// Bends is what of the change may bend its tests in the copy of head, as base has it, but for
// a product that is only named.
func Bends(ctx context.Context, b *Baseline, c checkout.Checkout, ws *runtime.Workspace) []laid.File {
	l := look(b, c, ws)
	return each.Where(slices.Concat(l.Steering(ctx), l.Helpers(ctx)), func(f laid.File) bool { return !f.Tested })
}

// runnerChanged looks whether the change configures the test runner anew: tests
// that are as they were may be left out then, or their failures. The suite is run
// on head once more, as base configures it, and what it shows is kept.
func (c comparison) runnerChanged(ctx context.Context, k kinds) error {
	for _, files := range k.stages(nil) {
		said, err := c.second("base-runner", files).unlike(ctx)
		if err != nil {
			return err
		}
		if both := each.Where(files, func(f laid.File) bool { return f.Product }); len(said) == 0 && len(both) > 0 {
			said = []string{"it is part of the product in " + both[0].Path + ", which base's takes along, so not all of what it does was seen"}
		}
		if len(said) > 0 {
			c.b.Command = also(c.b.Command, "the configuration of the test runner changes ("+some(laid.Names(files))+"); with base's, on head: "+strings.Join(said, "; "))
			return nil
		}
	}
	return nil
}

// stages are what is laid back for one run after the other: files and what configures
// runners, and then with it what this may or may not name to have it loaded, that which tests
// load last: it is the product.
func (k kinds) stages(files []laid.File) (out [][]laid.File) {
	all := slices.Concat(k.steering, files)
	untested := each.Where(k.named, func(f laid.File) bool { return !f.Tested })
	tested := each.Where(k.named, func(f laid.File) bool { return f.Tested })
	for _, more := range [][]laid.File{all, untested, tested} {
		if len(more) > 0 && len(out) > 0 {
			more = slices.Concat(out[len(out)-1], more)
		}
		if len(more) > 0 {
			out = append(out, more)
		}
	}
	return out
}

// together lays all kinds back at once, where there is more than one: what hides a failure
// twice is seen by none of the looks before. Base's may not fit the product any more, as
// helpers by themselves.
func (c comparison) together(ctx context.Context, k kinds) error {
	whole := each.Count([]int{len(k.commands), len(k.steering) + len(k.named), len(k.helpers)}, func(n int) bool { return n > 0 })
	stages := k.stages(k.helpers)
	if len(stages) == 0 && whole > 0 {
		stages = [][]laid.File{nil} // a command alone
	}
	known := c.b.Command
	for _, files := range stages {
		s := c.second("base-together", files)
		all, err := s.targets(ctx, k.commands)
		if err == nil && whole > 1 {
			err = s.say(ctx, "what bends tests changes in more than one place", all)
		}
		if err == nil && c.b.Command == known {
			err = s.testsTaken(ctx, all)
		}
		if err != nil || c.b.Command != known {
			return err
		}
	}
	return nil
}

// unknown looks for files that have a hand in all tests on head and not on base, and that
// git does not know: something that the change runs before its tests left them.
func (c comparison) unknown() {
	if files := executor.SteersSince(c.b.Runs, each.Set(slices.Collect(c.ws.Tracked()))); len(files) > 0 {
		c.b.Command = also(c.b.Command, "files that git does not know, and that base's run did not have, have a hand in what becomes of all tests: "+some(files))
	}
}
