package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/cache"
	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/provision"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/tree"
)

// What was installed for a base is kept in <cache>/installed/<digest>, as it was
// before any test ran: the files that the installation put into the tree, the
// virtual environment, and the path that they were made at. Code can read it and
// not write to it.

// maxKept bounds how many installations are kept; the one used longest ago goes.
const maxKept = 4

// shelf keeps the installation of one base, and has those of earlier ones.
type shelf struct {
	*runner
	caches *caches
	tree   *tree.Tree
	repo   repository.Repository
	// variables are those that installers see, "K=V": they run code.
	variables []string
}

// key names an installation by all that it follows from; empty when it cannot
// be kept.
func (k shelf) key(ctx context.Context, r recipe) (string, error) {
	if !k.caches.guarded() || k.box.Foreign || !r.pinned() {
		return "", nil
	}
	parts := append([]string{"1", provision.Platform(), environ.Lookup(k.env, "NODE_ENV")}, r.from...)
	parts = append(parts, k.variables...)
	for _, in := range r.node {
		parts = append(parts, in.Dir, fmt.Sprintf("%q", in.Commands))
	}
	if r.python != nil {
		parts = append(parts, "python", r.python.Dir, fmt.Sprintf("%q", r.python.Commands))
	}
	if r.bound {
		tree, err := k.repo.Ask(ctx, "rev-parse", "--verify", k.tree.Commit+"^{tree}")
		if err != nil {
			return "", err
		}
		parts = append(parts, string(tree))
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:]), nil
}

// keep copies what the installation made. A directory that is there is complete.
func (k shelf) keep(ctx context.Context, key string) error {
	top := k.box.Place.Installed()
	if err := os.MkdirAll(top, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(top, ".new-")
	if err != nil {
		return err
	}
	defer func() { _ = rooted.RemoveAll(temp) }()
	made := func(rel string) bool {
		return rel != ".git" && !strings.HasPrefix(rel, ".git"+string(filepath.Separator)) && !k.tree.Tracked.File(rel)
	}
	err = errors.Join(
		os.Mkdir(filepath.Join(temp, "tree"), 0o755),
		clone.Made(ctx, k.box.Place.Tree, filepath.Join(temp, "tree"), made),
		clone.Made(ctx, k.box.Place.Venv, filepath.Join(temp, "venv"), nil),
		os.WriteFile(filepath.Join(temp, "from"), []byte(k.box.Shown(k.box.Place.Home)), 0o644),
		os.Chmod(temp, 0o755))
	if err != nil {
		return err
	}
	if err := os.Rename(temp, filepath.Join(top, key)); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return cache.Forget(top, key, maxKept)
}

// bring puts a kept installation into the tree; there may be none.
func (k shelf) bring(ctx context.Context, key string) (bool, error) {
	dir := filepath.Join(k.box.Place.Installed(), key)
	from, err := os.ReadFile(filepath.Join(dir, "from"))
	if err != nil {
		return false, nil //nolint:nilerr // not kept
	}
	_, _ = fmt.Fprintln(k.log, "dependencies of base: as kept from an earlier run")
	for _, part := range [][2]string{{"tree", k.box.Place.Tree}, {"venv", k.box.Place.Venv}} {
		source := filepath.Join(dir, part[0])
		if err := clone.Made(ctx, source, part[1], nil); err != nil {
			return false, err
		}
		if err := clone.Repath(source, part[1], string(from), k.box.Place.Home, k.box.Shown(k.box.Place.Home)); err != nil {
			return false, err
		}
	}
	now := time.Now()
	return true, os.Chtimes(dir, now, now)
}
