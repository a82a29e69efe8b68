// Package baseline runs the repository's own tests on head and, as far as it is
// needed, on base, and says what that tells of the suite: which failures are the
// change's, what is covered, and what of the suite did not run. Start at [Start].
package baseline

import (
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/checks"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/targets"
)

// Baseline is what the repository's own tests showed.
type Baseline struct {
	targets.Found
	Runs []executor.Baseline
	// Checked is what the checks of the test scripts said.
	Checked []checks.Outcome
	// Unreached are the suites of which the change can reach nothing.
	Unreached []qa.Impact
	// Driver is where they ran, Levels are the isolation layers there.
	Driver string
	Levels []string
	// Prepared says what was installed for the tests, Unprepared what could not be.
	Prepared   []string
	Unprepared string
	// Doubt is why what passed here tells nothing of the change.
	Doubt string
	// Split says what tests are run by this run alone; the zero value is all of them.
	Split Split
	Need
	// Unrun is what of the change's tests cannot run on this machine.
	Unrun []string
	// Untried says why no test here can run a changed source file, by path.
	Untried map[string]string
	// Command says what is known against a test command, or a configuration of
	// its runner, that the change wrote.
	Command  string
	Coverage Coverage
}

// Need is whether tests have to run, and what later runs can tell of that.
type Need struct {
	// Unneeded says on what evidence no test is run.
	Unneeded string
	// Reading names what else than the commit decides what tests open.
	Reading string
	// Made says that code of the project ran before the suites.
	Made bool
}

// Coverage is that of all targets.
type Coverage struct {
	// Head is nil when none is known; Reason says why.
	Head   *qa.Coverage
	Base   *qa.Coverage
	Patch  *qa.PatchCoverage
	Reason string
	// Part says of which targets alone the coverage is; empty when it is of all.
	Part string
}

// Digest tells one outcome of the baseline from another.
func (b *Baseline) Digest() string {
	text := fmt.Sprint(b.Tests().Head, b.Coverage.Reason)
	for _, c := range []*qa.Coverage{b.Coverage.Head, b.Coverage.Base} {
		if c != nil && c.Lines != nil {
			text += " " + c.Lines.Text()
		}
	}
	return text
}

// Cases are all cases of all targets.
func (b *Baseline) Cases() []qa.Case {
	var out []qa.Case
	for _, run := range b.Runs {
		out = append(out, run.Tests.Cases...)
	}
	return out
}

// Tests joins the targets' tests.
func (b *Baseline) Tests() qa.Tests {
	var out qa.Tests
	all := true
	for _, run := range b.Runs {
		t := run.Tests
		out.Impact = append(out.Impact, t.Impact...)
		out.Head = out.Head.Plus(t.Head)
		out.Seconds += t.Seconds
		out.Cases = append(out.Cases, t.Cases...)
		out.Failing = append(out.Failing, t.Failing...)
		out.Problems = append(out.Problems, t.Problems...)
		out.Removed = append(out.Removed, t.Removed...)
		out.Added = append(out.Added, t.Added...)
		out.NewlySkipped = append(out.NewlySkipped, t.NewlySkipped...)
		if t.Base == nil {
			all = false
			continue
		}
		if out.Base == nil {
			out.Base = &qa.Tally{}
		}
		sum := out.Base.Plus(*t.Base)
		out.Base = &sum
	}
	checks.Tell(b.Checked, &out)
	if !all {
		out.Base = nil
	}
	out.Impact = append(out.Impact, b.Unreached...)
	out.Groups, out.Unneeded = qa.GroupFailures(out.Failing), b.Unneeded
	return out
}

// TestFiles are the repository's test files, as the cases name them.
func (b *Baseline) TestFiles() []string {
	files := each.Of(b.Cases(), func(c qa.Case) string { return c.File })
	return slices.DeleteFunc(each.Sorted(files), func(file string) bool { return file == "" })
}
