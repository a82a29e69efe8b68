package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/bench/repo"
)

// stage is a cell laid out on disk: a repository with base on main and the
// change on a branch.
type stage struct {
	cell
	repo.Stage
	shared string
}

// lay makes the two commits and puts the dependencies in place.
func (b *bench) lay(ctx context.Context, c cell, top string) (*stage, error) {
	laid, err := repo.NewStage(top)
	if err != nil {
		return nil, err
	}
	s := &stage{cell: c, Stage: laid, shared: b.shared}
	if c.clone != nil {
		return s, s.copyClone(ctx)
	}
	for _, f := range c.project.files {
		if err := replaceFile(filepath.Join(s.Repo, filepath.FromSlash(f.Name)), string(f.Data)); err != nil {
			return nil, err
		}
	}
	for name, from := range c.project.Files {
		if err := copyTo(filepath.Join(b.projects, filepath.FromSlash(from)), filepath.Join(s.Repo, filepath.FromSlash(name))); err != nil {
			return nil, err
		}
	}
	if err := apply(s.Repo, c.environment.Base); err != nil {
		return nil, fmt.Errorf("lay base: %w", err)
	}
	if err := s.Commit(ctx, "change", func() error { return apply(s.Repo, c.change()) }); err != nil {
		return nil, fmt.Errorf("lay the change: %w", err)
	}
	// What lies about is of base: a release that is installed has not the change.
	if err := s.Git(ctx, []string{"checkout", "-q", "main"}); err != nil {
		return nil, err
	}
	for _, dir := range slices.Sorted(maps.Keys(c.project.Deps)) {
		from := filepath.Join(b.projects, filepath.FromSlash(c.project.Deps[dir]))
		if err := repo.Link(from, filepath.Join(s.Repo, filepath.FromSlash(dir))); err != nil {
			return nil, fmt.Errorf("link dependencies (make fixtures installs them): %w", err)
		}
	}
	return s, apply(s.Repo, slices.Concat(c.project.Tree, c.environment.Tree))
}

// side checks one commit out and drops what the run before it left behind; the
// dependencies, which git ignores, stay.
func (s *stage) side(ctx context.Context, commit string) error {
	checkout := []string{"checkout", "-q", "-f", commit}
	if s.clone != nil { // what it has built and installed stays
		return s.Git(ctx, checkout, []string{"clean", "-fdq"})
	}
	if err := s.Git(ctx, checkout, []string{"clean", "-fdxq", "-e", "node_modules", "-e", ".venv"}); err != nil {
		return err
	}
	return apply(s.Repo, s.loose())
}

// before is the branch of base.
func (s *stage) before() string {
	if s.clone != nil {
		return "sound-base" // the clone has its own main
	}
	return "main"
}

// loose are the steps in the working copy that a checkout undoes: all that do
// not touch the dependencies.
func (s *stage) loose() []string {
	return slices.DeleteFunc(slices.Concat(s.project.Tree, s.environment.Tree), func(step string) bool {
		path := strings.Fields(step)[1]
		for _, dep := range []string{"node_modules", ".venv"} {
			if strings.Contains(path, dep) || strings.HasPrefix(step, "copy ") && strings.Contains(step, ": "+dep) {
				return true
			}
		}
		return false
	})
}

// present leaves the repository as the product is to find it.
func (s *stage) present(ctx context.Context) error {
	if err := s.side(ctx, "feature"); err != nil {
		return err
	}
	switch {
	case s.environment.Warm:
		return s.warm(ctx)
	case s.environment.Uninstalled:
		return os.RemoveAll(filepath.Join(s.Repo, "node_modules"))
	case s.environment.Uncommitted:
		return s.Git(ctx, []string{"reset", "-q", "main"})
	case !s.environment.Shallow:
		return nil
	}
	// What a clone of depth 1 is: one commit, and a file that says so.
	if err := os.WriteFile(filepath.Join(s.Repo, ".git", "shallow"), []byte(s.Head+"\n"), 0o644); err != nil {
		return err
	}
	return s.Git(ctx, []string{"branch", "-q", "-D", "main"}, []string{"remote", "add", "origin", "file://" + filepath.Join(s.Top, "gone.git")},
		[]string{"reflog", "expire", "--expire=now", "--all"}, []string{"gc", "-q", "--prune=now"})
}

// warm runs the suite of base and then checks head out around its caches. All
// files get one time, as they have in an unpacked archive.
func (s *stage) warm(ctx context.Context) error {
	if err := s.side(ctx, s.before()); err != nil {
		return err
	}
	if err := s.sameTime(ctx); err != nil {
		return err
	}
	if _, err := s.suite(ctx); err != nil {
		return err
	}
	if err := s.Git(ctx, []string{"checkout", "-q", "-f", "feature"}); err != nil {
		return err
	}
	return s.sameTime(ctx)
}

func (s *stage) sameTime(ctx context.Context) error {
	names, err := s.Ask(ctx, "ls-files")
	if err != nil {
		return err
	}
	when := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name := range strings.SplitSeq(names, "\n") {
		if err := os.Chtimes(filepath.Join(s.Repo, filepath.FromSlash(name)), when, when); err != nil {
			return err
		}
	}
	return nil
}
