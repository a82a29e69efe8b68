package executor

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// covered is [Suite] for which a broken coverage tool costs the coverage and
// not the suite: a run with coverage that cannot be judged is repeated without,
// and the reason is kept. So is a run that speaks of the project's own threshold: that
// this is why it failed is shown by one without coverage that ends well. next says what
// one more command may take.
func covered(ctx context.Context, tree Tree, t Target, o Options, next func() (time.Duration, bool)) (Run, error) {
	run, err := Suite(ctx, tree, t, o)
	if err != nil || !o.Coverage || !t.Framework.Coverage || !toolAtFault(run) {
		return run, err
	}
	limit, ok := next()
	if !ok {
		return run, nil
	}
	o.Name, o.Keep, o.Coverage, o.Timeout = o.Name+"-plain", o.Keep.Beside("-plain"), false, limit
	plain, err := Suite(ctx, tree, t, o)
	if err != nil || toolAtFault(plain) && !spared(plain, run) {
		return run, err
	}
	if run.Missed && plain.Well {
		run.Unmeasured, run.Suite.Problems = fault(run), nil
		return run, nil
	}
	if run.Inconclusive == "" { // the others have nothing to do with the tool
		still := each.Set(each.Of(plain.Suite.Problems, func(p qa.Problem) string { return p.Where }))
		run.Suite.Problems = each.Where(run.Suite.Problems, func(p qa.Problem) bool { return !still[p.Where] })
	}
	plain.Unmeasured = fault(run)
	plain.CoverageReason = "the tests run only without coverage: " + plain.Unmeasured
	return plain, nil
}

// toolAtFault reports whether a run ended in a way in which a coverage tool may
// have ended it: nothing can be judged, or something broke outside of any test.
func toolAtFault(r Run) bool {
	return !r.cut() && (r.Inconclusive != "" || len(r.Suite.Problems) > 0)
}

// spared reports whether a run without coverage has no trouble outside of its tests but
// such as the measured one has, too, which has more.
func spared(plain, run Run) bool {
	key := func(p qa.Problem) string { return p.Kind + "\x00" + p.Where }
	had := each.Set(each.Of(run.Suite.Problems, key))
	return !plain.cut() && plain.Inconclusive == "" && len(plain.Suite.Problems) < len(run.Suite.Problems) &&
		!slices.ContainsFunc(plain.Suite.Problems, func(p qa.Problem) bool { return !had[key(p)] })
}

// fault is what a run says went wrong, in one line.
func fault(r Run) string {
	text := r.Inconclusive
	if text == "" && len(r.Suite.Problems) > 0 {
		text, _, _ = strings.Cut(r.Suite.Problems[0].Message, "\n")
	}
	if line := diagnosis.Line([]byte(r.Tail)); line != "" && !strings.Contains(text, line) {
		text += ": " + line
	}
	return wording.Fold(text)
}

// measuring looks at what went wrong only because the suite was measured. A project that
// measures by itself sees it fail in every run, unless it does so on base, too, where the
// tool is at fault.
func (b *Baseline) measuring() {
	if !b.blamesMeasuring() || b.Base != nil && !b.Added && b.Base.failsMeasured(b.Head.FailMeasured) {
		return
	}
	p := qa.Problem{Kind: "crash", Where: b.Target.Name, Message: "the project's own test command measures coverage, and fails with it: " + b.Head.Unmeasured}
	b.Tests.Problems = append(b.Tests.Problems, p)
	b.Head.Suite.Problems = append(b.Head.Suite.Problems, p)
}

func (b *Baseline) blamesMeasuring() bool {
	return b.Head.Unmeasured != "" && b.Target.Framework.Measures
}

// failsMeasured reports whether a run that was measured failed for that, or in each of
// some tests.
func (r Run) failsMeasured(ids []string) bool {
	bad := each.Set(each.Of(failing(r.Suite), qa.Case.ID))
	return r.Unmeasured != "" || len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return !bad[id] })
}
