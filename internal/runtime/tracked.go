package runtime

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
)

// tracked are the files that git knows in a tree, slash separated. They are the
// project's source wherever they lie: a committed node_modules, or a directory
// with a committed pyvenv.cfg, is no installation, which base would share with
// head and which nothing would put back. Nil knows none.
type tracked struct{ files, dirs map[string]bool }

// placeholders keep a directory in git whose contents are not.
var placeholders = []string{".gitkeep", ".keep", ".gitignore"}

func newTracked(names ...string) *tracked {
	t := &tracked{files: map[string]bool{}, dirs: map[string]bool{}}
	for _, name := range names {
		if name == "" {
			continue
		}
		t.files[name] = true
		if slices.Contains(placeholders, path.Base(name)) {
			continue
		}
		for dir := path.Dir(name); dir != "." && !t.dirs[dir]; dir = path.Dir(dir) {
			t.dirs[dir] = true
		}
	}
	return t
}

// file and dir ask for a path relative to the tree.
func (t *tracked) file(rel string) bool { return t != nil && t.files[filepath.ToSlash(rel)] }

// dir reports whether git knows something below a directory.
func (t *tracked) dir(rel string) bool { return t != nil && t.dirs[filepath.ToSlash(rel)] }

// hasGo reports whether there may be code in Go.
func (t *tracked) hasGo() bool {
	if t == nil || len(t.files) == 0 {
		return true
	}
	for name := range t.files {
		if language.Of(name).Name == "go" || path.Base(name) == "go.mod" {
			return true
		}
	}
	return false
}

// uses reports whether there may be a project in a language.
func (t *tracked) uses(l *language.Language) bool {
	if t == nil || len(t.files) == 0 {
		return true
	}
	for name := range t.files {
		if slices.Contains(l.Project.Manifests, path.Base(name)) {
			return true
		}
	}
	return false
}

// installed reports whether a file lies in a package folder and is not the
// project's own.
func (t *tracked) installed(rel string) bool { return inPackages(rel) && !t.file(rel) }

// venv reports whether a directory of a tree is a virtual environment.
func (t *tracked) venv(tree, rel string) bool {
	return rel != "." && !t.dir(rel) && isVenv(filepath.Join(tree, rel))
}

// inPackages reports whether a path lies in a folder named as those of packages.
func inPackages(rel string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(filepath.Dir(rel)), "/"), "node_modules")
}

func isVenv(dir string) bool {
	_, err := fs.Stat(rooted.FS(dir), "pyvenv.cfg")
	return err == nil
}

// and knows what either knows.
func (t *tracked) and(other *tracked) *tracked {
	var names []string
	for _, one := range []*tracked{t, other} {
		if one != nil {
			for name := range one.files {
				names = append(names, name)
			}
		}
	}
	return newTracked(names...)
}

// trackedFiles lists what the checkout's index has; nothing when git cannot tell.
func trackedFiles(ctx context.Context, o Options) *tracked {
	t, err := listTracked(ctx, o, "ls-files", "-z", "--full-name")
	if err != nil {
		return newTracked() // no repository
	}
	return t
}

// trackedAt lists what a commit has.
func trackedAt(ctx context.Context, o Options, commit string) (*tracked, error) {
	return listTracked(ctx, o, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--")
}

func listTracked(ctx context.Context, o Options, args ...string) (*tracked, error) {
	data, err := askGit(ctx, o, args...)
	if err != nil {
		return nil, err
	}
	return newTracked(strings.Split(string(data), "\x00")...), nil
}

// maxListing bounds what git lists of a checkout, in bytes.
const maxListing = 1 << 30

// askGit runs git on the checkout, where no code of a test has been, with nothing
// of the repository's configuration that is a program.
func askGit(ctx context.Context, o Options, args ...string) ([]byte, error) {
	res, err := process.Run(ctx, process.Command{
		Argv: append([]string{"git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"}, args...),
		Dir:  o.Root, Timeout: gitTime, Env: gitEnv(o), MaxOutput: maxListing})
	switch {
	case err != nil:
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	case res.ExitCode != 0:
		return nil, fmt.Errorf("git %s: %s", args[0], oneLine(res.Stderr))
	case res.Truncated:
		return nil, fmt.Errorf("git %s: more than %d bytes", args[0], maxListing)
	}
	return res.Stdout, nil
}
