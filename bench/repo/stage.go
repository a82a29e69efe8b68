package repo

import (
	"context"
	"os"
	"path/filepath"
)

// Stage is a change laid out on disk: a repository with base on the branch main and
// the change on the branch feature.
type Stage struct {
	Top, Repo  string // the repository is below Top, as are home/ and temp/
	Base, Head string // commits
}

// NewStage makes the folders of a stage.
func NewStage(top string) (Stage, error) {
	s := Stage{Top: top, Repo: filepath.Join(top, "repo")}
	for _, dir := range []string{s.Repo, filepath.Join(top, "home"), filepath.Join(top, "temp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Commit makes base of what lies in the repository, and the change of what the steps
// make of it.
func (s *Stage) Commit(ctx context.Context, title string, change func() error) error {
	if err := s.Git(ctx, []string{"init", "-q", "-b", "main"}, []string{"add", "-A"}, []string{"commit", "-q", "-m", "base"},
		[]string{"checkout", "-q", "-b", "feature"}); err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	if err := s.Git(ctx, []string{"add", "-A"}, []string{"commit", "-q", "-m", title}); err != nil {
		return err
	}
	var err error
	if s.Base, err = s.Ask(ctx, "rev-parse", "main"); err != nil {
		return err
	}
	s.Head, err = s.Ask(ctx, "rev-parse", "HEAD")
	return err
}

// Git runs git in the repository, one line after the other.
func (s *Stage) Git(ctx context.Context, lines ...[]string) error {
	for _, args := range lines {
		if _, err := s.Ask(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// Ask is what git prints in the repository.
func (s *Stage) Ask(ctx context.Context, args ...string) (string, error) {
	return git(ctx, s.Repo, filepath.Join(s.Top, "home"), args...)
}
