package executor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
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
	// BaseLost says that base was asked for and told nothing.
	BaseLost bool `json:"base_lost,omitempty"`
	// Key names what the outcome follows from beside the commit; Remembered says that
	// an earlier run with the same key told what there is to know of base.
	Key        string `json:"key,omitempty"`
	Remembered bool   `json:"remembered,omitempty"`
	// Wrote are the files git knows that the suite wrote or removed, on head and base.
	Wrote Wrote `json:"wrote,omitzero"`
	// Added says that base has no such target; its run is then empty.
	Added bool `json:"added,omitempty"`
	// Unavailable says why the tests start neither on head nor on base.
	Unavailable string `json:"unavailable,omitempty"`
	// Hasty says that tests count as flaky although there was no time to run the
	// whole suite again.
	Hasty bool `json:"hasty,omitempty"`
	// ExitFlaky says that a command of which only the exit code is known failed
	// and passed when it was repeated.
	ExitFlaky bool `json:"exit_flaky,omitempty"`
	// Excused is what failures would be, by id, that count as flaky for what
	// earlier runs know of their names alone.
	Excused map[string]qa.Triage `json:"excused,omitempty"`
	// Together are the ids of failing tests that pass alone and fail whenever
	// the whole suite runs.
	Together []string `json:"together,omitempty"`
}

// Wrote are files of the project that a suite wrote, moved or removed, by side. Laid are
// those of head that git does not know: they lay where something else is looked for.
type Wrote struct {
	Head []string `json:"head,omitempty"`
	Base []string `json:"base,omitempty"`
	Laid []string `json:"laid,omitempty"`
}

// Nothing reports whether a part of a suite has neither tests, on base either, nor
// measured code.
func (b Baseline) Nothing(measured bool) bool {
	return b.Head.Empty && b.Head.Inconclusive == "" && len(b.Head.Suite.Cases) == 0 && !measured && (b.Base == nil || len(b.Base.Suite.Cases) == 0)
}

// lose notes that base could not tell what it was asked.
func (b *Baseline) lose(format string, args ...any) {
	b.BaseReason, b.BaseLost = fmt.Sprintf(format, args...), true
}

// BaselineOptions bound a baseline.
type BaselineOptions struct {
	Keep    rooted.Place  // directory for reports
	Timeout time.Duration // per command
	Reruns  int           // of failures on head
	// CompareFor is how long a run of the whole suite on base may take; zero
	// means base is not run in full, only failing tests are.
	CompareFor time.Duration
	Live       io.Writer
	// Left is what all of it may still take; nil is as long as it takes.
	Left func() time.Duration
	// Failed are the ids of tests that failed on base when the whole suite ran there.
	Failed []string
	// Passed are the ids of tests that passed there, in files that the change leaves as
	// they are or of which the id does not tell.
	Passed []string
	// Known are flaky rates from the history by test id.
	Known map[string]float64
	// Executed is how much longer the run on head may take to tell what each unit executes.
	Executed time.Duration
	// Plain asks for no coverage: no line that could be covered changed.
	Plain bool
	// OnceMore is how long a suite may take that is run once more to tell flaky
	// tests from those that another one breaks; zero is as long as it takes.
	OnceMore time.Duration
	// Beside, set where suites of other targets run in the same trees meanwhile, sets
	// the names of this one's runs apart. Only a suite of which nothing needs a second
	// look is measured so; for any other the error is [ErrAlone].
	Beside string
	// Root is the user's checkout, absolute: commands to reproduce a failure
	// are run there.
	Root string
}

// ErrAlone says that a suite has to be measured while no other runs.
var ErrAlone = errors.New("what the suite says is to be seen alone")

// clean reports whether nothing of a run needs a second look.
func (r Run) clean(t Target) bool {
	return r.Inconclusive == "" && (r.CoverageReason == "" || !t.Framework.Coverage) && !r.cut() && r.Well && len(r.Suite.Problems) == 0 &&
		!slices.ContainsFunc(r.Suite.Cases, func(c qa.Case) bool { return c.Status.Bad() || c.Status == qa.Flaky })
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
	if why, err := prepare(ctx, sides.Head, t); why != "" || err != nil {
		b.Head = Run{Target: t.Name, Inconclusive: why}
		return b, errors.Join(err, b.blame(ctx, sides, o))
	}
	head, err := covered(ctx, sides.Head, t, Options{Name: o.Beside + "head", Keep: o.Keep.Join("head"), Coverage: !o.Plain, Timeout: limit, Trace: true, Executed: o.Executed, Live: o.Live}, o.next)
	b.Head = head
	if err != nil {
		return b, fmt.Errorf("run the tests of %s: %w", t.Name, err)
	}
	if o.Beside != "" && !head.clean(t) {
		return b, ErrAlone
	}
	if err := b.bundled(ctx, sides.Head, o); err != nil {
		return b, err
	}
	head, t = b.Head, b.Target
	b.Tests = qa.Tests{Head: head.Suite.Tally(), Cases: head.Suite.Cases, Problems: head.Suite.Problems, Seconds: head.Seconds}
	if head.Inconclusive != "" && len(head.Suite.Cases) == 0 && len(head.Suite.Problems) == 0 {
		return b, b.blame(ctx, sides, o)
	}
	if err := b.exitAgain(ctx, sides.Head, o); err != nil {
		return b, err
	}
	attempts, err := b.rerun(ctx, sides.Head, o)
	if err != nil {
		return b, err
	}
	if err := b.doubt(ctx, sides.Head, attempts, o); err != nil {
		return b, err
	}
	if err := b.compare(ctx, sides, b.Head, attempts, o); err != nil {
		return b, err
	}
	b.measuring()
	b.otherwise()
	if o.Beside != "" && (b.BaseLost || b.Base != nil && !b.Added && !b.Base.clean(t)) {
		return b, ErrAlone
	}
	b.triage(attempts, o)
	b.environment()
	b.otherCode()
	return b, nil
}

// otherCode takes back a verdict on another copy of the project's own packages
// than the one that changed.
func (b *Baseline) otherCode() {
	if why := elsewhere(b.Head); why != "" {
		b.Head.Inconclusive = why
	}
}

// elsewhere says which of the project's own packages a run took from another
// place, and how that is mended; empty when all are its own or the same. A
// module that asks for a published version of another one of the repository says
// nothing of the suite where that module has tests of its own. What is only known not
// to be the repository's counts where it changed.
func elsewhere(r Run) string {
	adapter, err := framework.For(r.Adapter)
	for _, e := range r.Seen.Elsewhere {
		if !e.Same && !e.Unused && (err != nil || !adapter.Habits.Published) {
			return fmt.Sprintf("the tests ran another copy of %s (%s) than the one in the repository; run: %s", e.Name, strings.TrimPrefix(e.At, r.Tree+string(filepath.Separator)), e.Mend)
		}
	}
	return ""
}

// blame finds out whose fault it is that nothing could be run on head: when it
// stays so and base can be judged, it is the change's; when base ends in the
// same way, the tests are not to be had here.
func (b *Baseline) blame(ctx context.Context, sides Sides, o BaselineOptions) error {
	limit, ok := o.next()
	// A runner that ends well and ran nothing has not failed: nothing is known.
	if sides.Base == nil || b.Head.TimedOut || b.Head.Killed || b.Head.Well || !ok {
		return nil
	}
	opts := Options{Name: "again", Keep: o.Keep.Join("again"), Timeout: limit, Live: o.Live}
	again, err := Prepared(ctx, sides.Head, b.Target, opts)
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
	if b.Base == nil || b.Added || b.Base.Inconclusive != "" || len(b.Base.Suite.Problems) > 0 {
		// A program that is not installed is a gap of this place, which somebody can
		// close; a browser need not be here.
		if b.Target.Framework.Browser && b.Base != nil && len(b.Base.Suite.Cases) == 0 && !b.Base.TimedOut && !b.Base.Killed {
			b.Unavailable = b.Head.Inconclusive
		}
		b.Tests.Problems, b.Head.Suite.Problems = nil, nil
		return nil
	}
	b.triage(nil, o)
	return nil
}
