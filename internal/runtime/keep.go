package runtime

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/provision"
)

// What was installed for a base is kept in <cache>/installed/<digest>, as it was
// before any test ran: the files that the installation put into the tree, the
// virtual environment, and the path that they were made at. Code can read it and
// not write to it.

// maxKept bounds how many installations are kept; the one used longest ago goes.
const maxKept = 4

// keepKey names an installation by all that it follows from; empty when it cannot
// be kept.
func (w *Workspace) keepKey(ctx context.Context, r recipe) (string, error) {
	if !w.guarded() || w.box.Foreign || !r.pinned() {
		return "", nil
	}
	parts := append([]string{"1", provision.Platform(), environ.Lookup(w.env, "NODE_ENV")}, r.from...)
	variables, _ := w.parent.deps.job.Variables(w.opts.Dir) // installers run code that sees them
	for _, v := range variables {
		parts = append(parts, v.Name+"="+v.Value)
	}
	for _, in := range r.node {
		parts = append(parts, in.Dir, fmt.Sprintf("%q", in.Commands))
	}
	if r.python != nil {
		parts = append(parts, "python", r.python.Dir, fmt.Sprintf("%q", r.python.Commands))
	}
	if r.bound {
		tree, err := w.repo.Ask(ctx, "rev-parse", "--verify", w.tree.Commit+"^{tree}")
		if err != nil {
			return "", err
		}
		parts = append(parts, string(tree))
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:]), nil
}

// keep copies what the installation made. A directory that is there is complete.
func (w *Workspace) keep(ctx context.Context, key string) error {
	top := w.box.Place.Installed()
	if err := os.MkdirAll(top, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(top, ".new-")
	if err != nil {
		return err
	}
	defer func() { _ = rooted.RemoveAll(temp) }()
	made := func(rel string) bool {
		return rel != ".git" && !strings.HasPrefix(rel, ".git"+string(filepath.Separator)) && !w.tree.Tracked.File(rel)
	}
	err = errors.Join(
		os.Mkdir(filepath.Join(temp, "tree"), 0o755),
		clone.Made(ctx, w.box.Place.Tree, filepath.Join(temp, "tree"), made),
		clone.Made(ctx, w.box.Place.Venv, filepath.Join(temp, "venv"), nil),
		os.WriteFile(filepath.Join(temp, "from"), []byte(w.box.Shown(w.box.Place.Home)), 0o644),
		os.Chmod(temp, 0o755))
	if err != nil {
		return err
	}
	if err := os.Rename(temp, filepath.Join(top, key)); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return forget(top, key, maxKept)
}

// forget removes the entries that were used longest ago, but for one.
func forget(top, but string, most int) error {
	entries, err := os.ReadDir(top)
	if err != nil {
		return err
	}
	var kept []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != but && !strings.HasPrefix(e.Name(), ".") {
			kept = append(kept, info)
		}
	}
	slices.SortFunc(kept, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	for _, info := range kept[min(len(kept), most-1):] {
		err = errors.Join(err, rooted.RemoveAll(filepath.Join(top, info.Name())))
	}
	return err
}

// bring puts a kept installation into the tree; there may be none.
func (w *Workspace) bring(ctx context.Context, key string) (bool, error) {
	dir := filepath.Join(w.box.Place.Installed(), key)
	from, err := os.ReadFile(filepath.Join(dir, "from"))
	if err != nil {
		return false, nil //nolint:nilerr // not kept
	}
	_, _ = fmt.Fprintln(w.opts.Log, "dependencies of base: as kept from an earlier run")
	for _, part := range [][2]string{{"tree", w.box.Place.Tree}, {"venv", w.box.Place.Venv}} {
		source := filepath.Join(dir, part[0])
		if err := clone.Made(ctx, source, part[1], nil); err != nil {
			return false, err
		}
		if err := clone.Repath(source, part[1], string(from), w.box.Place.Home, w.box.Shown(w.box.Place.Home)); err != nil {
			return false, err
		}
	}
	now := time.Now()
	return true, os.Chtimes(dir, now, now)
}
