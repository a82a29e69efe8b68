package runtime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
)

// Run runs one command in the workspace, inside its sandbox. Errors and
// results are those of [process.Run].
func (w *Workspace) Run(ctx context.Context, c Command) (res process.Result, err error) {
	dir, err := w.inTree(c.Dir)
	if err != nil {
		return process.Result{}, fmt.Errorf("run %s: %w", strings.Join(c.Argv, " "), err)
	}
	if len(c.Argv) == 0 {
		return process.Result{}, errors.New("run in workspace: empty command")
	}
	if w.parent != nil { // head's tests may have run since the tree was opened
		look := w.parent.tree.Unmoved
		if w.box.User == nil {
			look = w.parent.tree.Untampered
		}
		if err := look(); err != nil {
			return process.Result{}, fmt.Errorf("run %s: %w", c.Argv[0], err)
		}
	}
	pc := process.Command{
		Argv: w.box.ShownAll(c.Argv), Dir: w.box.Shown(dir), Env: w.box.ShownAll(environ.Merge(w.env, environ.WithoutRefused(environ.JoinPython(w.env, c.Env)))),
		Timeout: c.Timeout, MaxOutput: c.MaxOutput, Live: c.Live, Stdin: c.Stdin, Redact: w.redact,
	}
	if w.box.Moves() {
		pc.Redact = w.redact.With(w.box.Names())
	}
	if c.Stdout != "" {
		f, err := w.create(c.Stdout)
		if err != nil {
			return process.Result{}, err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		pc.Stdout = f
	}
	loopback := c.Network == NetworkLoopback
	if w.in != nil {
		return w.in.Run(ctx, w.box, pc, loopback)
	}
	return w.box.Run(ctx, pc, loopback)
}

// inTree turns a directory relative to the root into an absolute one; a link
// that leads out of the tree is an error.
func (w *Workspace) inTree(dir string) (string, error) {
	abs := filepath.Join(w.box.Place.Tree, filepath.FromSlash(dir))
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	root, err := filepath.EvalSymlinks(w.box.Place.Tree)
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
func (w *Workspace) create(path string) (*os.File, error) {
	for _, dir := range []string{w.box.Place.Results, w.box.Place.Tree} {
		rel, ok := rooted.Within(dir, path)
		if !ok {
			continue
		}
		root, err := w.ownRoot(dir)
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
func (w *Workspace) ownRoot(dir string) (*os.Root, error) {
	home, err := os.OpenRoot(w.box.Place.Home)
	if err != nil {
		return nil, err
	}
	defer func() { _ = home.Close() }()
	name, err := filepath.Rel(w.box.Place.Home, dir)
	if err != nil {
		return nil, err
	}
	return home.OpenRoot(name)
}
