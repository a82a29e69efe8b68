package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/listing"
	"github.com/org/qa-action/internal/mode"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/targets"
)

// runCommand is the whole loop.
type runCommand struct {
	config.Inputs `embed:""`
	Quiet         bool `help:"Do not print progress."`
	ShowOutput    bool `help:"Show what the test commands print."`
	Timings       bool `help:"Show where the time went."`
}

// setup is where a command works: the repository, the change and the
// configuration.
type setup struct {
	root   string
	config *config.Config
	change qa.Change
	// actions is the GitHub side, nil outside of Actions. trusted is the commit
	// that decides how strict we are, empty for the working copy.
	actions *actions
	trusted string
	// ignore are directories that are no part of the change, relative to root.
	ignore []string
}

// setUp finds the repository, reads the configuration and detects the
// change; ignore are absolute directories that are no part of it.
func setUp(ctx context.Context, env *Env, in config.Inputs, ignore ...string) (*setup, error) {
	s := &setup{}
	root, err := change.Root(ctx, env.Dir)
	if err != nil {
		return s, err
	}
	s.root = root
	for _, dir := range ignore {
		if rel, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(rel) {
			s.ignore = append(s.ignore, filepath.ToSlash(rel))
		}
	}
	if s.actions, err = onActions(env); err != nil {
		return s, err
	}
	if s.actions != nil {
		if err := s.fromEvent(ctx, env, in); err != nil {
			return s, err
		}
		s.config.Everything(s.change.Number == 0) // a branch or a merge queue
		return s, possible(s)
	}
	name := cmp.Or(in.Config, env.Getenv(config.EnvName("config")))
	if s.config, err = s.configure(env, in, name); err != nil {
		return s, err
	}
	if err := s.detect(ctx); err != nil {
		return s, err
	}
	s.config.Everything(s.change.OnDefault(""))
	return s, possible(s)
}

// possible holds the configuration against the checkout, so that what cannot be is
// said before anything runs.
func possible(s *setup) error {
	err := targets.Check(rooted.FS(s.root), s.change, s.config)
	if problem := scout.Check(s.config); problem != nil {
		err = errors.Join(err, problem)
	}
	if err != nil {
		return usageError{err}
	}
	return nil
}

// configure loads the configuration with the config file of the working copy;
// an empty name is the usual file, which need not exist.
func (s *setup) configure(env *Env, in config.Inputs, name string) (*config.Config, error) {
	named := name != ""
	if !named {
		name = ".github/qa.yml"
	}
	file, err := s.source(name)
	if err != nil && (named || !errors.Is(err, fs.ErrNotExist)) {
		return nil, usageError{fmt.Errorf("read config file: %w", err)}
	}
	c, err := config.Load(config.Sources{Flags: in, Getenv: env.Getenv, File: file, FileName: name})
	if err != nil {
		return nil, usageError{err}
	}
	return c, nil
}

// detect finds out what the change touches.
func (s *setup) detect(ctx context.Context) error {
	scope := change.ScopeChanged
	if s.config.All {
		scope = change.ScopeAll
	}
	var err error
	s.change, err = change.FromGit(ctx, s.actions.options(change.Options{Dir: s.root, Base: s.config.Base, Scope: scope, Ignore: append(s.ignore, s.config.OutputDir)}))
	return err
}

func (c *runCommand) Run(ctx context.Context, env *Env) error {
	s, err := setUp(ctx, env, c.Inputs)
	if err != nil {
		return s.actions.stopped(ctx, env, c.Inputs, err)
	}
	return s.run(ctx, env, runOptions{quiet: c.Quiet, live: c.ShowOutput, timings: c.Timings, resume: s.config.Continue})
}

// runOptions are what run and resume differ in.
type runOptions struct {
	quiet, live, resume, must, timings bool
	id                                 string
	// carry does the work; nil is [mode.Run].
	carry func(context.Context, mode.Deps) (*mode.Result, error)
}

func (s *setup) run(ctx context.Context, env *Env, o runOptions) (ended error) {
	out, err := s.within(ctx, s.config.OutputDir)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }() // nothing is buffered
	finish := s.actions.start(ctx, env, s)
	defer func() { finish(ended) }()
	d, err := s.deps(ctx, env, out, o)
	if err != nil {
		return err
	}
	carry := o.carry
	if carry == nil {
		carry = mode.Run
	}
	res, err := s.actions.watch(func() (*mode.Result, error) { return carry(ctx, d) })
	if refused, none := (*output.RefusedError)(nil), (*session.NoneError)(nil); res == nil && (errors.As(err, &refused) || errors.As(err, &none)) {
		return usageError{err} // the session that was named, or that there is none
	}
	if res == nil {
		return err
	}
	if s.actions == nil { // else when it was published
		defer settle(env.Stderr, res)
	}
	if err == nil {
		s.deliver(ctx, env, out, res)
	}
	rel, relErr := filepath.Rel(s.root, res.Dir)
	if relErr != nil {
		return errors.Join(err, relErr)
	}
	opts := reporter.Options{Colour: reporter.Colour(env.Getenv, isTerminal(env.Stdout)), CI: env.Getenv("GITHUB_ACTIONS") == "true", Dir: filepath.ToSlash(rel), Written: res.Files}
	if renderErr := reporter.Render(env.Stdout, "console", res.Report, opts); renderErr != nil {
		return errors.Join(err, renderErr)
	}
	fmt.Fprintf(env.Stdout, "report: %s\n", filepath.ToSlash(rel))
	if o.timings {
		listing.Times(env.Stdout, res.Report.Manifest)
	}
	if err != nil {
		return err
	}
	return verdict(res.Report.Result)
}

// deps is what a run works with.
func (s *setup) deps(ctx context.Context, env *Env, out *output.Dir, o runOptions) (mode.Deps, error) {
	texts := &contents{root: s.root, change: s.change, one: s.content}
	d := mode.Deps{
		Checkout: checkout.Checkout{Root: s.root, Change: s.change, Content: texts.read, Messages: texts.messages},
		Config:   s.config, Output: out, Repository: filepath.Base(s.root), Version: Version, Machine: mode.Machine{Env: os.Environ()},
		Past: s.past(ctx, env, out), Scanned: scanned(ctx, env, s, out), HeadLine: s.headLine(ctx),
	}
	if o.resume {
		d.Resume = &mode.Unfinished{ID: o.id, Must: o.must}
	}
	s.actions.fill(ctx, env, &d)
	if !o.quiet {
		d.Progress = env.Stderr
	}
	if o.live {
		d.Live = env.Stderr
	}
	d.Files.Dismissals = s.optional(ctx, ".github/qa-dismissals.yml")
	for _, name := range []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"} {
		if d.Files.Codeowners = s.optional(ctx, name); d.Files.Codeowners != nil {
			break
		}
	}
	var err error
	if !s.config.Shard.Whole() { // what is covered is known when the parts are joined
		return d, nil
	}
	d.Model, err = openModel(env, s.config, out, env.Stderr)
	return d, err
}

// optional reads a file of the repository that need not exist: from the trusted
// commit when there is one.
func (s *setup) optional(ctx context.Context, name string) []byte {
	var raw []byte
	var err error
	if s.trusted != "" {
		raw, err = s.content(ctx, s.trusted, name)
	} else {
		raw, err = s.source(name)
	}
	if err != nil {
		return nil
	}
	return raw
}

// isTerminal reports whether w is a character device.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && !strings.HasPrefix(os.Getenv("TERM"), "dumb")
}
