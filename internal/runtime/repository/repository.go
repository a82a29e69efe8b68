// Package repository asks git about the checkout: what it tracks, what a commit has.
// Nothing of the repository's configuration that is a program takes part. It also
// makes git directories for copies.
package repository

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/user"
)

// Repository is the git repository of a checkout. It is asked, and never written to.
type Repository struct{ root, path string }

// At is the one of a checkout, asked by the git on a PATH.
func At(root, path string) Repository { return Repository{root, path} }

// gitTime bounds one git command.
const gitTime = 5 * time.Minute

// environment is that of our own git: no configuration but the repository's.
func (r Repository) environment() []string {
	return []string{"PATH=" + r.path, "HOME=/dev/null",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_TERMINAL_PROMPT=0",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"}
}

// Config is the repository's own configuration file; empty without a repository.
func (r Repository) Config() string {
	_, common, err := gitDirs(filepath.Join(r.root, ".git"))
	if err != nil {
		return ""
	}
	return filepath.Join(common, "config")
}

// Objects lists where the repository's objects are; none without a repository.
func (r Repository) Objects() []string {
	_, common, err := gitDirs(filepath.Join(r.root, ".git"))
	if err != nil {
		return nil
	}
	return objectDirs(common)
}

// CheckOut fills an empty directory with the files of a commit. The new git
// directory has no hooks, filters or helpers, and no other configuration is read:
// nothing of the repository runs here.
func (r Repository) CheckOut(ctx context.Context, tree, commit string, u *user.User) error {
	if err := CopyDir(filepath.Join(r.root, ".git"), filepath.Join(tree, ".git"), u); err != nil {
		return err
	}
	res, err := process.Run(ctx, process.Command{
		Argv: []string{"git", "-c", "advice.detachedHead=false", "-c", "core.hooksPath=/dev/null",
			"checkout", "--quiet", "--force", "--detach", commit, "--"},
		Dir: tree, Timeout: gitTime, Env: r.environment(),
	})
	if err != nil {
		return err
	}
	if res.ExitCode != 0 {
		return fmt.Errorf("git checkout: %s; if the commit is not there, fetch it: fetch-depth: 0 in the checkout step",
			diagnosis.Line(res.Stderr))
	}
	return nil
}

// Tracked lists what the checkout's index has; nothing when git cannot tell.
func (r Repository) Tracked(ctx context.Context) *Tracked {
	t, err := r.listTracked(ctx, "ls-files", "-z", "--full-name")
	if err != nil {
		return newTracked() // no repository
	}
	return t
}

// TrackedAt lists what a commit has.
func (r Repository) TrackedAt(ctx context.Context, commit string) (*Tracked, error) {
	return r.listTracked(ctx, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--")
}

func (r Repository) listTracked(ctx context.Context, args ...string) (*Tracked, error) {
	data, err := r.Ask(ctx, args...)
	if err != nil {
		return nil, err
	}
	return newTracked(strings.Split(string(data), "\x00")...), nil
}

// maxListing bounds what git lists of a checkout, in bytes.
const maxListing = 1 << 30

// Ask runs git on the checkout, where no code of a test has been, with nothing
// of the repository's configuration that is a program.
func (r Repository) Ask(ctx context.Context, args ...string) ([]byte, error) {
	res, err := process.Run(ctx, r.git(process.Command{MaxOutput: maxListing}, args...))
	switch {
	case err != nil:
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	case res.ExitCode != 0:
		return nil, fmt.Errorf("git %s: %s", args[0], diagnosis.Line(res.Stderr))
	case res.Truncated:
		return nil, fmt.Errorf("git %s: more than %d bytes", args[0], maxListing)
	}
	return res.Stdout, nil
}

func (r Repository) git(c process.Command, args ...string) process.Command {
	c.Argv = append([]string{"git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"}, args...)
	c.Dir, c.Timeout, c.Env = r.root, gitTime, r.environment()
	return c
}

// ignoreTime bounds the question to git: rules of the copy are the code's, which
// may have put a pipe in the place of a file.
const ignoreTime = 30 * time.Second

// Ignored tells which of some untracked files the rules of a tree ignore. The
// rules are read by our git with the checkout's metadata: those of the copy may be
// the code's by now.
func (r Repository) Ignored(ctx context.Context, tree string, names []string) (map[string]bool, error) {
	gitDir, _, err := gitDirs(filepath.Join(r.root, ".git"))
	if len(names) == 0 || errors.Is(err, fs.ErrNotExist) {
		return nil, nil // no repository ignores nothing
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	ask := r.git(process.Command{Stdin: strings.NewReader(strings.Join(names, "\x00") + "\x00"), MaxOutput: maxListing},
		"--git-dir="+gitDir, "--work-tree="+tree, "check-ignore", "--no-index", "--stdin", "-z")
	ask.Dir, ask.Timeout = tree, ignoreTime
	res, err := process.Run(ctx, ask)
	if err != nil {
		return nil, err
	}
	const none = 1
	if res.TimedOut || res.Truncated || res.ExitCode != 0 && res.ExitCode != none {
		return nil, fmt.Errorf("git check-ignore: exit code %d: %s", res.ExitCode, diagnosis.Line(res.Stderr))
	}
	out := map[string]bool{}
	for name := range strings.SplitSeq(string(res.Stdout), "\x00") {
		if name != "" {
			out[name] = true
		}
	}
	return out, nil
}

// A File is what git has at a path.
type File struct {
	Mode   fs.FileMode
	object string
}

// Committed finds a file of a commit among the repository's own objects.
func (r Repository) Committed(ctx context.Context, commit, name string) (File, error) {
	entry, err := r.Ask(ctx, "ls-tree", commit, "--", ":(literal)"+name)
	if err != nil {
		return File{}, err
	}
	fields := strings.Fields(string(entry)) // mode, kind, object, path
	if len(fields) < 4 || fields[1] != "blob" {
		return File{}, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	was := File{Mode: map[string]fs.FileMode{"100755": 0o755, "120000": fs.ModeSymlink}[fields[0]], object: fields[2]}
	if was.Mode == 0 {
		was.Mode = 0o644
	}
	return was, nil
}

// Content writes what is in a file, of a link where it leads, as it comes: a file
// may be larger than memory.
func (r Repository) Content(ctx context.Context, f File, to io.Writer) error {
	res, err := process.Run(ctx, r.git(process.Command{Stdout: to, MaxOutput: maxKept}, "cat-file", "blob", f.object))
	switch {
	case err != nil:
		return fmt.Errorf("git cat-file: %w", err)
	case res.ExitCode != 0 || res.TimedOut:
		return fmt.Errorf("git cat-file: exit code %d: %s", res.ExitCode, diagnosis.Line(res.Stderr))
	}
	return nil
}

// maxKept is what is kept of a program whose output goes elsewhere, in bytes.
const maxKept = 64 << 10
