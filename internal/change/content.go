package change

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Content is a file as it stands in a commit, [fs.ErrNotExist] when the commit
// has none there. dir is any absolute directory inside the working copy, path
// is relative to the repository root.
func Content(ctx context.Context, dir, commit, path string) ([]byte, error) {
	if commit == "" || strings.HasPrefix(commit, "-") || !fs.ValidPath(path) {
		return nil, fmt.Errorf("read %q at %q: %w", path, commit, fs.ErrNotExist)
	}
	r, err := openRepo(ctx, dir)
	if err != nil {
		return nil, err
	}
	out, err := r.git(ctx, "cat-file", "blob", commit+":"+path)
	var failed *gitError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("read %s at %s: %w", path, commit, fs.ErrNotExist)
	}
	return out, err
}

// Root is the absolute directory of the working copy that holds dir. The error
// is a [NotRepoError] when there is none.
func Root(ctx context.Context, dir string) (string, error) {
	r, err := openRepo(ctx, dir)
	if err != nil {
		return "", err
	}
	return r.top, nil
}
