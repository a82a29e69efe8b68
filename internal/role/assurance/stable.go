package assurance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
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

// elsewhere are a time zone that is a day ahead of most, and a language that writes
// numbers and dates otherwise. Of the variables of a language LC_ALL outdoes the others;
// programs for which it is not installed keep UTF-8.
var elsewhere = []string{"TZ=Pacific/Kiritimati", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8"}

// perturbations are the runs that the framework can do.
func (t trial) perturbations() []perturbation {
	file := []adapter.Selected{{File: t.v.Path}}
	out := []perturbation{
		{name: "in another time zone and language", edit: func(o *executor.Options) {
			o.Env = append(slices.Clone(o.Env), elsewhere...)
		}},
	}
	how, err := framework.For(t.Target.Framework.Framework)
	if err == nil && how.Habits.Parallel {
		if others := t.beside(); len(others) > 0 {
			out = append(out, perturbation{name: "at once with other test files", edit: func(o *executor.Options) {
				o.Tests, o.Parallel = append(adapter.Select(t.head.cases), others...), workers
			}})
		}
	}
	switch {
	case err != nil || len(t.head.neighbours) == 0:
	case how.Habits.Ordered:
		others := functions(t.head.neighbours)
		out = append(out, perturbation{
			name: "before the other tests of its file", company: true,
			edit:  func(o *executor.Options) { o.Tests = append(adapter.Select(t.head.cases), others...) },
			alone: func(o *executor.Options) { o.Tests = others },
		})
	case how.Shuffles != nil && how.Shuffles(t.Target.Framework):
		out = append(out, perturbation{name: "in another order", company: true, shuffled: true, edit: func(o *executor.Options) { o.Tests, o.Shuffle, o.Seed = file, true, 1 }})
	}
	return out
}

// functions selects tests with all their parameters: the name of one may be another in the
// next run, as where it holds the time.
func functions(cases []qa.Case) []adapter.Selected {
	return each.Added(nil, each.Of(adapter.Select(cases), func(s adapter.Selected) adapter.Selected {
		s.Name, _, _ = strings.Cut(s.Name, "[")
		return s
	})...)
}

// What runs at once with a candidate: a port, a file or a name that all take is in use
// then, as it is on a machine with more processors.
const (
	besideFiles = 3
	workers     = besideFiles + 1
)

// beside are test files that run at once with the candidate's.
func (t trial) beside() []adapter.Selected {
	others := each.Where(t.Beside, func(file string) bool { return file != t.v.Path })
	return each.Of(others[:min(len(others), besideFiles)], func(file string) adapter.Selected { return adapter.Selected{File: file} })
}

// steady is [trial.stable] for a test that passes.
func (t trial) steady(ctx context.Context) (bool, error) {
	return t.stable(ctx, qa.Passed)
}

// stable is G5 and G6: repeated alone, perturbed, and in company.
func (t trial) stable(ctx context.Context, want qa.Status) (bool, error) {
	for n := range t.Repeat {
		o, err := t.again(ctx, nil)
		if err != nil {
			return false, err
		}
		if o.status != want {
			return t.v.drop("G5", "run %d of %d alone: %s, expected %s%s", n+1, t.Repeat, o.status, want, because(o)), nil
		}
	}
	t.v.runs = 1 + t.Repeat
	// The first run had the whole file in it.
	company := perturbation{name: "with the other tests of its file", company: true}
	if guilty, err := t.guilty(ctx, t.v.placed, t.head.neighbours, company); err != nil || guilty != "" {
		return t.v.drop("G6", "%s: %s", company.name, guilty), err
	}
	if how, err := framework.For(t.Target.Framework.Framework); err != nil || !how.Habits.Ordered {
		if out, err := t.foremost(ctx, want); err != nil || out != "" {
			return t.v.drop("G6", "before the other tests of its file: %s", out), err
		}
	}
	return t.perturbed(ctx, want)
}

// perturbed runs a test under other circumstances.
func (t trial) perturbed(ctx context.Context, want qa.Status) (bool, error) {
	for _, p := range t.perturbations() {
		o, err := t.again(ctx, p.edit)
		for seed := int64(2); err == nil && p.shuffled && o.status == qa.NotRun && seed <= orders; seed++ {
			o, err = t.again(ctx, func(opts *executor.Options) { p.edit(opts); opts.Seed = seed })
		}
		if err != nil {
			return false, err
		}
		if p.shuffled && o.status == qa.NotRun {
			continue // others end before it has its turn, in whatever order: nothing is said of it
		}
		if o.status != want {
			return t.v.drop("G5", "%s: %s, expected %s%s", p.name, o.status, want, because(o)), nil
		}
		t.v.runs++
		if !p.company {
			continue
		}
		guilty, err := t.guilty(ctx, t.v.placed, o.neighbours, p)
		if err != nil {
			return false, err
		}
		if guilty != "" {
			return t.v.drop("G6", "%s: %s", p.name, guilty), nil
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
func (t trial) guilty(ctx context.Context, text []byte, neighbours []qa.Case, p perturbation) (string, error) {
	failed := slices.DeleteFunc(slices.Clone(neighbours), func(k qa.Case) bool { return !k.Status.Bad() || t.Failing[k.ID()] })
	if len(failed) == 0 {
		return "", nil
	}
	now, err := t.current(t.v.Path)
	if err != nil {
		return "", err
	}
	runs := p.without()
	for n := 0; n < max(len(runs), 1+confirmations) && len(failed) > 0 && err == nil; n++ {
		if n > 0 && n <= confirmations {
			if failed, err = t.failsIn(ctx, text, p.edit, failed, true); err != nil {
				break
			}
		}
		failed, err = t.failsIn(ctx, now, runs[min(n, len(runs)-1)], failed, false)
	}
	if back := put(t.Head, t.v.Path, t.v.placed); err == nil {
		err = back
	}
	if err != nil || len(failed) == 0 {
		return "", err
	}
	return fmt.Sprintf("makes %s fail", failed[0].ID()), nil
}

// failsIn runs the test file with the given text and keeps those of the cases
// that fail in it, or those that do not.
func (t trial) failsIn(ctx context.Context, text []byte, adjust func(*executor.Options), cases []qa.Case, fail bool) ([]qa.Case, error) {
	if len(cases) == 0 {
		return nil, nil
	}
	if err := put(t.Head, t.v.Path, text); err != nil {
		return nil, err
	}
	run, err := t.suite(ctx, t.Head, []adapter.Selected{{File: t.v.Path}}, adjust)
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
func (t trial) foremost(ctx context.Context, want qa.Status) (string, error) {
	if len(t.head.neighbours) == 0 {
		return "", nil
	}
	now, err := t.current(t.v.Path)
	if err != nil {
		return "", err
	}
	moved, name := first(now, t.v)
	if moved == nil {
		return "", nil // what cannot be moved is left to the shuffled run
	}
	if err := t.Head.Write(t.v.Path, moved); err != nil {
		return "", err
	}
	run, err := t.suite(ctx, t.Head, selection(t.v, nil), nil)
	if err != nil {
		return "", err
	}
	t.v.runs++
	if o := read(run, t.v.Path, Names(t.v.Path, moved, name)...); o.status == want {
		out, err := t.guilty(ctx, moved, o.neighbours, perturbation{})
		return out, errors.Join(err, t.Head.Write(t.v.Path, t.v.placed))
	} else if o.status.Bad() {
		return fmt.Sprintf("%s, expected %s%s", o.status, want, because(o)), nil
	}
	return "", t.Head.Write(t.v.Path, t.v.placed)
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
	added := fresh(v.Path, moved, before)
	if len(added) != 1 {
		return nil, ""
	}
	return moved, added[0]
}
