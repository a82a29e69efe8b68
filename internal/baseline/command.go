package baseline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/targets"
)

// comparison runs what base would have run on head.
type comparison struct {
	Options
	b  *Baseline
	ws *runtime.Workspace
}

// commandChanged looks whether the change writes the test command anew: then a
// green suite may be a smaller one. Base's own command is run on head as well,
// and what it says is kept unless it passes. Those that head has not are given.
func (c comparison) commandChanged(ctx context.Context) (commands []executor.Target, err error) {
	b := c.b
	if !c.Touches(b.Read...) {
		return nil, nil
	}
	tree, err := c.Copies.Sides(c.ws).Base(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		b.Command = "files that say what is run were changed, and base could not be prepared to compare: " + err.Error()
		return nil, nil
	}
	was, err := targets.Find(targets.Machine(ctx, c.ws), tree.Dir(), c.Config)
	if err != nil {
		b.Command = "files that say what is run were changed, and what base ran cannot be read: " + err.Error()
		return nil, nil
	}
	var said []string
	for i, t := range was.Targets {
		if slices.ContainsFunc(b.Targets, func(now executor.Target) bool { return framework.SameCommand(now.Framework, t.Framework) }) {
			continue
		}
		commands = append(commands, t)
		run, err := c.once(ctx, t, "base-command", i)
		switch {
		case err != nil:
			return nil, fmt.Errorf("run base's test command on head: %w", err)
		case run == nil:
			said = append(said, framework.CommandLine(t.Framework)+" was not run on head: no time was left")
			continue
		}
		if what := b.against(*run); what != "" {
			said = append(said, framework.CommandLine(t.Framework)+" "+what)
		}
		c.Copies.Restore(ctx)
	}
	if len(said) > 0 {
		b.Command = "the test command changes; base's, on head: " + strings.Join(said, "; ")
	}
	return commands, nil
}

// once runs the suite of the i-th target on head once more; nil when no time is left.
func (c comparison) once(ctx context.Context, t executor.Target, as string, i int, tests ...adapter.Selected) (*executor.Run, error) {
	left := c.Time.ForBaseline()
	if left <= 0 {
		return nil, nil
	}
	run, err := executor.Suite(ctx, c.ws, t, executor.Options{Name: fmt.Sprintf("%s-%d", as, i), Tests: tests, Timeout: min(left, c.Config.TaskTimeout),
		Keep: c.Session.Place("results", "baseline", as+"-"+session.Segment(t.Name))})
	return &run, err
}

// against says what base's command shows on head that head's own does not;
// empty when it passes, but for what fails on base too.
func (b *Baseline) against(run executor.Run) string {
	if run.Inconclusive != "" {
		return "cannot be judged: " + run.Inconclusive
	}
	old := map[string]bool{}
	for _, f := range b.Tests().Failing {
		old[f.Case.ID()] = f.Triage == qa.PreExisting || f.Triage == qa.FlakyFailure
	}
	var failing []string
	for _, c := range run.Suite.Cases {
		if c.Status.Bad() && !old[c.ID()] {
			failing = append(failing, c.ID())
		}
	}
	for _, p := range run.Suite.Problems {
		failing = append(failing, p.Where+" ("+p.Kind+")")
	}
	switch n := len(failing); {
	case n > 0:
		return fmt.Sprintf("fails: %s", some(failing))
	case run.Suite.Tally().Passed == 0 && !run.ExitOnly:
		return "runs no test"
	}
	return ""
}
