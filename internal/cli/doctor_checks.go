package cli

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/inspect"
	"github.com/org/qa-action/internal/mode"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/scan/engine"
)

// place opens the place where a run would happen: toolchains, frameworks and
// isolation are those that the run will have.
func (d *doctor) place(ctx context.Context, env *Env, s *scene) {
	out, err := s.within(ctx, s.config.OutputDir)
	if err != nil {
		return // said already
	}
	defer func() { _ = out.Close() }() // nothing is buffered
	deps := mode.Deps{Checkout: checkout.Checkout{Root: s.root, Change: s.change}, Config: s.config, Output: out, Machine: mode.Machine{Env: os.Environ()}, Version: Version}
	s.actions.fill(env, &deps)
	setup, err := mode.Inspect(ctx, deps)
	if setup.Driver != "" {
		d.ok("runtime", "%s: %s", setup.Driver, setup.Why)
	}
	if err != nil {
		d.add(checkProblem, "runtime", "choose another runtime, or read the message: it names the cure", "%v", err)
		return
	}
	for _, t := range setup.Tools {
		d.toolchain(t, setup.Driver)
	}
	d.frameworks(setup)
	d.engines()
	for _, level := range setup.Levels {
		name, text, _ := strings.Cut(level, ": ")
		name, state, fix := "isolation "+name, checkOK, ""
		if strings.HasPrefix(text, "off") {
			state, fix = checkWarning, "the run goes on without this wall; a machine with user namespaces, Landlock and seccomp has them all"
		}
		d.add(state, name, fix, "%s", text)
	}
}

func (d *doctor) toolchain(t inspect.Toolchain, driver string) {
	asks := "no version asked for"
	if t.Spec != "" {
		asks = t.Source + " asks for " + t.Spec
	}
	switch {
	case t.Fault == "":
		d.ok(t.Name, "%s; %s", t.Has, asks)
	case t.Has == "":
		d.add(checkProblem, t.Name, "install "+t.Name+" "+t.Spec+", or let the action provide it with --runtime image", "%s; %s", t.Fault, asks)
	default:
		d.add(checkWarning, t.Name, "put that version on PATH, or let the action provide it with --runtime image", "%s is what the %s has; %s", t.Has, driver, asks)
	}
}

func (d *doctor) frameworks(setup inspect.Setup) {
	for _, t := range setup.Targets {
		f, name := t.Framework, "tests of "+t.Name
		what := strings.TrimSpace(f.Framework + " " + f.Version)
		if len(f.Evidence) > 0 {
			what += " (" + f.Evidence[0] + ")"
		}
		switch {
		case f.Framework == framework.Command.Name && f.Hint == "", f.Installed:
			d.ok(name, "%s: %s", what, framework.CommandLine(f))
		case len(setup.Installs) > 0:
			d.ok(name, "%s: a run installs first: %s", what, strings.Join(setup.Installs, "; "))
			continue // what measures coverage comes with it, or its absence shows then
		default:
			d.add(checkWarning, name, f.Hint, "%s: dependencies are not installed", what)
		}
		if f.Coverage {
			d.ok("coverage of "+t.Name, "%s", strings.TrimSpace(f.Framework+" "+f.CoverageTool))
		} else {
			d.add(checkWarning, "coverage of "+t.Name, strings.TrimPrefix(f.CoverageHint, "coverage "), "cannot be measured")
		}
	}
	for _, m := range setup.Missing {
		d.add(checkProblem, "tests of "+m.Name, "name test-command and test-report, or framework and working-directory", "%s", m.Reason)
	}
	for _, what := range slices.Sorted(maps.Keys(setup.Also)) {
		d.add(checkWarning, what, "", "not run: %s", setup.Also[what])
	}
}

// engines names programs that make the scan see more.
func (d *doctor) engines() {
	var missing, install []string
	for _, t := range engine.Tools() {
		if _, err := process.LookPath(t.Name); err != nil {
			missing, install = append(missing, t.Name+" ("+t.Purpose+")"), append(install, t.Install)
		}
	}
	if len(missing) == 0 {
		d.ok("engines", "every program that engines run is installed")
		return
	}
	d.add(checkOff, "engines", strings.Join(install, "; "), "not installed: %s", strings.Join(missing, ", "))
}

// token asks GitHub what the token may do.
func (d *doctor) token(ctx context.Context, env *Env, s *scene) {
	if s.config.GithubToken == "" {
		d.add(checkOff, "token", "", "none: nothing is posted to GitHub")
		return
	}
	owner, repo, _ := strings.Cut(env.Getenv("GITHUB_REPOSITORY"), "/")
	client, err := gh.New(gh.Options{URL: env.Getenv("GITHUB_API_URL"), Token: s.config.GithubToken, Owner: owner, Repo: repo, Version: Version, LongestWait: 10 * time.Second})
	if err != nil {
		d.add(checkProblem, "token", "set GITHUB_REPOSITORY to owner/name", "%v", err)
		return
	}
	r, err := client.Rights(ctx)
	switch {
	case errors.Is(err, gh.ErrForbidden):
		d.add(checkProblem, "token", "give the job a token that can read the repository (permissions: contents: read)", "%v", err)
		return
	case err != nil:
		d.add(checkProblem, "token", "check GITHUB_API_URL, GITHUB_REPOSITORY and the network", "%v", err)
		return
	}
	text := "reads " + owner + "/" + repo
	if len(r.Scopes) > 0 {
		text += ", scopes " + strings.Join(r.Scopes, ", ")
	}
	switch {
	case r.Push:
		text += "; may push commits"
	case s.config.Deliver != "patch" && s.config.Deliver != "":
		d.add(checkProblem, "token", "give the job permissions: contents: write, or set deliver to patch", "%s; may not push, which deliver %s needs", text, s.config.Deliver)
		return
	case s.config.History == "branch" && (s.actions == nil || s.actions.event.Pull == nil):
		d.add(checkWarning, "token", "give runs of the default branch permissions: contents: write, or keep the history in a directory", "%s; may not push, so nothing is remembered on the branch %s", text, historyBranch)
		return
	default:
		text += "; may not push commits, which nothing here needs"
	}
	d.ok("token", "%s. Comment and check run need pull-requests: write and checks: write, which GitHub tells only when they are made", text)
}

// model makes a real call of one token.
func (d *doctor) model(ctx context.Context, env *Env, s *scene) {
	m := s.config.Model
	switch {
	case m.Configure != "":
		d.add(checkWarning, "model", "set model together with model-api-key or model-base-url", "%s", m.Configure)
		return
	case !m.Configured():
		d.add(checkOff, "model", "", "none: no test is written, everything else is done")
		return
	}
	out, err := s.within(ctx, s.config.OutputDir)
	if err != nil {
		return // said already
	}
	defer func() { _ = out.Close() }() // nothing is buffered
	client, err := openModel(env, s.config, out, env.Stderr)
	if err != nil {
		d.add(checkProblem, "model", "check model and model-base-url", "%v", err)
		return
	}
	offer, err := client.Ping(ctx)
	switch {
	case err != nil:
		d.add(checkProblem, "model", "check model, model-base-url and model-api-key", "%s: %v", m.Name, err)
	case offer.Ends != "":
		d.add(checkWarning, "model", "choose its successor before that day", "%s answers; the endpoint lists %s as its last day", m.Name, offer.Ends)
	default:
		d.ok("model", "%s answers", m.Name)
	}
}
