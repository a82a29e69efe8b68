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
	if err := s.oracle(); err != nil {
		return err
	}
	suite, err := s.suite(ctx)
	if err != nil {
		return err
	}
	if len(failing(suite)) == 0 {
		return errors.New("the hidden test passes on head")
	}
	if err := s.Git(ctx, []string{"apply", filepath.Join(c.dir, "fix.patch")}); err != nil {
		return err
	}
	return s.green(ctx, "the fix")
}

func (s *stage) green(ctx context.Context, what string) error {
	suite, err := s.suite(ctx)
	if err != nil {
		return err
	}
	if bad := failing(suite); len(bad) > 0 || suite.Tally().Passed == 0 {
		return fmt.Errorf("%s has %d passing tests and fails %s", what, suite.Tally().Passed, strings.Join(bad, ", "))
	}
	return nil
}

// oracle puts the hidden test into place.
func (s *stage) oracle() error {
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
