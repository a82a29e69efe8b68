package assurance

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/source"
)

// maxTrials bounds the mutants one candidate is tried on.
const maxTrials = 12

// useful is G7 and G8.
func (c *Chain) useful(ctx context.Context, v *Verdict, name string, cases []qa.Case) (bool, error) {
	o, run, err := c.again(ctx, c.Head, v, name, cases, func(o *executor.Options) { o.Coverage = true })
	if err != nil {
		return false, err
	}
	if o.status != qa.Passed {
		return v.drop("G6", "passes with its file and %s alone", o.status), nil
	}
	v.Lines = map[string][]int{}
	ran := map[string][]int{}
	for _, f := range c.Change {
		file := run.Coverage.File(f.Path)
		if file == nil {
			continue
		}
		for _, l := range file.Lines {
			if l.Hits == 0 || !f.Touches(qa.Range{Start: int(l.Line), End: int(l.Line)}) {
				continue
			}
			ran[f.Path] = append(ran[f.Path], int(l.Line))
			if !lineSet(c.Covered, f.Path, l.Line) {
				v.Lines[f.Path] = append(v.Lines[f.Path], int(l.Line))
			}
		}
	}
	if err := c.kill(ctx, v, name, cases, ran, run.Coverage != nil); err != nil {
		return false, err
	}
	v.Kills = len(v.Killed)
	v.Covers = qa.Ranges(v.Lines[v.Candidate.Source])
	switch {
	case v.Class == Capturing, len(v.Killed) > 0:
		return true, nil
	case v.Class == NewAPI:
		return v.drop("G8", "the code is new and the test kills no mutant of it"), nil
	case len(v.Lines) > 0:
		return true, nil
	}
	return v.drop("G7", "covers no changed line that was uncovered, and kills no mutant"), nil
}

// kill tries the mutants nobody killed on the lines the test runs.
func (c *Chain) kill(ctx context.Context, v *Verdict, name string, cases []qa.Case, ran map[string][]int, known bool) error {
	trials := 0
	for _, m := range c.Mutants {
		if known && !slices.Contains(ran[m.Path], m.Line) {
			continue
		}
		if trials++; trials > maxTrials {
			return nil
		}
		dead, err := c.Try(ctx, m, func() (bool, error) {
			o, _, err := c.again(ctx, c.Head, v, name, cases, nil)
			return o.status != qa.Passed, err
		})
		if err != nil {
			return err
		}
		if dead {
			v.Killed = append(v.Killed, m.ID)
		}
	}
	return nil
}

// Try puts a mutant into the head tree, asks whether it is noticed, and takes
// it out again.
func (c *Chain) Try(ctx context.Context, m source.Mutant, noticed func() (bool, error)) (bool, error) {
	src, err := c.Read(m.Path)
	if err != nil {
		return false, fmt.Errorf("try mutant: %w", err)
	}
	if err := c.Head.Write(m.Path, source.Apply(src, m)); err != nil {
		return false, fmt.Errorf("try mutant: %w", err)
	}
	dead, err := noticed()
	if back := c.Head.Write(m.Path, src); back != nil {
		return dead, fmt.Errorf("take mutant out: %w", back)
	}
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return dead, err
}

// assert is G9: every assertion turned into its opposite must make the test
// fail. One that cannot be turned says nothing; a test of which none can be
// turned must have killed a mutant.
func (c *Chain) assert(ctx context.Context, v *Verdict, placed []byte, name string) (bool, error) {
	all, err := source.Assertions(v.Path, placed, name)
	if err != nil || len(all) == 0 {
		return v.drop("G9", "no assertion found"), nil
	}
	turned := 0
	for i, a := range all {
		if !a.Negatable {
			continue
		}
		opposite, err := source.NegateAssertion(v.Path, placed, name, i)
		if err != nil {
			continue
		}
		turned++
		if err := c.Head.Write(v.Path, opposite); err != nil {
			return false, err
		}
		o, _, err := c.outcome(ctx, c.Head, v, name)
		if err != nil {
			return false, err
		}
		if o.status == qa.Passed {
			return v.drop("G9", "still passes when line %d says the opposite: %s", a.Line, strings.TrimSpace(a.Text)), nil
		}
	}
	if err := c.Head.Write(v.Path, placed); err != nil {
		return false, err
	}
	if turned == 0 && len(v.Killed) == 0 {
		return v.drop("G9", "none of its assertions could be tried, and it kills no mutant"), nil
	}
	return true, nil
}

// maxPerFile bounds the accepted tests of one file.
const maxPerFile = 12

// minimise is G11: a test whose lines and mutants others have is dropped; those
// that capture the change stay.
func (c *Chain) minimise(verdicts []Verdict) {
	lines, mutants, perFile := map[string]bool{}, map[string]bool{}, map[string]int{}
	for i := range verdicts {
		v := &verdicts[i]
		if !v.Kept {
			continue
		}
		fresh := v.Class == Capturing
		for path, ns := range v.Lines {
			for _, n := range ns {
				key := fmt.Sprintf("%s:%d", path, n)
				fresh = fresh || !lines[key]
				lines[key] = true
			}
		}
		for _, id := range v.Killed {
			fresh = fresh || !mutants[id]
			mutants[id] = true
		}
		if perFile[v.Path]++; !fresh {
			v.drop("G11", "what it covers and kills, others do")
		} else if perFile[v.Path] > maxPerFile {
			v.drop("G11", "more than %d tests for one file", maxPerFile)
		}
	}
}

// whole is G12: with everything that was kept, the suite must be as green as
// without. A kept test that fails there is dropped; a test of the project that
// fails only now takes all of them down.
func (c *Chain) whole(ctx context.Context, verdicts []Verdict) error {
	if !slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.Kept }) {
		return nil
	}
	run, err := c.suite(ctx, c.Head, nil, nil)
	if err != nil {
		return err
	}
	blame := run.Inconclusive
	dropped := false
	for _, k := range run.Suite.Cases {
		if !k.Status.Bad() || c.Failing[k.ID()] {
			continue
		}
		mine := slices.IndexFunc(verdicts, func(v Verdict) bool { return v.Kept && matches(k, v.Path, v.Name) })
		if mine >= 0 {
			verdicts[mine].drop("G12", "fails in the whole suite: %s", k.Message)
			dropped = true
			continue
		}
		blame = "makes " + k.ID() + " fail"
	}
	for i := range verdicts {
		if blame != "" && verdicts[i].Kept {
			verdicts[i].drop("G12", "%s", blame)
			dropped = true
		}
	}
	if dropped {
		return c.rebuild(verdicts)
	}
	return nil
}
