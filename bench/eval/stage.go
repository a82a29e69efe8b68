package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/bench/eval/measure"
	"github.com/org/qa-action/bench/repo"
)

// stage is a pull request laid out on disk as a runner would find it.
type stage struct {
	change
	repo.Stage
	races bool // the tests of Go are watched for races
}

// lay makes the repository with its two commits and the event.
func (e *evaluation) lay(ctx context.Context, c change, top string) (*stage, error) {
	if err := os.RemoveAll(top); err != nil {
		return nil, err
	}
	if c.upstream != nil {
		return e.layClone(ctx, c, top)
	}
	laid, err := repo.NewStage(top)
	if err != nil {
		return nil, err
	}
	s := &stage{change: c, Stage: laid}
	for _, dir := range []string{filepath.Join(e.set, "project", c.Framework), filepath.Join(e.set, "lib", c.Library)} {
		if err := os.CopyFS(s.Repo, os.DirFS(dir)); err != nil {
			return nil, fmt.Errorf("lay out %s: %w", c.ID, err)
		}
	}
	if folder, _, found := strings.Cut(commands[c.Framework][0], "/"); found {
		if err := repo.Link(filepath.Join(e.projects, c.Framework, folder), filepath.Join(s.Repo, folder)); err != nil {
			return nil, fmt.Errorf("link dependencies of %s (make fixtures installs them): %w", c.ID, err)
		}
	}
	err = s.Commit(ctx, c.Title, func() error { return s.Git(ctx, []string{"apply", filepath.Join(c.dir, "change.patch")}) })
	if err != nil {
		return nil, err
	}
	return s, s.event()
}

// fix is the patch that mends the defect on head.
func (s *stage) fix() string {
	if s.upstream != nil {
		return filepath.Join(s.Top, "fix.patch")
	}
	return filepath.Join(s.dir, "fix.patch")
}

// measured is what is known of the change before anything runs.
func (s *stage) measured(ctx context.Context) (measure.Change, error) {
	diff, err := s.Ask(ctx, "diff", "--no-color", "--no-ext-diff", "main", "feature")
	c := measure.Change{Size: len(diff) / 4, Language: languages[s.Framework]}
	for line := range strings.Lines(diff) {
		added, gone := strings.HasPrefix(line, "+"), strings.HasPrefix(line, "-")
		if (added || gone) && !strings.HasPrefix(line, "+++ ") && !strings.HasPrefix(line, "--- ") {
			c.Lines++
		}
	}
	if u := s.upstream; u != nil {
		c.Difficulty, c.TestsOnly = u.Difficulty, u.Origin == weakened && len(u.Undo) == 0
	}
	return c, err
}

// event writes the payload of a pull request and the files that take commands.
func (s *stage) event() error {
	side := func(sha, ref string) map[string]any {
		return map[string]any{"sha": sha, "ref": ref, "repo": map[string]any{"full_name": "example/library"}}
	}
	raw, err := json.Marshal(map[string]any{
		"action": "opened", "number": 1,
		"repository":   map[string]any{"full_name": "example/library", "default_branch": "main"},
		"pull_request": map[string]any{"number": 1, "state": "open", "title": s.Title, "body": s.Body, "base": side(s.Base, "main"), "head": side(s.Head, "feature")},
	})
	if err != nil {
		return err
	}
	errs := []error{os.WriteFile(filepath.Join(s.Top, "event.json"), raw, 0o600)}
	for _, name := range []string{"output", "summary", "env", "state", "path"} {
		errs = append(errs, os.WriteFile(filepath.Join(s.Top, name), nil, 0o600))
	}
	return errors.Join(errs...)
}

// env is the environment of a step in a workflow run for the pull request.
func (s *stage) env() []string {
	at := func(name string) string { return filepath.Join(s.Top, name) }
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "RUNNER_TEMP=" + at("temp"), "CI=true", "GITHUB_ACTIONS=true",
		"GOCACHE=" + os.Getenv("GOCACHE"), "GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_PATH=" + at("event.json"),
		"GITHUB_REPOSITORY=example/library", "GITHUB_SHA=" + s.Head, "GITHUB_REF=refs/pull/1/merge", "GITHUB_WORKSPACE=" + s.Repo,
		"GITHUB_SERVER_URL=https://github.com", "GITHUB_API_URL=https://api.github.com", "GITHUB_RUN_ID=1", "GITHUB_WORKFLOW=CI", "GITHUB_JOB=qa",
		"GITHUB_OUTPUT=" + at("output"), "GITHUB_STEP_SUMMARY=" + at("summary"), "GITHUB_ENV=" + at("env"), "GITHUB_STATE=" + at("state"), "GITHUB_PATH=" + at("path"),
	}
}
