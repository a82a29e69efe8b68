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
	top, repo, shared string
	base, head        string
}

// lay makes the two commits and puts the dependencies in place.
func (b *bench) lay(ctx context.Context, c cell, top string) (*stage, error) {
	s := &stage{cell: c, top: top, repo: filepath.Join(top, "repo"), shared: b.shared}
	for _, dir := range []string{s.repo, filepath.Join(top, "home"), filepath.Join(top, "temp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	if c.clone != nil {
		return s, s.copyClone(ctx)
	}
	for _, f := range c.project.files {
		if err := replaceFile(filepath.Join(s.repo, filepath.FromSlash(f.Name)), string(f.Data)); err != nil {
			return nil, err
		}
	}
	for name, from := range c.project.Files {
		if err := copyTo(filepath.Join(b.projects, filepath.FromSlash(from)), filepath.Join(s.repo, filepath.FromSlash(name))); err != nil {
			return nil, err
		}
	}
	if err := apply(s.repo, c.environment.Base); err != nil {
		return nil, fmt.Errorf("lay base: %w", err)
	}
	if err := s.gits(ctx, []string{"init", "-q", "-b", "main"}, []string{"add", "-A"}, []string{"commit", "-q", "-m", "base"},
		[]string{"checkout", "-q", "-b", "feature"}); err != nil {
		return nil, err
	}
	if err := apply(s.repo, c.change()); err != nil {
		return nil, fmt.Errorf("lay the change: %w", err)
	}
	if err := s.gits(ctx, []string{"add", "-A"}, []string{"commit", "-q", "-m", "change"}); err != nil {
		return nil, err
	}
	var err error
	if s.base, err = s.git(ctx, "rev-parse", "main"); err != nil {
		return nil, err
	}
	if s.head, err = s.git(ctx, "rev-parse", "HEAD"); err != nil {
		return nil, err
	}
	// What lies about is of base: a release that is installed has not the change.
	if err := s.gits(ctx, []string{"checkout", "-q", "main"}); err != nil {
		return nil, err
	}
	for _, dir := range slices.Sorted(maps.Keys(c.project.Deps)) {
		from := filepath.Join(b.projects, filepath.FromSlash(c.project.Deps[dir]))
		if err := repo.Link(from, filepath.Join(s.repo, filepath.FromSlash(dir))); err != nil {
			return nil, fmt.Errorf("link dependencies (make fixtures installs them): %w", err)
		}
	}
	return s, apply(s.repo, slices.Concat(c.project.Tree, c.environment.Tree))
}

// side checks one commit out and drops what the run before it left behind; the
// dependencies, which git ignores, stay.
func (s *stage) side(ctx context.Context, commit string) error {
	checkout := []string{"checkout", "-q", "-f", commit}
	if s.clone != nil { // what it has built and installed stays
		return s.gits(ctx, checkout, []string{"clean", "-fdq"})
	}
	if err := s.gits(ctx, checkout, []string{"clean", "-fdxq", "-e", "node_modules", "-e", ".venv"}); err != nil {
		return err
	}
	return apply(s.repo, s.loose())
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
		return os.RemoveAll(filepath.Join(s.repo, "node_modules"))
	case s.environment.Uncommitted:
		return s.gits(ctx, []string{"reset", "-q", "main"})
	case !s.environment.Shallow:
		return nil
	}
	// What a clone of depth 1 is: one commit, and a file that says so.
	if err := os.WriteFile(filepath.Join(s.repo, ".git", "shallow"), []byte(s.head+"\n"), 0o644); err != nil {
		return err
	}
	return s.gits(ctx, []string{"branch", "-q", "-D", "main"}, []string{"remote", "add", "origin", "file://" + filepath.Join(s.top, "gone.git")},
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
	if err := s.gits(ctx, []string{"checkout", "-q", "-f", "feature"}); err != nil {
		return err
	}
	return s.sameTime(ctx)
}

func (s *stage) sameTime(ctx context.Context) error {
	names, err := s.git(ctx, "ls-files")
	if err != nil {
		return err
	}
	when := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name := range strings.SplitSeq(names, "\n") {
		if err := os.Chtimes(filepath.Join(s.repo, filepath.FromSlash(name)), when, when); err != nil {
			return err
		}
	}
	return nil
}

func (s *stage) gits(ctx context.Context, lines ...[]string) error {
	for _, args := range lines {
		if _, err := s.git(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

func (s *stage) git(ctx context.Context, args ...string) (string, error) {
	return repo.Git(ctx, s.repo, filepath.Join(s.top, "home"), args...)
}
