package assurance

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/source/edit"
)

// perturbation is a run under other circumstances; a good test does not care,
// and its neighbours do not notice it.
type perturbation struct {
	name string
	// company says that other tests run too, whose failure is held against the
	// candidate.
	company bool
	// shuffled says that the order of the tests is by chance.
	shuffled bool
	edit     func(*executor.Options)
	// alone is the same without the candidate; nil is edit.
	alone func(*executor.Options)
}

// perturbations are the runs that the framework can do. neighbours are the
// other tests of the file.
func (c *Chain) perturbations(v *Verdict, own, neighbours []qa.Case) []perturbation {
	file := []adapter.Selected{{File: v.Path}}
	out := []perturbation{
		{name: "in another time zone and language", edit: func(o *executor.Options) {
			o.Env = append(slices.Clone(o.Env), "TZ=Pacific/Kiritimati", "LANG=tr_TR.UTF-8", "LC_ALL=C")
		}},
	}
	how, err := framework.For(c.Target.Framework.Framework)
	switch {
	case err != nil || len(neighbours) == 0:
	case how.Habits.Ordered:
		others := adapter.Select(neighbours)
		out = append(out, perturbation{
			name: "before the other tests of its file", company: true,
			edit:  func(o *executor.Options) { o.Tests = append(adapter.Select(own), others...) },
			alone: func(o *executor.Options) { o.Tests = others },
		})
	case how.Shuffles(c.Target.Framework):
		out = append(out, perturbation{name: "in another order", company: true, shuffled: true, edit: func(o *executor.Options) { o.Tests, o.Shuffle, o.Seed = file, true, 1 }})
	}
	return out
}

// steady is [Chain.stable] for a test that passes.
func (c *Chain) steady(ctx context.Context, v *Verdict, name string, head outcome) (bool, error) {
	return c.stable(ctx, v, name, head, qa.Passed)
}

// stable is G5 and G6: repeated alone, perturbed, and in company.
func (c *Chain) stable(ctx context.Context, v *Verdict, name string, head outcome, want qa.Status) (bool, error) {
	for n := range c.Repeat {
		o, err := c.again(ctx, v, name, head.cases, nil)
		if err != nil {
			return false, err
		}
		if o.status != want {
			return v.drop("G5", "run %d of %d alone: %s, expected %s%s", n+1, c.Repeat, o.status, want, because(o)), nil
		}
	}
	v.runs = 1 + c.Repeat
	// The first run had the whole file in it.
	company := perturbation{name: "with the other tests of its file", company: true}
	if guilty, err := c.guilty(ctx, v, v.placed, head.neighbours, company); err != nil || guilty != "" {
		return v.drop("G6", "%s: %s", company.name, guilty), err
	}
	if how, err := framework.For(c.Target.Framework.Framework); err == nil && how.Habits.Ordered {
		return c.perturbed(ctx, v, name, head, want)
	}
	if out, err := c.foremost(ctx, v, head, want); err != nil || out != "" {
		return v.drop("G6", "before the other tests of its file: %s", out), err
	}
	return c.perturbed(ctx, v, name, head, want)
}

// perturbed runs a test under other circumstances.
func (c *Chain) perturbed(ctx context.Context, v *Verdict, name string, head outcome, want qa.Status) (bool, error) {
	for _, p := range c.perturbations(v, head.cases, head.neighbours) {
		o, err := c.again(ctx, v, name, head.cases, p.edit)
		if err != nil {
			return false, err
		}
		if o.status != want {
			return v.drop("G5", "%s: %s, expected %s%s", p.name, o.status, want, because(o)), nil
		}
		v.runs++
		if !p.company {
			continue
		}
		guilty, err := c.guilty(ctx, v, v.placed, o.neighbours, p)
		if err != nil {
			return false, err
		}
		if guilty != "" {
			return v.drop("G6", "%s: %s", p.name, guilty), nil
		}
	}
	return true, nil
}

func because(o outcome) string {
	if o.why == "" {
		return ""
	}
	return ": " + o.why
}

// confirmations is how often a failure beside the candidate is looked for again,
// with it and without.
const confirmations = 2

// guilty says which other test fails in the candidate's company and not
// without it. text is the test file of the run in which neighbours are what they
// are. A test that fails by itself is no proof, nor is one that sometimes does:
// it has to fail in every run with the candidate and to pass in every one
// without.
func (c *Chain) guilty(ctx context.Context, v *Verdict, text []byte, neighbours []qa.Case, p perturbation) (string, error) {
	failed := slices.DeleteFunc(slices.Clone(neighbours), func(k qa.Case) bool { return !k.Status.Bad() || c.Failing[k.ID()] })
	if len(failed) == 0 {
		return "", nil
	}
	now, err := c.current(v.Path)
	if err != nil {
		return "", err
	}
	runs := p.without()
	for n := 0; n < max(len(runs), 1+confirmations) && len(failed) > 0 && err == nil; n++ {
		if n > 0 && n <= confirmations {
			if failed, err = c.failsIn(ctx, v, text, p.edit, failed, true); err != nil {
				break
			}
		}
		failed, err = c.failsIn(ctx, v, now, runs[min(n, len(runs)-1)], failed, false)
	}
	if back := put(c.Head, v.Path, v.placed); err == nil {
		err = back
	}
	if err != nil || len(failed) == 0 {
		return "", err
	}
	return fmt.Sprintf("makes %s fail", failed[0].ID()), nil
}

// failsIn runs the test file with the given text and keeps those of the cases
// that fail in it, or those that do not.
func (c *Chain) failsIn(ctx context.Context, v *Verdict, text []byte, adjust func(*executor.Options), cases []qa.Case, fail bool) ([]qa.Case, error) {
	if len(cases) == 0 {
		return nil, nil
	}
	if err := put(c.Head, v.Path, text); err != nil {
		return nil, err
	}
	run, err := c.suite(ctx, c.Head, []adapter.Selected{{File: v.Path}}, adjust)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(cases, func(k qa.Case) bool {
		bad := slices.ContainsFunc(run.Suite.Cases, func(w qa.Case) bool { return w.ID() == k.ID() && w.Status.Bad() })
		return bad != fail
	}), nil
}

// orders is how many orders of the other tests are tried before the candidate
// is said to be what makes one fail.
const orders = 5

// without are the runs without the candidate that a failure beside it is held
// against. A shuffled file has another order as soon as it has one test more,
// so that a test which its own file's order breaks needs several to show it.
func (p perturbation) without() []func(*executor.Options) {
	switch {
	case p.alone != nil:
		return []func(*executor.Options){p.alone}
	case !p.shuffled:
		return []func(*executor.Options){p.edit}
	}
	out := make([]func(*executor.Options), orders)
	for n := range out {
		out[n] = func(o *executor.Options) { p.edit(o); o.Seed = int64(n) + 1 }
	}
	return out
}

// foremost runs the file with the test moved before all others, for what it
// leaves behind. It says what goes wrong.
func (c *Chain) foremost(ctx context.Context, v *Verdict, head outcome, want qa.Status) (string, error) {
	if len(head.neighbours) == 0 {
		return "", nil
	}
	now, err := c.current(v.Path)
	if err != nil {
		return "", err
	}
	moved, name := first(now, v)
	if moved == nil {
		return "", nil // what cannot be moved is left to the shuffled run
	}
	if err := c.Head.Write(v.Path, moved); err != nil {
		return "", err
	}
	run, err := c.suite(ctx, c.Head, selection(v, nil), nil)
	if err != nil {
		return "", err
	}
	v.runs++
	if o := read(run, v.Path, name); o.status == want {
		out, err := c.guilty(ctx, v, moved, o.neighbours, perturbation{})
		return out, errors.Join(err, c.Head.Write(v.Path, v.placed))
	} else if o.status.Bad() {
		return fmt.Sprintf("%s, expected %s%s", o.status, want, because(o)), nil
	}
	return "", c.Head.Write(v.Path, v.placed)
}

// first gives the test file with the candidate as its first test, and its name
// there; nil when it has no place there.
func first(now []byte, v *Verdict) (moved []byte, name string) {
	add := v.Candidate.New()
	add.In = ""
	placed, err := edit.Place(now, v.Path, add)
	if err != nil {
		return nil, ""
	}
	tests, err := edit.Tests(v.Path, placed)
	before := names(v.Path, now)
	ours := slices.IndexFunc(tests, func(t edit.Test) bool { return !slices.Contains(before, t.Name) })
	if err != nil || ours < 1 {
		return nil, ""
	}
	at, own := tests[0].Start, tests[ours]
	moved = slices.Concat(placed[:at], placed[own.Start:own.End], []byte("\n\n"), placed[at:own.Start], placed[own.End:])
	added := slices.DeleteFunc(names(v.Path, moved), func(n string) bool { return slices.Contains(before, n) })
	if len(added) != 1 {
		return nil, ""
	}
	return moved, added[0]
}
