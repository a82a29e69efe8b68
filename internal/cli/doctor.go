package cli

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/cli/doctor"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/mode"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/wording"
)

// doctorCommand checks what a run needs and prints the fix for each problem. It
// installs nothing, runs no test and changes nothing.
type doctorCommand struct {
	config.Inputs `embed:""`
	JSON          bool `name:"json" help:"Print JSON."`
}

// Run makes every check that the ones before it allow.
func (c *doctorCommand) Run(ctx context.Context, env *Env) error {
	d := &doctor.Doctor{}
	if s := surroundings(ctx, d, env, c.Inputs); s != nil {
		s.examine(ctx, d, env)
	}
	problems, usage, err := d.Report(env.Stdout, c.JSON)
	switch {
	case err != nil:
		return err
	case problems == 0:
		return nil
	case usage:
		return concluded{exitUsage, wording.Count(problems, "problem")}
	}
	return concluded{exitInconclusive, wording.Count(problems, "problem")}
}

// surroundings looks at git, configuration and change; nil when nothing else can be
// looked at.
func surroundings(ctx context.Context, d *doctor.Doctor, env *Env, in config.Inputs) *setup {
	res, err := process.Run(ctx, process.Command{Argv: []string{"git", "--version"}, Dir: env.Dir, Env: []string{"PATH=" + os.Getenv("PATH")}, Timeout: time.Minute})
	if err != nil {
		d.Add(doctor.Problem, "git", "install git and put it on PATH", "%v", err)
		return nil
	}
	d.Fine("git", "%s", strings.TrimSpace(string(res.Stdout)))
	if env.Getenv("GITHUB_ACTIONS") == "true" {
		s, err := setUp(ctx, env, in)
		if err != nil {
			d.Misused("event and configuration", "", err)
			return nil
		}
		s.tellChange(d)
		return s
	}
	root, err := change.Root(ctx, env.Dir)
	if err != nil {
		d.Misused("repository", "run qa in a git working copy", err)
		return nil
	}
	d.Fine("repository", "%s", filepath.Base(root))
	s := &setup{root: root}
	name := cmp.Or(in.Config, env.Getenv(config.EnvName("config")))
	if s.config, err = s.configure(env, in, name); err != nil {
		d.Misused("configuration", "correct the lines named", err)
		return nil
	}
	d.Fine("configuration", "%s", configText(s))
	if err := s.detect(ctx); err != nil {
		d.Misused("change", "name a commit or branch with --base", err)
		return s
	}
	s.tellChange(d)
	return s
}

func configText(s *setup) string {
	if _, err := s.source(s.config.File); err != nil {
		return "defaults; there is no " + s.config.File
	}
	return s.config.File + " is valid"
}

func (s *setup) tellChange(d *doctor.Doctor) {
	base := cmp.Or(s.change.BaseRef, "commit")
	switch n := len(s.change.Files); {
	case s.change.All:
		d.Fine("change", "scope all: %d files", n)
	case s.change.Base == "":
		d.Fine("change", "%d files; nothing precedes %.7s, so there is no base to compare with", n, s.change.Head)
	default:
		d.Fine("change", "%d files against %s %.7s", n, base, s.change.Base)
	}
}

// examine looks at where a run would work, as whom it would speak to GitHub, and at
// its model.
func (s *setup) examine(ctx context.Context, d *doctor.Doctor, env *Env) {
	out, err := s.within(ctx, s.config.OutputDir)
	if err != nil {
		d.Misused("output", doctor.AnotherOutput, err)
	} else {
		defer func() { _ = out.Close() }() // nothing is buffered
		d.Output(s.root, s.config.OutputDir)
		s.inspect(ctx, d, env, out)
	}
	use := doctor.Use{Deliver: s.config.Deliver}
	if s.config.History == "branch" && (s.actions == nil || s.actions.Event.Pull == nil) {
		use.Branch = historyBranch
	}
	owner, repo, _ := strings.Cut(env.Getenv("GITHUB_REPOSITORY"), "/")
	d.Token(ctx, gh.Options{URL: env.Getenv("GITHUB_API_URL"), Token: s.config.GithubToken, Owner: owner, Repo: repo, Version: Version, LongestWait: 10 * time.Second}, use)
	if m := s.config.Model; out == nil && m.Configure == "" && m.Configured() {
		return // where its replies would be kept was said to be missing
	}
	d.Model(ctx, s.config.Model, func() (*llm.Client, error) {
		return openModel(env, s.config, out, env.Stderr)
	})
}

// inspect opens the place where a run would happen: toolchains, frameworks and
// isolation are those that the run will have.
func (s *setup) inspect(ctx context.Context, d *doctor.Doctor, env *Env, out *output.Dir) {
	deps := mode.Deps{Checkout: checkout.Checkout{Root: s.root, Change: s.change, Content: (&contents{root: s.root, change: s.change, one: s.content}).read}, Config: s.config, Output: out, Machine: mode.Machine{Env: os.Environ()}, Version: Version}
	s.actions.fill(ctx, env, &deps)
	d.Setup(mode.Inspect(ctx, deps))
}
