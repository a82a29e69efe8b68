package assurance

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/source"
)

// maxTrials bounds the mutants one candidate is tried on.
const maxTrials = 12

// useful is G7 and G8.
func (c *Chain) useful(ctx context.Context, v *Verdict, name string, head outcome) (bool, error) {
	run, err := c.suite(ctx, c.Head, selection(v, head.cases), func(o *executor.Options) { o.Coverage = true })
	if err != nil {
		return false, err
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
			if !slices.Contains(c.Covered[f.Path], int(l.Line)) {
				v.Lines[f.Path] = append(v.Lines[f.Path], int(l.Line))
			}
		}
	}
	tried, fair, err := c.kill(ctx, v, name, head, ran, run.Coverage != nil)
	if err != nil {
		return false, err
	}
	v.Kills = len(v.Killed)
	v.Covers = qa.Ranges(v.Lines[v.Candidate.Source])
	switch {
	case v.Class == Capturing, v.noticed, v.missed && len(v.Killed) == tried:
		return true, nil
	case v.missed:
		return v.drop("G8", "of %d mutants it only notices that something is returned", tried), nil
	case len(v.Killed) > 0:
		return v.drop("G8", "the %d mutants it kills crash; its assertions notice none", len(v.Killed)), nil
	case v.Class == NewAPI:
		return v.drop("G8", "the code is new and the test kills no mutant of it"), nil
	case fair > 0:
		return v.drop("G8", "runs changed lines, but notices none of %d mutants there", fair), nil
	case len(v.Lines) > 0:
		return true, nil
	}
	return v.drop("G7", "covers no changed line that was uncovered, and kills no mutant"), nil
}

// A mutant may make code run for ever: it gets a multiple of what the test took
// without it.
const (
	mutantFactor = 5
	mutantFloor  = 5 * time.Second
)

// crash is how a failure begins that no assertion noticed: the mutant broke the
// code so that running it was enough.
var crash = regexp.MustCompile(`^(?:(?:Uncaught )?(?:Type|Reference|Range|Syntax|URI)Error\b|(?:Type|Attribute|Name|Index|Key|Value|Lookup|ZeroDivision|UnboundLocal|Recursion|Runtime|Overflow)Error\b|panic: )`)

// kill tries the mutants nobody killed on the lines the test runs. One that does
// not build says nothing about the test. tried counts those that were
// run, fair those of them that a test need not be at a boundary to notice.
func (c *Chain) kill(ctx context.Context, v *Verdict, name string, head outcome, ran map[string][]int, known bool) (tried, fair int, err error) {
	limit := mutantFloor + time.Duration(mutantFactor*head.seconds*float64(time.Second))
	for _, m := range c.Mutants {
		if known && !slices.Contains(ran[m.Path], m.Line) {
			continue
		}
		if tried == maxTrials {
			return tried, fair, nil
		}
		tried++
		if m.Operator != source.ConditionalBoundary {
			fair++
		}
		within := func(o *executor.Options) {
			if o.Timeout == 0 || o.Timeout > limit {
				o.Timeout = limit
			}
		}
		crashed, late := false, false
		dead, err := c.Try(ctx, m, func() (bool, error) {
			o, err := c.again(ctx, v, name, head.cases, within)
			crashed, late = o.errored || crash.MatchString(o.why) || crash.MatchString(o.output), o.late
			return o.status.Bad(), err
		})
		if err != nil {
			return tried, fair, err
		}
		if late {
			// A busy machine is slow without any mutant: that is no kill.
			o, err := c.again(ctx, v, name, head.cases, within)
			if err != nil {
				return tried, fair, err
			}
			dead = o.status == qa.Passed
		}
		if dead {
			v.Killed = append(v.Killed, m.ID)
			// At a boundary even a crash shows that the test stands exactly there.
			v.noticed = v.noticed || m.Operator == source.ConditionalBoundary || !crashed && m.Operator != source.ReturnValue
			v.missed = v.missed || !crashed && m.Operator == source.ReturnValue
		}
	}
	return tried, fair, nil
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
func (c *Chain) assert(ctx context.Context, v *Verdict, name string, head outcome) (bool, error) {
	all, err := source.Assertions(v.Path, v.placed, name)
	if err != nil || len(all) == 0 {
		return v.drop("G9", "no assertion found"), nil
	}
	turned := 0
	for i, a := range all {
		if !a.Negatable {
			continue
		}
		opposite, err := source.NegateAssertion(v.Path, v.placed, name, i)
		if err != nil {
			continue
		}
		if err := c.Head.Write(v.Path, opposite); err != nil {
			return false, err
		}
		o, err := c.again(ctx, v, name, head.cases, nil)
		if err != nil {
			return false, err
		}
		switch o.status {
		case qa.Passed:
			return v.drop("G9", "still passes when line %d says the opposite: %s", a.Line, strings.TrimSpace(a.Text)), nil
		case qa.Failed, qa.Errored:
			turned++
		}
	}
	if err := c.Head.Write(v.Path, v.placed); err != nil {
		return false, err
	}
	if turned == 0 && len(v.Killed) == 0 {
		return v.drop("G9", "none of its assertions could be tried, and it kills no mutant"), nil
	}
	return true, nil
}
