package executor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/wording"
)

// compare runs base: in full when there is time, else only what failed.
func (b *Baseline) compare(ctx context.Context, sides Sides, head Run, attempts map[string][]bool, o BaselineOptions) error {
	// What fails in the whole suite only can be compared with a whole one only.
	full := o.CompareFor > 0 && time.Duration(head.Seconds*float64(time.Second)) <= o.CompareFor || len(b.Together) > 0 || b.blamesMeasuring() || b.Target.Part == nil && len(Gone(o.Passed, head.Suite)) > 0
	if !full && len(attempts) == 0 && len(head.Suite.Problems) == 0 {
		b.BaseReason = "not needed: nothing failed, and there was no time to compare with base"
		if o.CompareFor == 0 {
			b.BaseReason = "not needed: nothing failed"
		}
		return nil
	}
	if sides.Base == nil {
		b.BaseReason = "there is no base commit to compare with"
		return nil
	}
	limit, ok := o.next()
	if !ok {
		b.lose("base was not run: %s", noTime)
		return nil
	}
	tree, err := sides.Base(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("prepare base: %w", err)
		}
		b.lose("base could not be prepared: %v", err)
		return nil
	}
	if what := lacks(tree, b.Target, head.Suite.Cases); what != "" {
		b.Added, b.BaseReason = true, "base has no "+what+"; its tests are new, and the verdict follows head alone"
		b.Base = &Run{Target: b.Target.Name}
		quality.Compare(&b.Tests, b.Base.Suite, head.Suite)
		return nil
	}
	opts := Options{Name: o.Beside + "base", Keep: o.Keep.Join("base"), Coverage: full && !o.Plain && (b.Head.Coverage != nil || b.blamesMeasuring()), Timeout: limit, Trace: true, Live: o.Live}
	if !full && len(head.Suite.Problems) == 0 {
		opts.Tests = adapter.Select(failing(head.Suite))
	}
	why, err := prepare(ctx, tree, b.Target)
	run := Run{Target: b.Target.Name, Inconclusive: why}
	if why == "" && err == nil {
		run, err = covered(ctx, tree, b.Target, opts, o.next)
	}
	if err != nil {
		return fmt.Errorf("run the tests of %s on base: %w", b.Target.Name, err)
	}
	if run, err = b.inItsSuite(ctx, tree, run, opts, o); err != nil {
		return err
	}
	run.NotOwn = cmp.Or(notOwn(tree, run, head), run.NotOwn)
	if run.NotOwn != "" && len(failing(head.Suite))+len(head.Suite.Problems) > 0 {
		b.lose("what base says of failures does not count: %s", run.NotOwn)
	}
	if run.Inconclusive != "" {
		b.lose("base could not be judged: %s", run.Inconclusive)
	}
	b.Base = &run
	if full && run.Inconclusive == "" && len(run.Suite.Problems) == 0 && len(head.Suite.Problems) == 0 {
		quality.Compare(&b.Tests, run.Suite, head.Suite)
	}
	return nil
}

// onlyAlone reports whether a test failed on base of which nothing says that it does so
// in its suite: it may need what another test leaves. known are those that failed there
// when the whole suite ran.
func (b *Baseline) onlyAlone(run Run, known []string) bool {
	for id, c := range quality.Match(run.Suite, qa.Suite{Cases: failing(b.Head.Suite)}) {
		if c.Status.Bad() && !slices.Contains(known, id) {
			return true
		}
	}
	return false
}

// inItsSuite runs all of base's suite, where tests failed alone, or all of it may end as
// head's does.
func (b *Baseline) inItsSuite(ctx context.Context, tree Tree, alone Run, opts Options, o BaselineOptions) (Run, error) {
	if len(opts.Tests) == 0 || !b.onlyAlone(alone, o.Failed) && !b.endsOtherwise(alone) {
		return alone, nil
	}
	limit, ok := o.next()
	if !ok {
		alone.NotOwn = "its tests failed alone, and the whole suite was not run: " + noTime
		return alone, nil
	}
	opts.Name, opts.Keep, opts.Tests, opts.Timeout = opts.Name+"-whole", opts.Keep.Beside("-whole"), nil, limit
	run, err := Suite(ctx, tree, b.Target, opts)
	if err != nil {
		return run, fmt.Errorf("run the whole suite of %s on base: %w", b.Target.Name, err)
	}
	return run, nil
}

// notOwn says why a run on base does not show base. An installed package that is
// head's own code and not base's would fail there as it does on head.
func notOwn(tree Tree, run, head Run) string {
	if at := elsewhere(run); at != "" {
		return at
	}
	for _, e := range run.Seen.Elsewhere {
		alike := func(h adapter.Elsewhere) bool { return h.Name == e.Name && h.Same == e.Same }
		if e.Unused && !e.Same && !slices.ContainsFunc(head.Seen.Elsewhere, alike) {
			return fmt.Sprintf("nothing of its %s was imported, and %s answers to its name", e.Dir, e.At)
		}
	}
	if d := tree.Dependencies(); !d.Own {
		return d.Shared
	}
	return ""
}

// triage labels what failed on head. Pre-existing is only what was seen to fail
// on base, with base's own dependencies and base's own code.
func (b *Baseline) triage(attempts map[string][]bool, o BaselineOptions) {
	base := map[string]qa.Case{}
	problems := map[string]bool{}
	judged := b.Base != nil && b.Base.Inconclusive == ""
	if b.Base != nil {
		base = quality.Match(b.Base.Suite, qa.Suite{Cases: b.Tests.Cases})
		for _, p := range b.Base.Suite.Problems {
			problems[p.Key()] = true
		}
	}
	for i, c := range b.Tests.Cases {
		if !c.Status.Bad() && c.Status != qa.Flaky {
			continue
		}
		f := qa.FailingTest{Case: c, Target: b.Target.Name, Head: attempts[c.ID()], Base: qa.NotRun, Reproduce: b.reproduce(c, o.Root),
			Together: slices.Contains(b.Together, c.ID())}
		on, had := base[c.ID()]
		if had {
			f.Base = on.Status
		}
		seen := f.Head
		if f.Together {
			seen = nil // what it does alone is not what the suite does
		}
		f.Triage = quality.TriageOf(seen, f.Base, judged || had)
		if c.Status == qa.Flaky {
			f.Triage = qa.FlakyFailure
		}
		if !had && judged {
			f.Triage = quality.TriageOf(seen, "", false)
			f.Base = ""
		}
		if f.Triage == qa.FlakyFailure {
			b.Tests.Cases[i].Status = qa.Flaky
		}
		if rate, ok := o.Known[c.ID()]; ok {
			f.FlakyRate = &rate
			// It failed every time now: the case stays failed, so that a test
			// that is simply broken stops being known as flaky.
			if (f.Triage == qa.NewFailure || f.Triage == qa.UnknownFailure) && quality.MayBeChance(rate, len(f.Head)) {
				b.excuse(c.ID(), b.ownBase(f.Triage))
				f.Triage = qa.FlakyFailure
			}
		}
		f.Triage = b.ownBase(f.Triage)
		beside(&f, on)
		if f.Triage == qa.NewFailure && saysFull(c) {
			f.Case.Message = strings.TrimSpace(fullDisk + c.Message)
		}
		b.Tests.Failing = append(b.Tests.Failing, f)
	}
	b.triageProblems(problems, judged, o.Root)
	b.Tests.Head = qa.Suite{Cases: b.Tests.Cases}.Tally()
}

// beside says that a test which failed on base as well fails in more than it did there:
// in another subtest, or more often.
func beside(f *qa.FailingTest, base qa.Case) {
	more := f.Case.FailedBeside(base)
	if f.Triage != qa.PreExisting || len(more) == 0 {
		return
	}
	f.Triage = qa.NewFailure
	what := fmt.Sprintf("with %s there and %d here", wording.Count(max(1, len(base.Failures)), "failure"), max(1, len(f.Case.Failures)))
	if named := slices.DeleteFunc(more, func(name string) bool { return name == "" }); len(named) > 0 {
		what = "and not in " + wording.Line(strings.Join(named, ", "), 300)
	}
	f.Case.Message = "it fails on base as well, " + what + "\n" + f.Case.Message
}

// triageProblems labels what went wrong on head beside its tests. known are base's.
func (b *Baseline) triageProblems(known map[string]bool, judged bool, root string) {
	for _, p := range b.Tests.Problems {
		f := qa.FailingTest{Target: b.Target.Name, Base: qa.NotRun, Triage: qa.UnknownFailure, Case: p.Case()}
		f.Reproduce = b.reproduce(placeOf(b.Target, p), root)
		switch {
		case p.Kind == "exit" && b.ExitFlaky:
			f.Triage = qa.FlakyFailure
		case known[p.Key()]:
			f.Base, f.Triage = qa.BuildFailed, b.ownBase(qa.PreExisting)
		case judged:
			f.Base, f.Triage = qa.Passed, qa.NewFailure
		}
		b.Tests.Failing = append(b.Tests.Failing, f)
	}
}

// excuse notes what a failure is without what is known of its name.
func (b *Baseline) excuse(id string, t qa.Triage) {
	if b.Excused == nil {
		b.Excused = map[string]qa.Triage{}
	}
	b.Excused[id] = t
}

// Ambiguous takes back what the history excused of names that several tests
// have: nobody knows which of them it knew.
func (b *Baseline) Ambiguous(several func(id string) bool) {
	for i := range b.Tests.Failing {
		f := &b.Tests.Failing[i]
		if t, did := b.Excused[f.Case.ID()]; did && f.Quarantine == "" && several(f.Case.ID()) {
			f.Triage, f.FlakyRate = t, nil
		}
	}
}

// ownBase takes back what base cannot prove: where it ran with the change's
// dependencies or code, or was cut before its end, failing there too says
// nothing of base.
func (b *Baseline) ownBase(t qa.Triage) qa.Triage {
	if t == qa.PreExisting && b.Base != nil && (b.Base.NotOwn != "" || b.Base.cut()) {
		return qa.UnknownFailure
	}
	return t
}

// placeOf is a case without a name, which stands for the whole package or file
// that a problem names; where it names none, it stands for the suite.
func placeOf(t Target, p qa.Problem) qa.Case {
	adapter, err := framework.For(t.Framework.Framework)
	switch {
	case err == nil && adapter.IsTest(p.Where):
		return qa.Case{File: p.Where}
	case err == nil && adapter.Habits.SuiteProblems && p.Kind != "crash" && p.Kind != "start" && p.Kind != qa.OutsideTests:
		return qa.Case{Suite: p.Where}
	}
	return qa.Case{}
}

// reproduce is a command to copy that runs one test in the user's checkout,
// whose path stands in the test's name where the copy's did.
func (b *Baseline) reproduce(c qa.Case, root string) string {
	adapter, err := framework.For(b.Target.Framework.Framework)
	if err != nil || adapter.Reproduce == nil {
		return ""
	}
	if c.Raw != nil && root != "" && b.Head.Tree != "" {
		raw := *c.Raw
		raw.Suite, raw.Name = strings.ReplaceAll(raw.Suite, b.Head.Tree, root), strings.ReplaceAll(raw.Name, b.Head.Tree, root)
		c.Raw = &raw
	}
	return adapter.Reproduce(b.Target.Framework, c)
}

// fullDisk stands before the message of a failure that may be this machine's. It is
// still a new one: what a test prints is its own word.
const fullDisk = "it says that a disk is full, which may be the one that tests run on here and not the change: make room there (TMPDIR) and run again. "

// saysFull reports whether a failed test speaks of a full disk.
func saysFull(c qa.Case) bool {
	text := strings.ToLower(c.Message + "\n" + c.Output)
	return strings.Contains(text, "no space left on device") || strings.Contains(text, "enospc")
}
