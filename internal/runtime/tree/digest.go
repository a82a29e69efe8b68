package tree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/walk"
)

// Digest is the content of a tree: slash-separated path to a hash over kind,
// executable bit and content. Git metadata and installed dependencies do not
// belong to it.
type Digest map[string]string

// Digest reads the workspace's tree.
func (t *Tree) Digest(ctx context.Context) (Digest, error) {
	return DigestOf(ctx, t.box.Place.Tree, t.Tracked)
}

func DigestOf(ctx context.Context, absDir string, t *repository.Tracked) (Digest, error) {
	d := Digest{}
	err := walk.Below(absDir, func(rel string, e fs.DirEntry) (err error) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if e.IsDir() {
			if e.Name() == ".git" || e.Name() == "node_modules" && !t.Dir(rel) || t.Venv(absDir, rel) {
				return fs.SkipDir
			}
			return nil
		}
		if t.Installed(rel) {
			return nil
		}
		d[filepath.ToSlash(rel)], err = hashFile(filepath.Join(absDir, rel), e)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("digest of tree: %w", err)
	}
	return d, nil
}

// Changed lists the paths that are in one only or differ, sorted.
func (d Digest) Changed(now Digest) []string {
	changed, made := each.Differ(d, now)
	return slices.Sorted(slices.Values(append(changed, made...)))
}

func hashFile(path string, e fs.DirEntry) (string, error) {
	info, err := e.Info()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%v %v\n", info.Mode().Type(), info.Mode().Perm()&0o100)
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		dest, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		_, _ = io.WriteString(h, dest)
	case info.Mode().IsRegular():
		f, err := openQuietly(path)
		if err != nil {
			return "", err
		}
		_, err = io.Copy(h, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
