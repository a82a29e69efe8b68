package runtime

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/org/qa-action/internal/process"
)

// gitTime bounds one git command on the copy.
const gitTime = 5 * time.Minute

// At opens a second private tree with the files of a commit. It shares driver,
// toolchain and installed dependencies with w; packages installed in place
// resolve into the new tree. Close it before w.
func (w *Workspace) At(ctx context.Context, commit string) (*Workspace, error) {
	b := &Workspace{opts: w.opts, driver: shared{w.driver}, why: w.why, redact: w.redact, user: w.user,
		levels: w.levels, walls: w.walls, tools: w.tools, parent: w, foreign: w.foreign, lend: w.lend, commit: commit}
	if err := w.untampered(); err != nil {
		return nil, fmt.Errorf("open the tree of %s: %w", commit, err)
	}
	var err error
	if b.place, err = newPlace(w.opts, w.user); err != nil {
		return nil, err
	}
	if err := b.fill(ctx, commit); err != nil {
		return nil, errors.Join(fmt.Errorf("open the tree of %s: %w", commit, err), b.Close())
	}
	return b, nil
}

func (w *Workspace) fill(ctx context.Context, commit string) error {
	if err := copyGit(filepath.Join(w.opts.Root, ".git"), filepath.Join(w.place.tree, ".git"), w.user); err != nil {
		return err
	}
	// The new git directory has no hooks, filters or helpers, and no other
	// configuration is read: nothing of the repository runs here.
	res, err := process.Run(ctx, process.Command{
		Argv: []string{"git", "-c", "advice.detachedHead=false", "-c", "core.hooksPath=/dev/null",
			"checkout", "--quiet", "--force", "--detach", commit, "--"},
		Dir: w.place.tree, Timeout: gitTime,
		Env: gitEnv(w.opts),
	})
	if err != nil {
		return err
	}
	if res.ExitCode != 0 {
		return fmt.Errorf("git checkout: %s; if the commit is not there, fetch it: fetch-depth: 0 in the checkout step",
			oneLine(res.Stderr))
	}
	if w.tracked, err = trackedAt(ctx, w.opts, commit); err != nil {
		return err
	}
	if w.lend != nil {
		if err := w.lend(w.place.tree); err != nil {
			return err
		}
	}
	if err := shareInstalls(w.parent.place.tree, w.place.tree, w.parent.tracked.and(w.tracked)); err != nil {
		return fmt.Errorf("share installed dependencies: %w", err)
	}
	if isVenv(w.parent.place.venv) {
		if err := shareVenv(w.parent.place.venv, w.place.venv, w.parent.place.home, w.place.home); err != nil {
			return fmt.Errorf("share the virtual environment: %w", err)
		}
	}
	for _, dir := range []string{w.place.tree, w.place.venv} {
		if err := ownAll(dir, w.user); err != nil {
			return err
		}
	}
	if err := w.place.hand(w.user); err != nil {
		return err
	}
	w.env = w.parent.moved(w.place)
	w.opened, err = stampTree(w.place.tree, w.tracked)
	return err
}

// gitEnv is the environment of our own git: no configuration but the
// repository's.
func gitEnv(o Options) []string {
	return []string{"PATH=" + lookup(o.Env, "PATH"), "HOME=/dev/null",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_TERMINAL_PROMPT=0",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"}
}

// shared is the driver of a second tree: closing the tree leaves it open.
type shared struct{ driver }

func (shared) close() error { return nil }
