package change

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Tracked lists what git has in a place of the working copy whose root is top:
// files below name, and what stands in its way, such as a submodule that it lies
// in. The index of the working copy counts, HEAD, the commits named as far as
// they are here, and every repository in whose working copy this one lies. Names
// are relative to top; upper and lower case are the same, as they are for some
// file systems.
func Tracked(ctx context.Context, top, name string, commits ...string) ([]string, error) {
	var out []string
	for at, below := top, path.Clean(filepath.ToSlash(name)); ; {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			found, err := trackedIn(ctx, at, below, append([]string{"HEAD"}, commits...))
			if err != nil {
				return nil, err
			}
			above := strings.TrimSuffix(below, path.Clean(filepath.ToSlash(name)))
			for _, f := range found {
				// An outer repository that has this one as its submodule names a
				// commit of it, and no file.
				if len(f) > len(above) {
					out = append(out, f[len(above):])
				}
			}
		}
		parent := filepath.Dir(at)
		if parent == at {
			slices.Sort(out)
			return slices.Compact(out), nil
		}
		below, at, commits = path.Join(filepath.Base(at), below), parent, nil
	}
}

// trackedIn asks one repository.
func trackedIn(ctx context.Context, top, name string, commits []string) ([]string, error) {
	r, err := openRepo(ctx, top)
	if err != nil {
		return nil, err
	}
	data, err := r.git(ctx, "ls-files", "-z", "--full-name")
	if err != nil {
		return nil, err
	}
	var out []string
	for file := range strings.SplitSeq(string(data), "\x00") {
		if file != "" && (lies(file, name) || lies(name, file)) {
			out = append(out, file)
		}
	}
	var above []string // name and the directories that it lies in
	for dir := name; dir != "."; dir = path.Dir(dir) {
		above = append(above, dir)
	}
	for _, commit := range commits {
		if commit == "" || strings.HasPrefix(commit, "-") {
			continue
		}
		if _, err := r.git(ctx, "rev-parse", "-q", "--verify", commit+"^{commit}"); err != nil {
			if failed := (*gitError)(nil); errors.As(err, &failed) {
				continue // not here, as nothing of it is
			}
			return nil, err
		}
		found, err := r.inTree(ctx, commit, above)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// inTree lists what a commit has at the first of some paths or below it, and
// what is no directory at the others.
func (r *repo) inTree(ctx context.Context, commit string, above []string) ([]string, error) {
	var out []string
	args := []string{"ls-tree", "-z", "--full-tree", commit, "--"}
	data, err := r.git(ctx, append(args, above...)...)
	if err != nil {
		return nil, err
	}
	whole := false
	for _, line := range splitNull(data) {
		about, file, _ := strings.Cut(line, "\t")
		switch {
		case !strings.Contains(about, " tree "):
			out = append(out, file)
		case file == above[0]:
			whole = true
		}
	}
	if !whole {
		return out, nil
	}
	data, err = r.git(ctx, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", above[0])
	return append(out, splitNull(data)...), err
}

// lies reports whether name is dir or lies below it, in whatever case.
func lies(name, dir string) bool {
	if dir == "." {
		return true
	}
	return len(name) >= len(dir) && strings.EqualFold(name[:len(dir)], dir) && (len(name) == len(dir) || name[len(dir)] == '/')
}
