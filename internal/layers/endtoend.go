package layers

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/wording"
)

// endToEnd runs the configured end-to-end commands. The exit code is the only
// report of each, so it counts as one test and measures no coverage. One that
// fails is run once more, and then on base, to tell whose failure that is.
func (m Meter) endToEnd(ctx context.Context, l *qa.LayerResult) error {
	ws, err := m.Copies.Open(ctx)
	if err != nil {
		return err
	}
	var sum qa.Tally
	for _, s := range m.Config.EndToEnd() {
		t, err := m.command(ctx, l, ws, m.Copies.Sides(ws), s)
		if err != nil || l.Reason != "" { // without the whole of it nothing is known
			return err
		}
		sum = sum.Plus(t)
	}
	l.State, l.Tally, l.PassRate = "measured", &sum, sum.PassRate()
	return nil
}

// command runs one of the commands on head and, where it fails, on base.
func (m Meter) command(ctx context.Context, l *qa.LayerResult, head executor.Tree, sides executor.Sides, s config.Step) (qa.Tally, error) {
	what := "the end-to-end command"
	if s.Name != "" {
		what += " of " + s.Name
	}
	defer m.Copies.Restore(ctx)
	first, why, err := m.runs(ctx, head, s)
	switch {
	case err != nil:
		return qa.Tally{}, err
	case why != "":
		l.Reason = what + " " + why
		return qa.Tally{}, nil
	case first.ExitCode == 0:
		return qa.Tally{Tests: 1, Passed: 1}, nil
	}
	m.Copies.Restore(ctx)
	if again, why, err := m.runs(ctx, head, s); err != nil || why == "" && again.ExitCode == 0 {
		l.Failed = append(l.Failed, what+" failed once and passed when it was repeated")
		return qa.Tally{Tests: 1, Flaky: 1}, err
	}
	onBase, passes, err := m.onBase(ctx, sides, s)
	if passes {
		l.NewFailures++
	}
	l.Failed = append(l.Failed, fmt.Sprintf("%s exits with %d%s, on base %s", what, first.ExitCode, lastWords(first), onBase))
	return qa.Tally{Tests: 1, Failed: 1}, err
}

// onBase says what a command does on base. Where that cannot be told its failure on
// head counts as new.
func (m Meter) onBase(ctx context.Context, sides executor.Sides, s config.Step) (says string, fresh bool, err error) {
	if sides.Base == nil {
		return "unknown (there is none)", true, nil
	}
	base, err := sides.Base(ctx)
	if err != nil {
		return "unknown: " + wording.Line(err.Error(), 200), true, ctx.Err()
	}
	res, why, err := m.runs(ctx, base, s)
	switch {
	case why != "" || err != nil:
		return "unknown: it " + cmp.Or(why, "was stopped"), true, err
	case res.ExitCode == 0:
		return "it passes", true, nil
	}
	return fmt.Sprintf("with %d", res.ExitCode), false, nil
}

// runs runs a command; why says that it came to no end of its own.
func (m Meter) runs(ctx context.Context, tree executor.Tree, s config.Step) (res process.Result, why string, err error) {
	res, err = tree.Run(ctx, runtime.Command{Argv: copies.Shell(s.Command), Dir: s.Dir, Timeout: m.Config.TaskTimeout, Live: m.Live})
	switch {
	case ctx.Err() != nil:
		return res, "", cmp.Or(err, context.Cause(ctx))
	case err != nil:
		return res, "could not be started: " + err.Error(), nil
	case res.TimedOut:
		return res, "did not end within its time", nil
	}
	return res, "", nil
}

// lastWords is the line of an output that says most of a failure.
func lastWords(res process.Result) string {
	if line := strings.TrimSpace(diagnosis.Line(res.Stderr, res.Stdout)); line != "" {
		return " (" + wording.Line(line, 200) + ")"
	}
	return ""
}
