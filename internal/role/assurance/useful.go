package assurance

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/mutant"
)

// maxTrials bounds the mutants one candidate is tried on.
const maxTrials = 12

// useful is G7 and G8.
func (t trial) useful(ctx context.Context) (bool, error) {
	run, err := t.suite(ctx, t.Head, selection(t.v, t.head.cases), func(o *executor.Options) { o.Coverage = true })
	if err != nil {
		return false, err
	}
	t.v.Lines = map[string][]int{}
	for _, f := range t.Change {
		file := run.Coverage.File(f.Path)
		if file == nil {
			continue
		}
		for _, l := range file.Lines {
			if l.Hits == 0 || !f.Touches(qa.Range{Start: int(l.Line), End: int(l.Line)}) {
				continue
			}
			if !slices.Contains(t.Covered[f.Path], int(l.Line)) {
				t.v.Lines[f.Path] = append(t.v.Lines[f.Path], int(l.Line))
			}
		}
	}
	on, err := t.kill(ctx, run.Coverage)
	if err != nil {
		return false, err
	}
	t.v.Covers = qa.Ranges(t.v.Lines[t.v.Candidate.Source])
	if err := t.onFormer(ctx); err != nil {
		return false, err
	}
	gate, why := t.v.gains(on)
	if gate == "G8" {
		if err := (further{t}).try(ctx, &on); err != nil {
			return false, err
		}
		gate, why = t.v.gains(on)
	}
	t.v.Kills = len(t.v.Killed)
	return gate == "" || t.v.drop(gate, "%s", why), nil
}

// tally counts the mutants that one test was run on.
type tally struct {
	tried int
	fair  int // those that a test need not stand at a boundary to notice
	own   int // the fair ones on lines that no other test runs
}

// gains decides G7 and G8. Mutants that live on lines which other tests run as well
// say nothing about the lines that this one alone runs.
func (v *Verdict) gains(on tally) (gate, why string) {
	switch {
	case v.former != "", v.Class == capturing, v.noticed, v.missed && len(v.Killed) == on.tried:
		return "", ""
	case v.missed:
		return "G8", fmt.Sprintf("of %d mutants it only notices that something is returned", on.tried)
	case len(v.Killed) > 0:
		return "G8", fmt.Sprintf("the %d mutants it kills crash; its assertions notice none", len(v.Killed))
	case v.Class == newAPI:
		return "G8", "the code is new and the test kills no mutant of it"
	case on.own > 0:
		return "G8", fmt.Sprintf("runs changed lines that no other test runs, but notices none of %d mutants there", on.own)
	case len(v.Lines) > 0:
		return "", ""
	case on.fair > 0:
		return "G8", fmt.Sprintf("runs changed lines, but notices none of %d mutants there", on.fair)
	}
	return "G7", "covers no changed line that was uncovered, and kills no mutant"
}

// raised has the file of the function that called panic in Go, and of which others follow.
var raised = pattern.New(`(?m)^panic\([^\n]*\n\t[^\n]*\n[^\n]+\n\t([^\s:]+):\d+`)

// checked reports a panic of Go that a test raised itself, or a helper beside it: so the
// assertions of some projects speak.
func (o outcome) checked() bool {
	at := raised.FindStringSubmatch(o.output)
	return at != nil && strings.HasSuffix(at[1], "_test.go") && !strings.Contains(o.output, "panic: runtime error")
}

// crashed reports a failure that no assertion noticed.
func (o outcome) crashed() bool {
	if o.checked() {
		return o.errored
	}
	return o.errored || qa.Crash(o.why) || qa.Crash(o.output)
}

// kill tries the mutants nobody killed on the lines the test runs, those that it alone
// runs first. One that does not build says nothing about the test.
func (t trial) kill(ctx context.Context, ran *qa.Coverage) (on tally, err error) {
	own := func(m mutant.Mutant) bool { return slices.Contains(t.v.Lines[m.Path], m.Line) }
	others := func(m mutant.Mutant) bool { return !own(m) }
	for _, m := range slices.Concat(each.Where(t.Mutants, own), each.Where(t.Mutants, others)) {
		at, sure := true, true
		if ran != nil {
			at, sure = reached(ran.File(m.Path), m.Line)
		}
		if standing, err := t.standing(m.Path); err == nil {
			original, err := t.Read(m.Path)
			at = at && err == nil && fits(m, original, standing)
		}
		if !at {
			continue
		}
		if on.tried == maxTrials {
			return on, nil
		}
		o, settled, err := t.noticed(ctx, m)
		if err != nil {
			return on, err
		}
		if !settled || o.status == qa.NotRun || !sure && !o.status.Bad() {
			continue
		}
		on.add(m, own(m))
		if o.status.Bad() {
			t.v.heard(m, o)
		}
	}
	return on, nil
}

// add counts a mutant that the test was run on.
func (on *tally) add(m mutant.Mutant, own bool) {
	on.tried++
	if m.Operator != mutant.ConditionalBoundary {
		on.fair++
		if own {
			on.own++
		}
	}
}

// heard notes that the test fails on a mutant.
func (v *Verdict) heard(m mutant.Mutant, o outcome) {
	v.Killed = append(v.Killed, m.ID)
	v.noticed = v.noticed || tells(m, o)
	v.missed = v.missed || !o.crashed() && m.Operator == mutant.ReturnValue
}

// tells reports that a failure on a mutant shows an assertion that watches. At a boundary
// even a crash shows that the test stands exactly there.
func tells(m mutant.Mutant, o outcome) bool {
	return m.Operator == mutant.ConditionalBoundary || !o.crashed() && m.Operator != mutant.ReturnValue
}

// reached reports whether a line may have been run. Formats count statements
// where they begin: of the condition at the end of a loop, of a case, or of a
// statement's second line, they know nothing. The lines beside it speak for such
// a line; when they did not run either, it may still have been looked at, and
// sure is false.
func reached(file *qa.FileCoverage, line int) (at, sure bool) {
	if file == nil {
		return false, true
	}
	ran := func(l qa.LineHit) bool { return l.Hits > 0 }
	i := sort.Search(len(file.Lines), func(i int) bool { return int(file.Lines[i].Line) >= line })
	if i < len(file.Lines) && int(file.Lines[i].Line) == line {
		return ran(file.Lines[i]), true
	}
	beside := file.Lines[max(0, i-1):min(len(file.Lines), i+1)]
	return slices.ContainsFunc(file.Lines, ran), slices.ContainsFunc(beside, ran)
}

// noticed runs a test on a mutant. settled is false when the machine is too busy
// to tell.
func (t trial) noticed(ctx context.Context, m mutant.Mutant) (mutated outcome, settled bool, err error) {
	trial := func(limit time.Duration, with bool) (Took, error) {
		run, err := t.once(ctx, t.Head, selection(t.v, t.head.cases), func(o *executor.Options) {
			if o.Timeout == 0 || o.Timeout > limit && limit > 0 {
				o.Timeout = limit
			}
		})
		if with {
			mutated = found(run, t.v, t.name)
		}
		return Took{Seconds: run.Seconds, Ended: !ended(run)}, err
	}
	late, err := Late(t.head.seconds,
		func(limit time.Duration) (Took, error) {
			var took Took
			err := t.Try(ctx, m, func() (err error) { took, err = trial(limit, true); return err })
			return took, err
		},
		func() (Took, error) { return trial(0, false) })
	return mutated, late != Unsettled, err
}

// assert is G9: every assertion turned into its opposite must make the test
// fail. One that cannot be turned says nothing; a test of which none can be
// turned must have killed a mutant.
func (t trial) assert(ctx context.Context) (bool, error) {
	all, err := edit.Assertions(t.v.Path, t.v.placed, t.name)
	if err != nil || len(all) == 0 {
		return t.v.drop("G9", "no assertion found"), nil
	}
	turned := 0
	for i, a := range all {
		if !a.Negatable {
			continue
		}
		opposite, err := edit.Negate(t.v.Path, t.v.placed, t.name, i)
		if err != nil {
			continue
		}
		if err := t.Head.Write(t.v.Path, opposite); err != nil {
			return false, err
		}
		o, err := t.again(ctx, nil)
		if err != nil {
			return false, err
		}
		switch o.status {
		case qa.Passed:
			return t.v.drop("G9", "still passes when line %d says the opposite: %s", a.Line, strings.TrimSpace(a.Text)), nil
		case qa.Failed, qa.Errored:
			turned++
		}
	}
	if err := t.Head.Write(t.v.Path, t.v.placed); err != nil {
		return false, err
	}
	if turned == 0 && len(t.v.Killed) == 0 {
		return t.v.drop("G9", "none of its assertions could be tried, and it kills no mutant"), nil
	}
	return true, nil
}
