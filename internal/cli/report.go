package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/finished"
	"github.com/org/qa-action/internal/publish"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/rooted"
)

// reportCommand renders and publishes a finished session: the trusted half of a
// fork's run, which has the token and runs no code of the pull request. The
// session directory is an artifact of the other half and thus hostile: only its
// report.json is read, one that contradicts itself is refused, and all else is
// rendered from it again.
type reportCommand struct {
	config.Inputs `embed:""`
	Session       string `arg:"" optional:"" help:"Session directory, or a directory with one session in it; default: input session, then output-dir."`
}

func (c *reportCommand) Run(ctx context.Context, env *Env) error {
	// There need not be a checkout: nothing of it is used but the config file.
	s := &setup{root: env.Dir}
	if root, err := change.Root(ctx, env.Dir); err == nil {
		s.root = root
	}
	var err error
	if s.config, err = s.configure(env, c.Inputs, c.Config); err != nil {
		return err
	}
	dir, err := c.session(ctx, env, s.config.OutputDir)
	if err != nil {
		return err
	}
	over, err := finished.Read(dir)
	if err != nil {
		return err
	}
	r := over.Report
	a, err := onActions(env)
	if err != nil {
		return err
	}
	if a != nil {
		env.Stderr = env.Stdout
		if err := a.connect(s.config); err != nil {
			return err
		}
		if run := a.Event.Run; run != nil && run.ID > 0 {
			a.Event.RunID = strconv.FormatInt(run.ID, 10) // the full report is an artifact of that run, not of this one
		}
		p := publish.Publication{Target: s.config.WorkingDirectory, Comment: s.config.Comment, Annotations: s.config.Annotations}
		if p.Dir, err = filepath.Rel(env.Dir, over.Dir); err != nil {
			return err
		}
		p.Dir = filepath.ToSlash(p.Dir)
		if p.Stale, err = a.verify(ctx, r); err != nil {
			return err
		}
		if a.Event.Run != nil {
			if err := over.Renew(reporter.Options{Links: a.Links(r)}, a.Say); err != nil {
				return err
			}
			if err := rooted.GiveBack(s.root, over.Dir); err != nil {
				a.Say("ownership: %v", err)
			}
		}
		p.Written = over.Written
		defer func() {
			a.Begin(ctx, p.Target)
			a.Publish(ctx, r, p)
		}()
	}
	o := reporter.Options{Colour: reporter.Colour(env.Getenv, isTerminal(env.Stdout)), CI: a != nil}
	if err := reporter.Render(env.Stdout, "console", r, o); err != nil {
		return err
	}
	return verdict(r.Result)
}

// session is the directory that a report is of.
func (c *reportCommand) session(ctx context.Context, env *Env, out string) (string, error) {
	dir := cmp.Or(c.Session, env.Getenv("INPUT_SESSION"))
	if dir == "" {
		dir = out
		if _, err := outputIn(ctx, env.Dir, dir); err != nil { // a link leads there
			return "", err
		}
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(env.Dir, filepath.FromSlash(dir))
	}
	return dir, nil
}

// verify holds a report to what GitHub says it must be about, and gives it the
// pull request's number from there: the number in an artifact could be anyone's.
func (a *actions) verify(ctx context.Context, r *qa.Report) (stale bool, err error) {
	want := a.Event.Head()
	if want == "" || r.Change.Head != want {
		return false, fmt.Errorf("the report is about commit %.40q, expected %q, the head of the event %s; publish the artifact of that run", r.Change.Head, want, a.Event.Name)
	}
	if r.Repository != a.Event.Repository() {
		return false, fmt.Errorf("the report is about repository %.140q, expected %q", r.Repository, a.Event.Repository())
	}
	r.Change.Number = 0
	switch {
	case a.Event.Pull != nil && !a.Event.Privileged():
		r.Change.Number = a.Event.Pull.Number
	case a.Event.Run != nil:
		if a.Client == nil {
			return false, usageError{errors.New("event workflow_run: input github-token is empty, but the pull request must be looked up")}
		}
		pull, err := a.pullOfRun(ctx)
		if err != nil {
			return false, err
		}
		if pull == nil {
			a.Say("comment: not posted: no open pull request has commit %.7s as its head (closed, or a newer push)", want)
			return true, nil
		}
		r.Change.Number = pull.Number
	}
	return false, nil
}
