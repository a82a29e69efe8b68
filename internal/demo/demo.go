// Package demo is a small project with a change that deserves a rich report: it
// breaks a test, leaves lines that no test runs, brings a flaky test and throws an
// error away. Start at [Unpack].
package demo

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/internal/process"
)

// The project is Go, so that nothing but Go and git is needed. Files whose names
// mean something to Go or git where they stand have ".txt" behind them here.
//
//go:embed testdata
var files embed.FS

// Base is the branch that holds what the change is made to.
const Base = "main"

// Project is the unpacked project.
type Project struct {
	Dir       string // absolute
	temporary bool
}

// MissingError is a program that the project needs.
type MissingError struct{ program string }

func (e MissingError) Error() string { return "the demo needs " + e.program + ", which is not on PATH" }

// NextStep tells how to go on without it.
func (e MissingError) NextStep() string {
	return "install " + e.program + ", or run qa in a repository of your own: qa run"
}

// TakenError is a folder that holds something.
type TakenError struct{ dir string }

func (e TakenError) Error() string { return e.dir + " is there and not empty" }

// NextStep names a way out.
func (e TakenError) NextStep() string { return "name a folder that does not exist: qa demo NAME" }

// Unpack makes the project with its two commits in dir, which must be empty or not
// there, or in a temporary folder where dir is empty.
func Unpack(ctx context.Context, dir string) (*Project, error) {
	for _, program := range []string{"git", "go"} {
		if _, err := process.LookPath(program); err != nil {
			return nil, MissingError{program}
		}
	}
	p := &Project{Dir: dir, temporary: dir == ""}
	if err := p.place(); err != nil {
		return nil, fmt.Errorf("make the demo's folder: %w", err)
	}
	if err := p.commits(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("unpack the demo: %w", err), p.Remove())
	}
	return p, nil
}

// place makes the folder.
func (p *Project) place() (err error) {
	if p.temporary {
		if p.Dir, err = os.MkdirTemp("", "qa-demo-"); err == nil {
			p.Dir, err = filepath.EvalSymlinks(p.Dir)
		}
		return err
	}
	if entries, err := os.ReadDir(p.Dir); err == nil && len(entries) > 0 {
		return TakenError{p.Dir}
	}
	return os.MkdirAll(p.Dir, 0o755)
}

// Keep lets the folder stay.
func (p *Project) Keep() { p.temporary = false }

// Kept says that the folder stays.
func (p *Project) Kept() bool { return !p.temporary }

// Remove takes a temporary folder away; any other one stays.
func (p *Project) Remove() error {
	if !p.temporary {
		return nil
	}
	return os.RemoveAll(p.Dir)
}

// commits makes the base and, on a branch of its own, the change.
func (p *Project) commits(ctx context.Context) error {
	steps := []struct {
		files, says string
		git         []string
	}{
		{"base", "A cart with a discount", []string{"init", "-q", "-b", Base}},
		{"change", "Shipping, cached rates and a new limit", []string{"checkout", "-q", "-b", "change"}},
	}
	for _, s := range steps {
		if err := p.git(ctx, s.git...); err != nil {
			return err
		}
		if err := p.lay(s.files); err != nil {
			return err
		}
		if err := p.git(ctx, "add", "-A"); err != nil {
			return err
		}
		if err := p.git(ctx, "commit", "-q", "-m", s.says); err != nil {
			return err
		}
	}
	return nil
}

// lay writes the files of one commit.
func (p *Project) lay(commit string) error {
	root, err := os.OpenRoot(p.Dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing is buffered
	from := path.Join("testdata", commit)
	return fs.WalkDir(files, from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		to := strings.TrimPrefix(name, from+"/")
		if plain, ok := strings.CutSuffix(to, ".txt"); ok {
			to = strings.Replace(plain, "gitignore", ".gitignore", 1)
		}
		if err := root.MkdirAll(path.Dir(to), 0o755); err != nil {
			return err
		}
		return root.WriteFile(to, raw, 0o644)
	})
}

// git runs with no configuration of the machine's and always the same names and
// dates, so that the commits are the same everywhere.
func (p *Project) git(ctx context.Context, args ...string) error {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.Dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		env = append(env, "GIT_"+who+"_NAME=qa demo", "GIT_"+who+"_EMAIL=demo@example.invalid", "GIT_"+who+"_DATE=2026-01-01T00:00:00Z")
	}
	res, err := process.Run(ctx, process.Command{Argv: append([]string{"git"}, args...), Dir: p.Dir, Env: env, Timeout: time.Minute})
	if err != nil {
		return err
	}
	if res.ExitCode != 0 {
		return fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(res.Stderr)))
	}
	return nil
}

// Getenv gives a run in the project none of the inputs that the environment may
// hold: they are meant for another repository.
func Getenv(getenv func(string) string) func(string) string {
	return func(name string) string {
		switch name {
		case "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "COLORTERM":
			return getenv(name)
		}
		return ""
	}
}
