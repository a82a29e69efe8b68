package change

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Content is a file as it stands in a commit, [fs.ErrNotExist] when the commit
// has none there; one that a clone lacks is another error. dir is any absolute directory inside the working copy, path
// is relative to the repository root.
func Content(ctx context.Context, dir, commit, path string) ([]byte, error) {
	if commit == "" || strings.HasPrefix(commit, "-") || !fs.ValidPath(path) {
		return nil, fmt.Errorf("read %q at %q: %w", path, commit, fs.ErrNotExist)
	}
	r, err := openRepo(ctx, dir)
	if err != nil {
		return nil, err
	}
	name := commit + ":" + path
	out, err := r.git(ctx, "cat-file", "blob", name)
	var failed *gitError
	if errors.As(err, &failed) {
		if _, none := r.line(ctx, "cat-file", "-t", name); none != nil && strings.Contains(failed.stderr, "bad file") { // no folder
			return nil, incomplete(r.top, name)
		}
		return nil, fmt.Errorf("read %s at %s: %w", path, commit, fs.ErrNotExist)
	}
	return out, err
}

// Root is the absolute directory of the working copy that holds dir.
func Root(ctx context.Context, dir string) (string, error) {
	r, err := findRepo(ctx, dir)
	if err != nil {
		return "", err
	}
	return r.top, nil
}

// Ancestors lists a commit and those before it along first parents, nearest
// first, at most n; a shallow clone may have fewer.
func Ancestors(ctx context.Context, dir, commit string, n int) ([]string, error) {
	if !isCommit(commit) {
		return nil, fmt.Errorf("list ancestors: %q is not a full commit id", commit)
	}
	r, err := openRepo(ctx, dir)
	if err != nil {
		return nil, err
	}
	out, err := r.git(ctx, "rev-list", "--first-parent", fmt.Sprintf("--max-count=%d", n), commit)
	if err != nil {
		return nil, fmt.Errorf("list ancestors: %w", err)
	}
	return strings.Fields(string(out)), nil
}
