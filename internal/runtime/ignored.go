package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/process"
)

// leftover reports whether a directory or file of the checkout is the note of an
// earlier test run that nobody committed: what somebody's tools left there is not
// the change's, and it decides which tests run first, or hides that a source was
// read. Installed packages are left alone.
func (p *privacy) leftover(rel string, isDir bool) bool {
	if p == nil {
		return false
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	name := parts[len(parts)-1]
	if isDir && p.stale(rel, name) {
		return true
	}
	if slices.ContainsFunc(parts, language.IsInstalled) || !language.IsCache(name) && !slices.Contains(p.caches, name) {
		return false
	}
	return isDir && !p.tracked.dir(rel) || !isDir && !p.tracked.file(rel)
}

// stale reports whether a folder is what a build made, beside the manifest that
// says so.
func (p *privacy) stale(rel, name string) bool {
	return !p.tracked.dir(rel) && slices.ContainsFunc(language.All(), func(l *language.Language) bool {
		return slices.Contains(l.Project.Stale, name) && slices.ContainsFunc(l.Project.Manifests, func(m string) bool {
			return p.tracked.file(filepath.Join(filepath.Dir(rel), m))
		})
	})
}

// dropByteCode removes what Python compiled of the project, from the tree and from
// the list of its files.
func (w *Workspace) dropByteCode(root *os.Root, project map[string]stamp) error {
	for name := range project {
		if filepath.Base(filepath.Dir(name)) != "__pycache__" || w.tracked.file(name) {
			continue
		}
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove byte code: %w", err)
		}
		delete(w.opened.project, name)
		delete(project, name)
	}
	return nil
}

// ignoreTime bounds the question to git: rules of the copy are the code's, which
// may have put a pipe in the place of a file.
const ignoreTime = 30 * time.Second

// ignored tells which of some untracked files the rules of the tree ignore. The
// rules are read by our git with the checkout's metadata: those of the copy may be
// the code's by now.
func (w *Workspace) ignored(ctx context.Context, names []string) (map[string]bool, error) {
	gitDir, _, err := gitDirs(filepath.Join(w.opts.Root, ".git"))
	if len(names) == 0 || errors.Is(err, fs.ErrNotExist) {
		return nil, nil // no repository ignores nothing
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	res, err := process.Run(ctx, process.Command{
		Argv: []string{"git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
			"--git-dir=" + gitDir, "--work-tree=" + w.place.tree, "check-ignore", "--no-index", "--stdin", "-z"},
		Dir: w.place.tree, Stdin: bytes.NewReader([]byte(strings.Join(names, "\x00") + "\x00")),
		Timeout: ignoreTime, Env: gitEnv(w.opts), MaxOutput: maxListing})
	if err != nil {
		return nil, err
	}
	const none = 1
	if res.TimedOut || res.Truncated || res.ExitCode != 0 && res.ExitCode != none {
		return nil, fmt.Errorf("git check-ignore: exit code %d: %s", res.ExitCode, oneLine(res.Stderr))
	}
	out := map[string]bool{}
	for name := range strings.SplitSeq(string(res.Stdout), "\x00") {
		if name != "" {
			out[name] = true
		}
	}
	return out, nil
}
