package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/org/qa-action/bench/repo"
)

// stage is a pull request laid out on disk as a runner would find it.
type stage struct {
	change
	top        string // repo/, event.json, home/, …
	repo       string
	base, head string
}

// installed is where a framework's dependencies are, relative to the sample
// projects; they are set up by make fixtures.
var installed = map[string]string{
	"vitest": "vitest/node_modules", "jest": "jest/node_modules", "mocha": "mocha/node_modules", "pytest": "pytest/.venv", "gotest": "",
}

// lay makes the repository with its two commits and the event.
func (e *evaluation) lay(ctx context.Context, c change, top string) (*stage, error) {
	s := &stage{change: c, top: top, repo: filepath.Join(top, "repo")}
	if err := errors.Join(os.RemoveAll(top), os.MkdirAll(filepath.Join(top, "home"), 0o755), os.MkdirAll(filepath.Join(top, "temp"), 0o755)); err != nil {
		return nil, err
	}
	for _, dir := range []string{filepath.Join(e.set, "project", c.Framework), filepath.Join(e.set, "lib", c.Library)} {
		if err := os.CopyFS(s.repo, os.DirFS(dir)); err != nil {
			return nil, fmt.Errorf("lay out %s: %w", c.ID, err)
		}
	}
	if from := installed[c.Framework]; from != "" {
		if err := repo.Link(filepath.Join(e.projects, filepath.FromSlash(from)), filepath.Join(s.repo, filepath.Base(from))); err != nil {
			return nil, fmt.Errorf("link dependencies of %s (make fixtures installs them): %w", c.ID, err)
		}
	}
	steps := [][]string{
		{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "base"}, {"checkout", "-q", "-b", "feature"},
		{"apply", filepath.Join(c.dir, "change.patch")}, {"add", "-A"}, {"commit", "-q", "-m", c.Title},
	}
	for _, args := range steps {
		if _, err := s.git(ctx, args...); err != nil {
			return nil, err
		}
	}
	var err error
	if s.base, err = s.git(ctx, "rev-parse", "main"); err != nil {
		return nil, err
	}
	if s.head, err = s.git(ctx, "rev-parse", "HEAD"); err != nil {
		return nil, err
	}
	return s, s.event()
}

// event writes the payload of a pull request and the files that take commands.
func (s *stage) event() error {
	side := func(sha, ref string) map[string]any {
		return map[string]any{"sha": sha, "ref": ref, "repo": map[string]any{"full_name": "example/library"}}
	}
	raw, err := json.Marshal(map[string]any{
		"action": "opened", "number": 1,
		"repository":   map[string]any{"full_name": "example/library", "default_branch": "main"},
		"pull_request": map[string]any{"number": 1, "state": "open", "title": s.Title, "body": s.Body, "base": side(s.base, "main"), "head": side(s.head, "feature")},
	})
	if err != nil {
		return err
	}
	errs := []error{os.WriteFile(filepath.Join(s.top, "event.json"), raw, 0o600)}
	for _, name := range []string{"output", "summary", "env", "state", "path"} {
		errs = append(errs, os.WriteFile(filepath.Join(s.top, name), nil, 0o600))
	}
	return errors.Join(errs...)
}

// env is the environment of a step in a workflow run for the pull request.
func (s *stage) env() []string {
	at := func(name string) string { return filepath.Join(s.top, name) }
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "RUNNER_TEMP=" + at("temp"), "CI=true", "GITHUB_ACTIONS=true",
		"GOCACHE=" + os.Getenv("GOCACHE"), "GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_PATH=" + at("event.json"),
		"GITHUB_REPOSITORY=example/library", "GITHUB_SHA=" + s.head, "GITHUB_REF=refs/pull/1/merge", "GITHUB_WORKSPACE=" + s.repo,
		"GITHUB_SERVER_URL=https://github.com", "GITHUB_API_URL=https://api.github.com", "GITHUB_RUN_ID=1", "GITHUB_WORKFLOW=CI", "GITHUB_JOB=qa",
		"GITHUB_OUTPUT=" + at("output"), "GITHUB_STEP_SUMMARY=" + at("summary"), "GITHUB_ENV=" + at("env"), "GITHUB_STATE=" + at("state"), "GITHUB_PATH=" + at("path"),
	}
}

func (s *stage) git(ctx context.Context, args ...string) (string, error) {
	out, err := repo.Git(ctx, s.repo, filepath.Join(s.top, "home"), args...)
	if err != nil {
		return "", fmt.Errorf("case %s: %w", s.ID, err)
	}
	return out, nil
}
