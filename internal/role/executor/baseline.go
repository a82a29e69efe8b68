package executor

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
)

// Sides are the two trees of a change. Base is made on first use, because a
// green run may never need it.
type Sides struct {
	Head Tree
	Base func(ctx context.Context) (Tree, error)
}

// Baseline is what the repository's own tests say before any test is generated.
type Baseline struct {
	Target Target   `json:"-"`
	Head   Run      `json:"head"`
	Base   *Run     `json:"base,omitempty"`
	Tests  qa.Tests `json:"tests"`
	// BaseReason says why base was not run in full.
	BaseReason string `json:"base_reason,omitempty"`
}

// BaselineOptions bound a baseline.
type BaselineOptions struct {
	Keep    string        // absolute directory for reports
	Timeout time.Duration // per command
	Reruns  int           // of failures on head
	// CompareFor is how long a run of the whole suite on base may take; zero
	// means base is not run in full, only failing tests are.
	CompareFor time.Duration
	Live       io.Writer
	// Left is what all of it may still take; nil is as long as it takes.
	Left func() time.Duration
	// Known are flaky rates from the history by test id.
	Known map[string]float64
}

// noTime is why something was not run.
const noTime = "there was no time left for it; raise timeout"

// next is what one more command may take; false when there is no time left.
func (o BaselineOptions) next() (time.Duration, bool) {
	if o.Left == nil {
		return o.Timeout, true
	}
	left := o.Left()
	if o.Timeout > 0 {
		left = min(left, o.Timeout)
	}
	return left, left > 0
}

// Measure runs the target's own suite on head, and what is needed of it on base
// to tell new failures from old and flaky ones.
func Measure(ctx context.Context, sides Sides, t Target, o BaselineOptions) (Baseline, error) {
	b := Baseline{Target: t}
	limit, ok := o.next()
	if !ok {
		b.Head = Run{Target: t.Name, Inconclusive: "its tests were not run: " + noTime}
		return b, nil
	}
	head, err := Suite(ctx, sides.Head, t, Options{Name: "head", Keep: filepath.Join(o.Keep, "head"), Coverage: true, Timeout: limit, Live: o.Live})
	b.Head = head
	if err != nil {
		return b, fmt.Errorf("run the tests of %s: %w", t.Name, err)
	}
	b.Tests = qa.Tests{Head: head.Suite.Tally(), Cases: head.Suite.Cases, Problems: head.Suite.Problems, Seconds: head.Seconds}
	if head.Inconclusive != "" && len(head.Suite.Cases) == 0 && len(head.Suite.Problems) == 0 {
		return b, b.blame(ctx, sides, o)
	}
	attempts, err := rerun(ctx, sides.Head, t, head.Suite, o)
	if err != nil {
		return b, err
	}
	if err := b.compare(ctx, sides, head, attempts, o); err != nil {
		return b, err
	}
	b.triage(attempts, o.Known)
	return b, nil
}

// blame finds out whose fault it is that nothing could be run on head: when it
// stays so and base can be judged, it is the change's.
func (b *Baseline) blame(ctx context.Context, sides Sides, o BaselineOptions) error {
	limit, ok := o.next()
	if sides.Base == nil || b.Head.TimedOut || b.Head.Killed || !ok {
		return nil
	}
	opts := Options{Name: "again", Keep: filepath.Join(o.Keep, "again"), Timeout: limit, Live: o.Live}
	again, err := Suite(ctx, sides.Head, b.Target, opts)
	if err != nil {
		return fmt.Errorf("run the tests of %s again: %w", b.Target.Name, err)
	}
	if again.Inconclusive == "" || len(again.Suite.Cases) > 0 {
		return nil // it comes and goes: that is no evidence of anything
	}
	b.Tests.Problems = []qa.Problem{{Kind: "start", Where: b.Target.Name, Message: b.Head.Inconclusive + "\n" + b.Head.Tail}}
	b.Head.Suite.Problems = b.Tests.Problems
	if err := b.compare(ctx, sides, b.Head, nil, o); err != nil {
		return err
	}
	if b.Base == nil || b.Base.Inconclusive != "" || len(b.Base.Suite.Problems) > 0 {
		b.Tests.Problems, b.Head.Suite.Problems = nil, nil
		return nil
	}
	b.triage(nil, nil)
	return nil
}

// compare runs base: in full when there is time, else only what failed.
func (b *Baseline) compare(ctx context.Context, sides Sides, head Run, attempts map[string][]bool, o BaselineOptions) error {
	full := o.CompareFor > 0 && time.Duration(head.Seconds*float64(time.Second)) <= o.CompareFor
	if !full && len(attempts) == 0 && len(head.Suite.Problems) == 0 {
		b.BaseReason = "not needed: nothing failed, and there was no time to compare with base"
		return nil
	}
	if sides.Base == nil {
		b.BaseReason = "there is no base commit to compare with"
		return nil
	}
	limit, ok := o.next()
	if !ok {
		b.BaseReason = "base was not run: " + noTime
		return nil
	}
	tree, err := sides.Base(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("prepare base: %w", err)
		}
		b.BaseReason = fmt.Sprintf("base could not be prepared: %v", err)
		return nil
	}
	opts := Options{Name: "base", Keep: filepath.Join(o.Keep, "base"), Coverage: full, Timeout: limit, Live: o.Live}
	if !full && len(head.Suite.Problems) == 0 {
		opts.Tests = framework.Select(failing(head.Suite))
	}
	run, err := Suite(ctx, tree, b.Target, opts)
	if err != nil {
		return fmt.Errorf("run the tests of %s on base: %w", b.Target.Name, err)
	}
	if run.Inconclusive != "" {
		b.BaseReason = "base could not be judged: " + run.Inconclusive
	}
	b.Base = &run
	if full && run.Inconclusive == "" && len(run.Suite.Problems) == 0 && len(head.Suite.Problems) == 0 {
		quality.Compare(&b.Tests, run.Suite, head.Suite)
	}
	return nil
}

// triage labels what failed on head.
func (b *Baseline) triage(attempts map[string][]bool, known map[string]float64) {
	base := map[string]qa.Case{}
	problems := map[string]bool{}
	judged := b.Base != nil && b.Base.Inconclusive == ""
	if b.Base != nil {
		for _, c := range b.Base.Suite.Cases {
			base[c.ID()] = c
		}
		for _, p := range b.Base.Suite.Problems {
			problems[p.Kind+" "+p.Where] = true
		}
	}
	for i, c := range b.Tests.Cases {
		if !c.Status.Bad() && c.Status != qa.Flaky {
			continue
		}
		f := qa.FailingTest{Case: c, Target: b.Target.Name, Head: attempts[c.ID()], Base: qa.NotRun, Reproduce: reproduce(b.Target, c)}
		on, had := base[c.ID()]
		if had {
			f.Base = on.Status
		}
		f.Triage = quality.TriageOf(f.Head, f.Base, judged || had)
		if c.Status == qa.Flaky {
			f.Triage = qa.FlakyFailure
		}
		if !had && judged {
			f.Triage = quality.TriageOf(f.Head, "", false)
			f.Base = ""
		}
		if f.Triage == qa.FlakyFailure {
			b.Tests.Cases[i].Status = qa.Flaky
		}
		if rate, ok := known[c.ID()]; ok {
			f.FlakyRate = &rate
			// It failed every time now: the case stays failed, so that a test
			// that is simply broken stops being known as flaky.
			if f.Triage == qa.NewFailure || f.Triage == qa.UnknownFailure {
				f.Triage = qa.FlakyFailure
			}
		}
		b.Tests.Failing = append(b.Tests.Failing, f)
	}
	for _, p := range b.Tests.Problems {
		f := qa.FailingTest{Target: b.Target.Name, Base: qa.NotRun, Triage: qa.UnknownFailure,
			Case: qa.Case{Suite: p.Where, Name: "(" + p.Kind + ")", Status: qa.Errored, Message: p.Message}}
		f.Reproduce = reproduce(b.Target, placeOf(b.Target, p))
		switch {
		case problems[p.Kind+" "+p.Where]:
			f.Base, f.Triage = qa.BuildFailed, qa.PreExisting
		case judged:
			f.Base, f.Triage = qa.Passed, qa.NewFailure
		}
		b.Tests.Failing = append(b.Tests.Failing, f)
	}
	b.Tests.Head = qa.Suite{Cases: b.Tests.Cases}.Tally()
}

// maxSelected is how many failing tests are rerun one selection at a time;
// above it the whole suite is rerun once.
const maxSelected = 100

// rerun repeats the failing tests on head until each has passed once or the
// reruns are used up; it gives all attempts of each, the first one included.
func rerun(ctx context.Context, tree Tree, t Target, s qa.Suite, o BaselineOptions) (map[string][]bool, error) {
	attempts := map[string][]bool{}
	left := failing(s)
	for _, c := range left {
		attempts[c.ID()] = []bool{false}
	}
	reruns := o.Reruns
	if len(left) > maxSelected {
		reruns = min(reruns, 1)
	}
	for n := 1; n <= reruns && len(left) > 0; n++ {
		limit, ok := o.next()
		if !ok {
			break
		}
		opts := Options{Name: fmt.Sprintf("rerun-%d", n), Keep: filepath.Join(o.Keep, fmt.Sprintf("rerun-%d", n)), Timeout: limit}
		if len(left) <= maxSelected {
			opts.Tests = framework.Select(left)
		}
		run, err := Suite(ctx, tree, t, opts)
		if err != nil {
			return nil, fmt.Errorf("rerun failing tests of %s: %w", t.Name, err)
		}
		passed := map[string]bool{}
		for _, c := range run.Suite.Cases {
			if ids, ok := attempts[c.ID()]; ok && c.Status != qa.Skipped {
				attempts[c.ID()] = append(ids, !c.Status.Bad())
				passed[c.ID()] = !c.Status.Bad()
			}
		}
		var still []qa.Case
		for _, c := range left {
			if !passed[c.ID()] {
				still = append(still, c)
			}
		}
		left = still
	}
	return attempts, nil
}

func failing(s qa.Suite) []qa.Case {
	var out []qa.Case
	for _, c := range s.Cases {
		if c.Status.Bad() {
			out = append(out, c)
		}
	}
	return out
}

// placeOf is a case without a name, which stands for the whole package or file
// that a problem names; where it names none, it stands for the suite.
func placeOf(t Target, p qa.Problem) qa.Case {
	adapter, err := framework.For(t.Framework.Framework)
	switch {
	case err == nil && adapter.IsTest(p.Where):
		return qa.Case{File: p.Where}
	case t.Framework.Framework == framework.Gotest.Name && p.Kind != "crash" && p.Kind != "start":
		return qa.Case{Suite: p.Where}
	}
	return qa.Case{}
}

// reproduce is a command to copy that runs one test.
func reproduce(t Target, c qa.Case) string {
	adapter, err := framework.For(t.Framework.Framework)
	if err != nil || adapter.Reproduce == nil {
		return ""
	}
	return adapter.Reproduce(t.Framework, c)
}
