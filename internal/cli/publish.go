package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/mode"
	"github.com/org/qa-action/internal/publish"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/wording"
)

const (
	publishTime = 5 * time.Minute
	// A cancelled step has 7.5 seconds until SIGTERM and 2.5 more until the end.
	cancelledTime = 5 * time.Second
)

// fill adds what only the event knows.
func (a *actions) fill(ctx context.Context, env *Env, d *mode.Deps) {
	if a == nil {
		return
	}
	if name := a.Event.Repository(); name != "" {
		d.Repository = name
	}
	d.Files.Commented = gh.Dismissals(ctx, a.Client, a.Event.Pull, a.Say)
	d.Machine.JobContainer = env.Getenv("INPUT_JOB-CONTAINER-ID")
}

// start shows that a run is under way and returns what ends it: publishing, on
// every way out.
func (a *actions) start(ctx context.Context, env *Env, s *setup) func(error) {
	if a == nil {
		return func(error) {}
	}
	// The runner reads two streams in no order; commands and what they are
	// about must be one.
	env.Stderr = env.Stdout
	a.Begin(ctx, s.config.WorkingDirectory)
	return func(why error) { a.finish(ctx, s, why) }
}

// watch runs the loop while the runner obeys no command in what it prints.
func (a *actions) watch(run func() (*mode.Result, error)) (*mode.Result, error) {
	if a == nil {
		return run()
	}
	resume, err := a.Job.Stop()
	if err != nil {
		return nil, err
	}
	if a.result, err = run(); a.result != nil {
		a.Own = a.result.Report
	}
	return a.result, errors.Join(err, resume())
}

// finish publishes whatever there is. ctx may be cancelled; publishing has time
// of its own.
func (a *actions) finish(ctx context.Context, s *setup, why error) {
	limit, cancelled := publishTime, ctx.Err() != nil
	if cancelled {
		limit = cancelledTime
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer stop()
	defer func() {
		settle(a.Log, a.result)
		if err := rooted.GiveBack(s.root, filepath.Join(s.root, filepath.FromSlash(s.config.OutputDir)), filepath.Join(s.root, ".git")); err != nil {
			a.Say("ownership: %v", err)
		}
	}()
	if a.result == nil || a.result.Report == nil {
		a.WithoutReport(ctx, cancelled, why)
		if s.config.Comment && !cancelled {
			a.Overwrite(ctx, s.config.WorkingDirectory, why)
		}
		return
	}
	rel, err := filepath.Rel(s.root, a.result.Dir)
	if err != nil {
		a.Say("publish: %v", err)
		a.WithoutReport(ctx, cancelled, err)
		return
	}
	a.Publish(ctx, a.result.Report, publish.Publication{
		Dir: filepath.ToSlash(rel), Written: a.result.Files, Target: s.config.WorkingDirectory,
		Comment: s.config.Comment, Annotations: s.config.Annotations, Review: s.config.ReviewComments, Cancelled: cancelled, Carry: a.result.Carry,
	})
}

// settle ends the session of a run whose result has gone where it belongs.
func settle(log io.Writer, res *mode.Result) {
	if res == nil {
		return
	}
	if err := res.Done(); err != nil {
		fmt.Fprintf(log, "qa: session: %s\n", gh.Disarmed(wording.Line(err.Error(), 600)))
	}
}
