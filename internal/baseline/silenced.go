package baseline

import (
	"context"
	"path"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/source/edit"
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
	c.unbuilt(dropped)
	c.outdone(ctx)
}

// outdone looks for tests that share their name with something further down, since the
// change: the report has the name, and only what stands last runs.
func (c comparison) outdone(ctx context.Context) {
	var names []string
	for _, f := range c.Change.Of(qa.KindTest) {
		if path.Ext(f.Path) == ".py" {
			now, was := c.both(ctx, f)
			before := edit.Outdone(f.Path, was)
			fresh := each.Where(edit.Outdone(f.Path, now), func(name string) bool { return !slices.Contains(before, name) })
			names = append(names, each.Of(fresh, func(name string) string { return f.Path + " > " + name })...)
		}
	}
	if len(names) > 0 {
		c.b.Command = also(c.b.Command, "tests do not run as something further down has their name: "+some(names))
	}
}

// unbuilt looks for tests that ran on base and stand now in a file of Go that is not built here.
func (c comparison) unbuilt(dropped []qa.Case) {
	for _, f := range c.Change.Of(qa.KindTest) {
		src := c.Text(f.Path)
		if names := executor.Declared(dropped, src); len(names) > 0 && Excluded(c.b, f.Path, src) != "" {
			c.b.Command = also(c.b.Command, "tests that ran on base stand in "+f.Path+", which is not built here: "+some(names))
		}
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
	var names []string
	for _, f := range b.Tests().Failing {
		if f.Triage == qa.PreExisting && f.Case.Suite == f.Target && f.Case.Name == "(crash)" {
			names = append(names, f.Target)
		}
	}
	if len(names) > 0 {
		b.Command = also(b.Command, "the test command ends badly on head and base alike although no test fails ("+some(names)+"): what else fails with the change is not known")
	}
}
