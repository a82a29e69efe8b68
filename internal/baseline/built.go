package baseline

import (
	"context"
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/wording"
)

// built holds what was installed and what the workflow builds before the tests against
// the verdict. An installation or a build that base passes and head does not is the
// change's doing, though no test may say so: what was built earlier can lie there still. Tests, and what says how they are
// run, that a build writes anew are not those that were reviewed; other files of the
// project it may write if it does so on base.
func (m measurer) built(ctx context.Context, sides executor.Sides, p runtime.Prepared) error {
	b := m.b
	if p.Unbuilt == "" && p.Missing == "" && len(p.Rebuilt) == 0 && len(p.Judges) == 0 {
		return nil
	}
	known := false
	base, alone := runtime.Prepared{}, "there is no base to compare with"
	if sides.Base != nil {
		tree, err := sides.Base(ctx)
		switch {
		case ctx.Err() != nil:
			return err
		case err != nil:
			alone = "base could not be prepared to compare: " + err.Error()
		default:
			known, base, alone = true, tree.Prepared(), "base builds"
		}
	}
	own := append(b.TestFiles(), b.Read...)
	anew := each.Where(p.Rebuilt, func(name string) bool { return slices.Contains(own, name) || !slices.Contains(base.Rebuilt, name) })
	m.judgesChanged(p.Judges, base.Judges)
	switch {
	case len(anew) > 0:
		b.Doubt = "what the workflow builds before the tests writes files of the project anew: " + some(anew)
	case p.Missing != "" && known && base.Missing == "":
		b.Doubt, b.Unprepared = p.Missing+"; what base needs can be", "" // said once
	case p.Unbuilt != "" && base.Unbuilt != "":
		b.Unprepared = also(b.Unprepared, "what the workflow builds before the tests fails on head and base alike: "+p.Unbuilt)
	case p.Unbuilt != "":
		b.Doubt = fmt.Sprintf("what the workflow builds before the tests fails (%s): %s", alone, p.Unbuilt)
	}
	return nil
}

// judgesChanged says which installed files that run or judge tests builds and setup
// commands left otherwise than on base: code of the change has a hand in those.
func (m measurer) judgesChanged(head, base map[string]string) {
	var other []string
	for name, digest := range head {
		if was, ok := base[name]; !ok || was != digest {
			other = append(other, name)
		}
	}
	if slices.Sort(other); len(other) > 0 {
		m.b.Command = also(m.b.Command, "what runs before the tests writes to what judges them, and not as on base ("+some(other)+")")
	}
}

// doubted takes back what was green; what failed newly is evidence and stays.
func (b *Baseline) doubted() {
	for i := range b.Runs {
		if run := &b.Runs[i]; run.Head.Inconclusive == "" && !slices.ContainsFunc(run.Tests.Failing, isNew) {
			run.Head.Inconclusive = b.Doubt
		}
	}
}

func isNew(f qa.FailingTest) bool { return f.Triage == qa.NewFailure }

// unheard says of tests that fail on both sides, where something that they may need is
// missing, that they tell nothing: with it they might fail on head alone.
func (b *Baseline) unheard() {
	n := each.Count(b.Tests().Failing, func(f qa.FailingTest) bool { return f.Triage == qa.PreExisting })
	if n > 0 && b.Unprepared != "" {
		b.Command = also(b.Command, fmt.Sprintf("something is missing that tests may need, and what fails on head and base alike (%s) says nothing of the change", wording.Count(n, "test")))
	}
}

// uninstalled gives suites that could not start, or not as a whole, the reason that lies
// before all others: what they need could not be installed, on neither side.
func (b *Baseline) uninstalled(why string) {
	for i := range b.Runs {
		run := &b.Runs[i]
		h := &run.Head
		starts := len(h.Suite.Problems) > 0 && !slices.ContainsFunc(run.Tests.Failing, isNew)
		if why != "" && (h.Inconclusive != "" && h.Suite.Tally().Executed() == 0 || starts) {
			h.Inconclusive, b.Unprepared = why, "" // said once
		}
	}
}
