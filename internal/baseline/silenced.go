package baseline

import (
	"context"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// silenced looks for tests that ran on base and are skipped or not run on head, in files
// that the change leaves as they are: something else of it keeps them from running; and for
// tests in others that it takes the name of.
func (c comparison) silenced(ctx context.Context) {
	var skipped, dropped []qa.Case
	for _, ran := range c.b.Runs {
		skipped, dropped = append(skipped, executor.Skipped(ran)...), append(dropped, executor.Dropped(ran)...)
	}
	c.left("skipped", skipped)
	c.left("not run", dropped)
	c.outdone(ctx)
}

// outdone looks for tests that share their name with something further down, since the
// change: the report has the name, and only what stands last runs.
func (c comparison) outdone(ctx context.Context) {
	names := executor.Outdone(c.Change, func(f qa.FileChange) (now, was []byte) { return c.look().Both(ctx, f) })
	if len(names) > 0 {
		c.b.Command = also(c.b.Command, "tests do not run as something further down has their name: "+some(names))
	}
}

func (c comparison) left(how string, cases []qa.Case) {
	c.b.Command = unran(c.b.Command, how, each.Of(each.Where(cases, func(k qa.Case) bool { return k.File != "" && !c.Touches(k.File) }), qa.Case.ID))
}

func unran(said, how string, names []string) string {
	if len(names) == 0 {
		return said
	}
	return also(said, "tests that ran on base are "+how+", in files that the change leaves as they are: "+some(names))
}

// unexplained looks for commands that end badly on head and base alike although no test
// fails: what else they look at fails already, and with the change it may do so more.
func unexplained(b *Baseline) {
	names := executor.Unexplained(b.Tests().Failing)
	if len(names) > 0 {
		b.Command = also(b.Command, "the test command ends badly on head and base alike although no test fails ("+some(names)+"): what else fails with the change is not known")
	}
}
