package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/mode"
	"github.com/org/qa-action/internal/publish"
)

// actions is the GitHub side of a command; nil outside of Actions, where every
// method does nothing.
type actions struct {
	publish.Publisher
	token  string
	result *mode.Result
}

// publisher is where reports go; nil outside of Actions.
func (a *actions) publisher() *publish.Publisher {
	if a == nil {
		return nil
	}
	return &a.Publisher
}

// onActions reads the event that started the run; nil outside of Actions.
func onActions(env *Env) (*actions, error) {
	if env.Getenv("GITHUB_ACTIONS") != "true" {
		return nil, nil
	}
	event, err := gh.ReadEvent(env.Getenv)
	if err != nil {
		return nil, err
	}
	return &actions{Publisher: publish.Publisher{Event: event, Job: gh.NewJob(env.Getenv, env.Stdout), Log: env.Stdout}}, nil
}

// connect makes the API client, if there is a token for it.
func (a *actions) connect(c *config.Config) error {
	if err := a.Job.Mask(c.Secrets()...); err != nil {
		return err
	}
	if c.GithubToken == "" {
		return nil
	}
	var err error
	a.token = c.GithubToken
	a.Client, err = gh.New(gh.Options{URL: a.Event.APIURL, Token: c.GithubToken, Owner: a.Event.Owner, Repo: a.Event.Repo, Version: Version})
	return err
}

// fromEvent sets up by the event: the change is the event's, and on a
// pull request everything that decides how strict we are (configuration,
// dismissals, owners) comes from the base commit, never from the pull request.
func (s *setup) fromEvent(ctx context.Context, env *Env, in config.Inputs) error {
	a := s.actions
	in, err := a.ask(env, in)
	if err != nil {
		return err
	}
	// The config file is not known before the change is, so the inputs that
	// the change depends on are first taken without it.
	early, err := config.Load(config.Sources{Flags: in, Getenv: env.Getenv})
	if err != nil {
		return usageError{err}
	}
	if err := a.connect(early); err != nil {
		return err
	}
	if err := a.admit(ctx, early); err != nil {
		return err
	}
	name := cmp.Or(in.Config, env.Getenv(config.EnvName("config")))
	if a.Event.Pull == nil {
		if s.config, err = s.configure(env, in, name); err != nil {
			return err
		}
		return s.detect(ctx)
	}
	s.config = early
	if err := s.detect(ctx); err != nil {
		return err
	}
	// Never empty, because that would mean the working copy.
	s.trusted = cmp.Or(s.change.Base, a.Event.Pull.BaseSHA, strings.Repeat("0", 40))
	named := name != ""
	if !named {
		name = ".github/qa.yml"
	}
	file, err := s.content(ctx, s.trusted, name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && named:
		return usageError{fmt.Errorf("config file %s is not in the base commit %.7s; on a pull request it is read from there", name, s.trusted)}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if s.config, err = config.Load(config.Sources{Flags: in, Getenv: env.Getenv, File: file, FileName: name + " (base commit)"}); err != nil {
		return usageError{err}
	}
	if s.config.Base != early.Base || s.config.All != early.All || s.config.OutputDir != early.OutputDir {
		return s.detect(ctx)
	}
	return nil
}

// ask adds to the inputs what the event itself asks for.
func (a *actions) ask(env *Env, in config.Inputs) (config.Inputs, error) {
	if a.Event.ChangesNothing != "" {
		return in, done(a.Event.ChangesNothing)
	}
	switch a.Event.Name {
	case "schedule": // nothing changed: look at everything
		if in.Scope == "" && env.Getenv(config.EnvName("scope")) == "" {
			in.Scope = "all"
		}
	case "issue_comment":
		command, ok := gh.ParseCommand(a.Event.Comment.Body, []string{string(config.Auto), string(config.Discovery), string(config.Testing), string(config.Full)})
		if !ok {
			return in, done("the comment does not begin with /qa")
		}
		a.Asked = command.Explain
		if command.Mode != "" {
			in.Mode = command.Mode
		}
		if command.Task != "" {
			in.Task = command.Task
		}
	}
	return in, nil
}

// admit decides whether the event may run the code of a pull request, and finds
// the pull request that it is about.
func (a *actions) admit(ctx context.Context, c *config.Config) error {
	e := &a.Event
	if !e.Privileged() {
		return nil
	}
	if !c.AcceptUntrusted {
		return withHint(usageError{fmt.Errorf("event %s: this run may hold secrets and a token that writes, so the code of a pull request is not run here", e.Name)},
			"use the event pull_request; to publish for forks add a second workflow with workflow_run and command: report",
			"accept-untrusted-event: true runs it anyway, when nothing in the job is worth stealing")
	}
	if e.Name == "pull_request_target" {
		return nil
	}
	if a.Client == nil {
		return usageError{fmt.Errorf("event %s: input github-token is empty, but the pull request must be looked up", e.Name)}
	}
	if e.Name == "issue_comment" {
		if err := a.Client.MayWrite(ctx, *e.Comment); errors.Is(err, gh.ErrNotAllowed) {
			return done(err.Error())
		} else if err != nil {
			return err
		}
		pull, err := a.Client.Pull(ctx, e.Pull.Number)
		if err != nil {
			return err
		}
		e.Pull = pull
		return nil
	}
	pull, err := a.pullOfRun(ctx)
	if err != nil {
		return err
	}
	if pull == nil {
		return done("no open pull request has the commit of the workflow run as its head")
	}
	e.Pull = pull
	return nil
}

// pullOfRun finds the pull request that a workflow run was about; nil when it
// is closed or has a newer head.
func (a *actions) pullOfRun(ctx context.Context) (*gh.Pull, error) {
	r := a.Event.Run
	if r == nil || r.HeadSHA == "" {
		return nil, errors.New("event workflow_run: the payload names no head commit")
	}
	return a.Client.PullAt(ctx, r.HeadOwner, r.HeadRepo, r.HeadBranch, r.HeadSHA)
}

// options are how the change is detected for the event.
func (a *actions) options(o change.Options) change.Options {
	if a == nil {
		return o
	}
	e := a.Event
	o.Fetch = true
	o.Event = change.Event{Name: e.Name, CheckedOut: e.SHA}
	var r *gh.Range
	switch {
	case e.Pull != nil:
		r = &e.Pull.Range
		o.Event.Number, o.Event.Title, o.Event.Body = e.Pull.Number, e.Pull.Title, e.Pull.Body
		if e.Name != "pull_request_target" {
			o.Event.Name = "pull_request"
		}
	case e.Group != nil:
		r = e.Group
	case e.Push != nil:
		r = e.Push
	}
	if r != nil {
		o.Event.BaseSHA, o.Event.BaseRef, o.Event.HeadSHA, o.Event.HeadRef = r.BaseSHA, r.BaseRef, r.HeadSHA, r.HeadRef
	}
	o.Server = e.ServerURL
	if a.Client == nil {
		return o
	}
	o.MergeBase, o.Token = a.Client.MergeBase, a.token
	if e.Pull != nil && e.Pull.Number > 0 {
		o.List = a.list
	}
	return o
}

// list asks for the files of the pull request.
func (a *actions) list(ctx context.Context) ([]change.Listed, int, error) {
	files, total, err := a.Client.Files(ctx, a.Event.Pull.Number)
	out := make([]change.Listed, 0, len(files))
	for _, f := range files {
		out = append(out, change.Listed{Path: f.Path, OldPath: f.Previous, Status: f.Status, Patch: f.Patch, Lines: f.Lines})
	}
	return out, total, err
}

// content reads a file of a commit: from the clone, or from the code host when
// the commit could not be brought here.
func (s *setup) content(ctx context.Context, commit, path string) ([]byte, error) {
	raw, err := change.Content(ctx, s.root, commit, path)
	if !errors.Is(err, fs.ErrNotExist) || len(s.change.Notes) == 0 || s.actions == nil || s.actions.Client == nil || commit != s.change.Base {
		return raw, err
	}
	raw, found, remote := s.actions.Client.Content(ctx, commit, path)
	if remote == nil && !found {
		return nil, err
	}
	return raw, remote
}
