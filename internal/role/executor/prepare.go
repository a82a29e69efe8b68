package executor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime"
)

// script is the script of package.json for which a package manager would run the tests.
func (t Target) script() *runtime.Script {
	if called := t.Framework.Called; called.Name != "" {
		return &runtime.Script{Dir: called.Dir, Name: called.Name}
	}
	if how, err := framework.For(t.Framework.Framework); err == nil && how.Language == "javascript" {
		return &runtime.Script{Dir: t.Framework.Dir} // as npx runs it
	}
	return nil
}

// prepare runs what the test script runs before the tests. why says what failed;
// the error is a cancellation or a fault of our own.
func prepare(ctx context.Context, tree Tree, t Target) (why string, err error) {
	for _, argv := range t.Framework.Before {
		line := strings.Join(argv, " ")
		res, err := tree.Prepare(ctx, runtime.Command{Argv: argv, Dir: t.Framework.Dir, Env: t.Framework.Env, Script: t.script()})
		switch {
		case ctx.Err() != nil:
			return "", fmt.Errorf("prepare the tests of %s: %w", t.Name, context.Cause(ctx))
		case err != nil && errors.Is(err, process.ErrNotFound):
			return fmt.Sprintf("what the test script runs before the tests could not be started: %s: %v", line, err), nil
		case err != nil:
			return "", fmt.Errorf("prepare the tests of %s: %w", t.Name, err)
		case res.TimedOut:
			return fmt.Sprintf("what the test script runs before the tests did not end within its time (%.0f s): %s", res.Seconds, line), nil
		case res.ExitCode != 0 || res.Signal != "":
			d := diagnosis.Of(res.ExitCode, res.Stderr, res.Stdout, nil)
			d.Said = line
			return "what the test script runs before the tests failed: " + d.String(), nil
		}
	}
	return "", nil
}

// Prepared is [Suite] with what comes before it.
func Prepared(ctx context.Context, tree Tree, t Target, o Options) (Run, error) {
	if why, err := prepare(ctx, tree, t); why != "" || err != nil {
		return Run{Target: t.Name, Inconclusive: why}, err
	}
	return Suite(ctx, tree, t, o)
}

// exitAgain repeats a command that failed and of which only the exit code is
// known: what passes then comes and goes.
func (b *Baseline) exitAgain(ctx context.Context, tree Tree, o BaselineOptions) error {
	if !b.Head.ExitOnly || len(b.Head.Suite.Problems) == 0 {
		return nil
	}
	again, ok, err := b.first(ctx, tree, o, Options{Name: "exit-again"})
	b.ExitFlaky = ok && err == nil && again.Inconclusive == "" && len(again.Suite.Problems) == 0
	return err
}
