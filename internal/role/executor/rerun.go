package executor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
)

// maxSelected is how many failing tests are rerun one selection at a time;
// above it the whole suite is rerun once.
const maxSelected = 100

// rerun repeats the failing tests on head until each has passed once or the
// reruns are used up; it gives all attempts of each, the first one included.
func (b *Baseline) rerun(ctx context.Context, tree Tree, o BaselineOptions) (map[string][]bool, error) {
	attempts := map[string][]bool{}
	left := failing(b.Head.Suite)
	for _, c := range left {
		attempts[c.ID()] = []bool{false}
	}
	reruns := o.Reruns
	if len(left) > maxSelected {
		reruns = min(reruns, 1)
	}
	for n := 1; n <= reruns && len(left) > 0; n++ {
		again := Options{Name: fmt.Sprintf("rerun-%d", n)}
		if len(left) <= maxSelected {
			again.Tests = adapter.Select(left)
		}
		how := b.more
		if len(again.Tests) == 0 {
			how = b.first
		}
		run, ok, err := how(ctx, tree, o, again)
		if err != nil || !ok {
			return attempts, err
		}
		passed := enter(attempts, run, left)
		steady(b.Tests.Cases, run, left)
		left = slices.DeleteFunc(left, func(c qa.Case) bool { return passed[c.ID()] })
	}
	return attempts, nil
}

// steady leaves out of the failures within a test those that come and go.
func steady(cases []qa.Case, run Run, asked []qa.Case) {
	now := quality.Match(run.Suite, qa.Suite{Cases: asked})
	for i := range cases {
		c := &cases[i]
		if len(c.Failures) == 0 || !c.Status.Bad() || !now[c.ID()].Status.Bad() {
			continue
		}
		gone := c.FailedBeside(now[c.ID()])
		kept := slices.DeleteFunc(slices.Clone(c.Failures), func(f string) bool {
			at := slices.Index(gone, f)
			if at >= 0 {
				gone = slices.Delete(gone, at, at+1)
			}
			return at >= 0
		})
		if len(kept) > 0 {
			c.Failures = kept
		}
	}
}

// enter adds one more attempt of the tests asked for and gives those that passed.
func enter(attempts map[string][]bool, run Run, asked []qa.Case) map[string]bool {
	passed := map[string]bool{}
	for id, c := range quality.Match(run.Suite, qa.Suite{Cases: asked}) {
		if ids, ok := attempts[id]; ok && c.Status != qa.Skipped {
			attempts[id] = append(ids, !c.Status.Bad())
			passed[id] = !c.Status.Bad()
		}
	}
	return passed
}

// doubt looks again at tests that failed in the suite and passed when they were
// repeated: that alone does not make them flaky. Repeated, they ran alone and
// without coverage, after a run that left something. If they fail again whenever the
// whole suite runs, from the beginning, another test is what breaks them, every time, or
// what a new machine has not; if they fail only where they are measured, it is the
// coverage tool. All would be hidden by the word flaky.
func (b *Baseline) doubt(ctx context.Context, tree Tree, attempts map[string][]bool, o BaselineOptions) error {
	asked := each.Where(failing(b.Head.Suite), func(c qa.Case) bool {
		_, known := o.Known[c.ID()]
		return !known && slices.Contains(attempts[c.ID()], true)
	})
	if len(asked) == 0 || len(attempts) > maxSelected {
		return nil
	}
	if took := time.Duration(b.Head.Seconds * float64(time.Second)); o.OnceMore > 0 && took > o.OnceMore {
		b.Hasty = true
		return nil
	}
	plain, ok, err := b.first(ctx, tree, o, Options{Name: "whole-again", Trace: true}) // it may become the run that counts
	if err != nil || !ok {
		return err
	}
	passed := enter(attempts, plain, asked)
	if len(passed) == 0 && len(plain.Suite.Cases) == 0 {
		return nil
	}
	again := slices.DeleteFunc(slices.Clone(asked), func(c qa.Case) bool { return passed[c.ID()] })
	if len(again) == 0 {
		if b.Head.Coverage == nil && !b.Target.Framework.Measures || plain.Inconclusive != "" || len(plain.Suite.Problems) > 0 || len(failing(plain.Suite)) > 0 {
			return nil
		}
		with, ok, err := b.more(ctx, tree, o, Options{Name: "measured-again", Tests: adapter.Select(asked), Coverage: true})
		if err == nil && ok {
			b.measured(plain, with, asked, attempts)
		}
		return err
	}
	alone, ok, err := b.more(ctx, tree, o, Options{Name: "alone-again", Tests: adapter.Select(again)})
	if err != nil || !ok {
		return err
	}
	passed = enter(attempts, alone, again)
	again = slices.DeleteFunc(again, func(c qa.Case) bool { return !passed[c.ID()] })
	if len(again) == 0 {
		return nil
	}
	whole, ok, err := b.first(ctx, tree, o, Options{Name: "whole-once-more"})
	if err != nil || !ok {
		return err
	}
	passed = enter(attempts, whole, again)
	for _, c := range again {
		if was, ran := passed[c.ID()]; ran && !was {
			b.Together = append(b.Together, c.ID())
		}
	}
	return nil
}

// measured says whether tests that failed fail only when they are measured; plain is
// a whole run without coverage in which all of them passed, with one of them alone with
// coverage. If so, plain is the run that counts, and nothing has failed but in the eyes
// of a project that measures by itself, to which one such test is enough.
func (b *Baseline) measured(plain, with Run, asked []qa.Case, attempts map[string][]bool) {
	now := enter(maps.Clone(attempts), with, asked)
	fail := each.Where(asked, func(c qa.Case) bool { passed, ran := now[c.ID()]; return ran && !passed })
	if len(fail) == 0 || len(fail) < len(asked) && !b.Target.Framework.Measures {
		return
	}
	plain.FailMeasured = each.Of(fail, qa.Case.ID)
	plain.Unmeasured = "tests fail when they are measured and pass without: " + fail[0].ID()
	plain.CoverageReason = plain.Unmeasured
	b.Head = plain
	b.Tests = qa.Tests{Head: plain.Suite.Tally(), Cases: plain.Suite.Cases, Seconds: plain.Seconds}
	clear(attempts)
}

// more runs some of the tests, or all, once more; false when there is no time.
func (b *Baseline) more(ctx context.Context, tree Tree, o BaselineOptions, again Options) (Run, bool, error) {
	var ok bool
	if again.Timeout, ok = o.next(); !ok {
		return Run{}, false, nil
	}
	again.Keep = o.Keep.Join(again.Name)
	run, err := Suite(ctx, tree, b.Target, again)
	if err != nil {
		return run, false, fmt.Errorf("run the tests of %s once more: %w", b.Target.Name, err)
	}
	return run, true, nil
}

// first is more that finds what the first run found, in the tree, in the code's home and
// among its temporary files.
func (b *Baseline) first(ctx context.Context, tree Tree, o BaselineOptions, again Options) (Run, bool, error) {
	if err := tree.Afresh(ctx); err != nil {
		return Run{}, false, fmt.Errorf("take away what tests of %s left: %w", b.Target.Name, err)
	}
	return b.more(ctx, tree, o, again)
}

func failing(s qa.Suite) []qa.Case {
	return each.Where(s.Cases, func(c qa.Case) bool { return c.Status.Bad() })
}
