package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/internal/process"
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
		if err := link(filepath.Join(e.projects, filepath.FromSlash(from)), filepath.Join(s.repo, filepath.Base(from))); err != nil {
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

// git runs git in the repository, untouched by the machine's configuration.
func (s *stage) git(ctx context.Context, args ...string) (string, error) {
	res, err := process.Run(ctx, process.Command{
		Argv: append([]string{"git"}, args...), Dir: s.repo, Timeout: time.Minute,
		Env: []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(s.top, "home"), "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=author", "GIT_AUTHOR_EMAIL=author@example.com", "GIT_COMMITTER_NAME=author", "GIT_COMMITTER_EMAIL=author@example.com",
			"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z",
		},
	})
	if err == nil && res.ExitCode != 0 {
		err = fmt.Errorf("exit code %d: %s", res.ExitCode, res.Stderr)
	}
	if err != nil {
		return "", fmt.Errorf("case %s: git %s: %w", s.ID, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(res.Stdout)), nil
}

// link reproduces a dependency folder with hard links; Node resolves a linked
// folder to its real place and would look for the project there.
func link(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			real, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(real, target)
		}
		if os.Link(path, target) == nil {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, info.Mode().Perm())
	})
}
