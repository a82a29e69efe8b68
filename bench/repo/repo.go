// Package repo lays out the repositories on which the benchmarks run the product.
package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/internal/process"
)

// git runs git in dir with home as the user's folder, untouched by the machine's
// configuration and at one time, so that commits have the same names everywhere.
func git(ctx context.Context, dir, home string, args ...string) (string, error) {
	res, err := Run(ctx, process.Command{
		Argv: append([]string{"git"}, args...), Dir: dir, Timeout: time.Minute,
		Env: []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=author", "GIT_AUTHOR_EMAIL=author@example.com", "GIT_COMMITTER_NAME=author", "GIT_COMMITTER_EMAIL=author@example.com",
			"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z",
		},
	})
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(res.Stdout)), nil
}

// Link reproduces a dependency folder with hard links; Node resolves a linked
// folder to its real place and would look for the project there.
func Link(from, to string) error {
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
			return errors.Join(err, os.Symlink(real, target))
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
