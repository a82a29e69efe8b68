package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/container"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/sandbox"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/runtime/tree"
)

// runner starts commands in one copy.
type runner struct {
	box    *sandbox.Sandbox
	in     otherContainer // nil where they run on this machine
	redact *process.Redactor
	log    io.Writer // of what prepares the copy
	// env is what every command gets. It grows until the copy is ready.
	env      []string
	services *container.Services // databases beside tests; nil is none
	// before looks before each command whether it may run; nil is always.
	before func() error
}

// unchanged says that what base shares with head is as it was: head's tests may have
// run since base was opened.
func unchanged(head *tree.Tree, b *sandbox.Sandbox) func() error {
	return func() error {
		if b.User == nil {
			return head.Untampered()
		}
		return head.Unmoved()
	}
}

// Run runs one command in the workspace, inside its sandbox. Errors and
// results are those of [process.Run].
func (r *runner) Run(ctx context.Context, c Command) (res process.Result, err error) {
	dir, err := r.inTree(c.Dir)
	if err != nil {
		return process.Result{}, fmt.Errorf("run %s: %w", strings.Join(c.Argv, " "), err)
	}
	if len(c.Argv) == 0 {
		return process.Result{}, errors.New("run in workspace: empty command")
	}
	if r.before != nil {
		if err := r.before(); err != nil {
			return process.Result{}, fmt.Errorf("run %s: %w", c.Argv[0], err)
		}
	}
	if c.Script != nil {
		c = r.asScript(c)
	}
	pc := process.Command{
		Argv: r.box.ShownAll(c.Argv), Dir: r.box.Shown(dir), Env: r.box.ShownAll(environ.Merge(r.env, environ.WithoutRefused(environ.JoinPython(r.env, c.Env)))),
		Timeout: c.Timeout, MaxOutput: c.MaxOutput, Live: c.Live, Stdin: c.Stdin, Redact: r.redact,
	}
	if r.box.Moves() {
		pc.Redact = r.redact.With(r.box.Names())
	}
	if c.Stdout != "" {
		f, err := r.create(c.Stdout)
		if err != nil {
			return process.Result{}, err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		pc.Stdout = f
	}
	loopback := c.Network == NetworkLoopback
	if c.Services && !loopback {
		defer r.services.Start(ctx)()
	}
	if r.in != nil {
		return r.in.Run(ctx, r.box, pc, loopback)
	}
	return r.box.Run(ctx, pc, loopback)
}

// inTree turns a directory relative to the root into an absolute one; a link
// that leads out of the tree is an error.
func (r *runner) inTree(dir string) (string, error) {
	abs := filepath.Join(r.box.Place.Tree, filepath.FromSlash(dir))
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	root, err := filepath.EvalSymlinks(r.box.Place.Tree)
	if err != nil {
		return "", err
	}
	if _, ok := rooted.Within(root, real); !ok {
		return "", fmt.Errorf("directory %q leads out of the tree", dir)
	}
	return abs, nil
}

// create makes a file below the tree or the results without following a link
// out of them.
func (r *runner) create(path string) (*os.File, error) {
	for _, dir := range []string{r.box.Place.Results, r.box.Place.Tree} {
		rel, ok := rooted.Within(dir, path)
		if !ok {
			continue
		}
		root, err := r.ownRoot(dir)
		if err != nil {
			return nil, err
		}
		f, err := root.OpenFile(rel, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
		return f, errors.Join(err, root.Close())
	}
	return nil, fmt.Errorf("output file %s lies neither in the workspace's results nor in its tree", path)
}

// ownRoot opens a directory of the workspace. As an ordinary user the code may have
// put a link in its place.
func (r *runner) ownRoot(dir string) (*os.Root, error) {
	home, err := os.OpenRoot(r.box.Place.Home)
	if err != nil {
		return nil, err
	}
	defer func() { _ = home.Close() }()
	name, err := filepath.Rel(r.box.Place.Home, dir)
	if err != nil {
		return nil, err
	}
	return home.OpenRoot(name)
}

// rustup settles what rustup may install for the tree.
func (r *runner) rustup(dir string) {
	r.env = environ.Merge(r.env, toolchain.Rustup(rooted.FS(r.box.Place.Tree), dir, os.DirFS(environ.Lookup(r.env, "RUSTUP_HOME"))))
}

// activate makes a virtual environment the one that all commands use.
func (r *runner) activate(venv string) {
	r.env = environ.Merge(r.env, []string{
		"VIRTUAL_ENV=" + venv, "UV_PYTHON=" + filepath.Join(venv, "bin", "python"), "PDM_IGNORE_SAVED_PYTHON=1", "UV_PROJECT_ENVIRONMENT=" + venv, "PIPENV_IGNORE_VIRTUALENVS=0", "PIPENV_VERBOSITY=-1",
		"POETRY_VIRTUALENVS_CREATE=false", "PDM_CHECK_UPDATE=false",
		"PATH=" + filepath.Join(venv, "bin") + string(os.PathListSeparator) + environ.Lookup(r.env, "PATH"),
	})
}
