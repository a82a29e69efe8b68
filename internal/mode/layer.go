package mode

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
)

// part runs only the tests of one layer and measures what they cover.
func (r *run) part(ctx context.Context, l *qa.LayerResult, cases []qa.Case) error {
	ws, err := r.place.open(ctx)
	if err != nil {
		return err
	}
	var (
		tests qa.Tests
		heads []*qa.Coverage
	)
	preexisting := map[string]qa.Triage{}
	for _, f := range r.base.tests().Failing {
		preexisting[f.Case.ID()] = f.Triage
	}
	for _, b := range r.base.runs {
		mine := executor.Of(l.Layer, b.Tests.Cases)
		if len(mine) == 0 {
			continue
		}
		run, err := executor.Suite(ctx, ws, b.Target, executor.Options{
			Name: "layer-" + string(l.Layer), Keep: filepath.Join(r.session.Dir(), "results", "run-"+string(l.Layer), safeName(b.Target.Name)),
			Coverage: true, Tests: executor.Files(mine), Timeout: r.Config.TaskTimeout, Live: r.Live,
		})
		if err != nil {
			return err
		}
		if run.Inconclusive != "" {
			l.Reason = b.Target.Name + ": " + run.Inconclusive
			return nil
		}
		tests.Head = plus(tests.Head, run.Suite.Tally())
		for _, c := range run.Suite.Cases {
			if c.Status.Bad() {
				tests.Failing = append(tests.Failing, qa.FailingTest{Case: c, Triage: preexisting[c.ID()]})
			}
		}
		if run.Coverage != nil {
			heads = append(heads, run.Coverage)
			r.file("results/run-"+string(l.Layer)+"/"+safeName(b.Target.Name)+"/measured.json", countersOf(run.Coverage))
		}
	}
	tally := tests.Head
	l.State, l.Tally, l.PassRate = "measured", &tally, quality.PassRate(tests)
	if len(heads) == 0 {
		l.Reason = "coverage of the layer is unknown"
		return nil
	}
	joined := coverage.Merge(heads...)
	l.Lines = joined.Lines
	if p := coverage.Patch(joined, r.Change.Files, coverage.PatchOptions{Exclude: r.Config.Exclude}); p.Lines.Total > 0 {
		l.Patch = &p.Lines
	}
	return nil
}

// endToEnd runs the configured end-to-end command; its exit code is its only
// report, so it counts as one test and measures no coverage.
func (r *run) endToEnd(ctx context.Context, l *qa.LayerResult) error {
	ws, err := r.place.open(ctx)
	if err != nil {
		return err
	}
	res, err := ws.Run(ctx, runtime.Command{Argv: shell(r.Config.E2eCommand), Dir: r.Config.WorkingDirectory, Timeout: r.Config.TaskTimeout, Live: r.Live})
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		l.Reason = fmt.Sprintf("the end-to-end command could not be started: %v", err)
		return nil
	}
	if res.TimedOut {
		l.Reason = "the end-to-end command did not end within its time"
		return nil
	}
	t := qa.Tally{Tests: 1, Passed: 1}
	if res.ExitCode != 0 {
		t = qa.Tally{Tests: 1, Failed: 1}
	}
	l.State, l.Tally, l.PassRate = "measured", &t, t.PassRate()
	return nil
}

// safeName makes a target's name a path segment, another one for every name.
func safeName(name string) string {
	lossy := false
	safe := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_':
			return c
		case c == '/':
			return '+'
		}
		lossy = true
		return '-'
	}, name)
	switch {
	case name == "" || name == ".":
		return "root"
	case lossy || name == "root":
		return safe + "+" + digestOf([]byte(name))[:6]
	}
	return safe
}
