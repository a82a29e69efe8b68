package mode

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
)

// commandChanged looks whether the change writes the test command anew: then a
// green suite may be a smaller one. Base's own command is run on head as well,
// and what it says is kept unless it passes.
func (b *baseline) commandChanged(ctx context.Context, r *run, ws *runtime.Workspace) error {
	if !r.touches(b.read) || r.Change.Base == "" || len(b.runs) == 0 {
		return nil
	}
	sides := r.place.sides(ws)
	tree, err := sides.Base(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		b.command = "files that say what is run were changed, and base could not be prepared to compare: " + err.Error()
		return nil
	}
	was := &baseline{also: map[string]string{}}
	if err := was.detect(machine(ctx, ws), tree.Dir(), r.Config); err != nil {
		b.command = "files that say what is run were changed, and what base ran cannot be read: " + err.Error()
		return nil
	}
	var said []string
	for i, t := range was.targets {
		if slices.ContainsFunc(b.targets, func(now executor.Target) bool { return framework.SameCommand(now.Framework, t.Framework) }) {
			continue
		}
		left := r.leftForBaseline()
		if left <= 0 {
			said = append(said, t.Framework.CommandLine()+" was not run on head: no time was left")
			continue
		}
		run, err := executor.Suite(ctx, ws, t, executor.Options{Name: fmt.Sprintf("base-command-%d", i), Timeout: min(left, r.Config.TaskTimeout),
			Keep: r.session.Place("results", "baseline", "base-command-"+safeName(t.Name))})
		if err != nil {
			return fmt.Errorf("run base's test command on head: %w", err)
		}
		if what := b.against(run); what != "" {
			said = append(said, t.Framework.CommandLine()+" "+what)
		}
		r.place.restore(ctx)
	}
	if len(said) > 0 {
		b.command = "the test command changes; base's, on head: " + strings.Join(said, "; ")
	}
	return nil
}

// against says what base's command shows on head that head's own does not;
// empty when it passes, but for what fails on base too.
func (b *baseline) against(run executor.Run) string {
	if run.Inconclusive != "" {
		return "cannot be judged: " + run.Inconclusive
	}
	old := map[string]bool{}
	for _, f := range b.tests().Failing {
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

// touches reports whether the change wrote, removed or renamed one of the files.
func (r *run) touches(files []string) bool {
	return slices.ContainsFunc(r.Change.Files, func(f qa.FileChange) bool {
		return slices.Contains(files, f.Path) || slices.Contains(files, f.BasePath())
	})
}
