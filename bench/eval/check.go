package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// check holds a case to what makes it one: its tests pass before and after the
// change, and the hidden test fails on the change and passes on its fix.
func (e *evaluation) check(ctx context.Context, c change, top string) error {
	s, err := e.lay(ctx, c, top)
	if err != nil {
		return err
	}
	defer os.RemoveAll(top)
	if err := s.Git(ctx, []string{"checkout", "-q", "main"}); err != nil {
		return err
	}
	if err := s.green(ctx, "base"); err != nil {
		return err
	}
	if err := s.Git(ctx, []string{"checkout", "-q", "feature"}); err != nil {
		return err
	}
	if err := s.green(ctx, "head"); err != nil || c.Truth == nil {
		return err
	}
	if err := s.oracle(ctx); err != nil {
		return err
	}
	var hidden []string // all tests
	if c.upstream != nil {
		hidden = c.upstream.selected()
	}
	if c.upstream != nil && len(c.upstream.Undo) == 0 {
		return s.green(ctx, "head with the tests as they were", hidden...) // only they were touched
	}
	suite, err := s.suite(ctx, hidden...)
	if err != nil {
		return err
	}
	if len(failing(suite)) == 0 {
		return errors.New("the hidden test passes on head")
	}
	if err := s.Git(ctx, []string{"apply", s.fix()}); err != nil {
		return err
	}
	return s.green(ctx, "the fix", hidden...)
}

func (s *stage) green(ctx context.Context, what string, tests ...string) error {
	suite, err := s.suite(ctx, tests...)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if bad := failing(suite); len(bad) > 0 || suite.Tally().Passed == 0 {
		return fmt.Errorf("%s has %d passing tests and fails %s", what, suite.Tally().Passed, strings.Join(bad, ", "))
	}
	return nil
}

// oracle puts the hidden test into place.
func (s *stage) oracle(ctx context.Context) error {
	if s.upstream != nil {
		return s.restore(ctx, s.upstream.Commit, s.upstream.tests())
	}
	files, err := filepath.Glob(filepath.Join(s.dir, "oracle.*"))
	if err != nil || len(files) != 1 {
		return errors.Join(err, fmt.Errorf("%d hidden tests, expected one", len(files)))
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	to := filepath.Join(s.Repo, filepath.FromSlash(s.Truth.Oracle))
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, raw, 0o600))
}
