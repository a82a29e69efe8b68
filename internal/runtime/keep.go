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
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/org/qa-action/internal/rooted"
)

// What was installed for a base is kept in <cache>/installed/<digest>, as it was
// before any test ran: the files that the installation put into the tree, the
// virtual environment, and the path that they were made at. Code can read it and
// not write to it.

// maxKept bounds how many installations are kept; the one used longest ago goes.
const maxKept = 4

func (p place) installed() string { return filepath.Join(p.cache, "installed") }

// keepKey names an installation by all that it follows from; empty when it cannot
// be kept.
func (w *Workspace) keepKey(ctx context.Context, r recipe) (string, error) {
	if !w.guarded() || w.foreign || !r.pinned() {
		return "", nil
	}
	parts := append([]string{"1", platform(), lookup(w.env, "NODE_ENV")}, r.from...)
	for _, in := range r.node {
		parts = append(parts, in.Dir, fmt.Sprintf("%q", in.Commands))
	}
	if r.python != nil {
		parts = append(parts, "python", r.python.Dir, fmt.Sprintf("%q", r.python.Commands))
	}
	if r.bound {
		tree, err := askGit(ctx, w.opts, "rev-parse", "--verify", w.commit+"^{tree}")
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
	top := w.place.installed()
	if err := os.MkdirAll(top, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(top, ".new-")
	if err != nil {
		return err
	}
	defer func() { _ = rooted.RemoveAll(temp) }()
	made := func(rel string) bool {
		return rel != ".git" && !strings.HasPrefix(rel, ".git"+string(filepath.Separator)) && !w.tracked.file(rel)
	}
	err = errors.Join(
		os.Mkdir(filepath.Join(temp, "tree"), 0o755),
		copyMade(ctx, w.place.tree, filepath.Join(temp, "tree"), made),
		copyMade(ctx, w.place.venv, filepath.Join(temp, "venv"), nil),
		os.WriteFile(filepath.Join(temp, "from"), []byte(w.shown(w.place.home)), 0o644),
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
	dir := filepath.Join(w.place.installed(), key)
	from, err := os.ReadFile(filepath.Join(dir, "from"))
	if err != nil {
		return false, nil //nolint:nilerr // not kept
	}
	_, _ = fmt.Fprintln(w.opts.Log, "dependencies of base: as kept from an earlier run")
	for _, part := range [][2]string{{"tree", w.place.tree}, {"venv", w.place.venv}} {
		source := filepath.Join(dir, part[0])
		if err := copyMade(ctx, source, part[1], nil); err != nil {
			return false, err
		}
		if err := repath(source, part[1], string(from), w.place.home, w.shown(w.place.home)); err != nil {
			return false, err
		}
	}
	now := time.Now()
	return true, os.Chtimes(dir, now, now)
}

// repath leads what names the place where the installation was made to the new one,
// which commands know by the name given last.
func repath(source, target, from, to, named string) error {
	return filepath.WalkDir(source, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(source, path)
		if err != nil {
			return err
		}
		goal := filepath.Join(target, rel)
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			dest, err := os.Readlink(goal)
			if led := turned(dest, from, to); err == nil && led != dest {
				err = errors.Join(os.Remove(goal), linkBeside(led, goal))
			}
			return err
		case d.Type().IsRegular() && (namesPaths(goal) || filepath.Base(filepath.Dir(goal)) == ".bin"):
			return rewriteFile(goal, from, named)
		}
		return nil
	})
}

// copyMade copies the files and links that made names, nil being all, with the
// directories that they lie in. What is there already is an error, and so is a
// link in the place of a directory: nothing is written through it.
func copyMade(ctx context.Context, from, to string, made func(rel string) bool) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2 * runtime.GOMAXPROCS(0))
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case d.IsDir() && made == nil:
			return makePlain(filepath.Join(to, rel))
		case d.IsDir() && !made(rel):
			return fs.SkipDir
		case d.IsDir() || made != nil && !made(rel):
			return nil
		}
		goal := filepath.Join(to, rel)
		if made != nil {
			if err := os.MkdirAll(filepath.Dir(goal), 0o755); err != nil {
				return err
			}
		}
		if d.Type()&fs.ModeSymlink != 0 {
			dest, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(dest, goal)
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		group.Go(func() error { return copyFile(path, goal, info) })
		return nil
	})
	return errors.Join(err, group.Wait())
}

// makePlain makes a directory, or finds one that is no link.
func makePlain(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no directory", filepath.Base(dir))
	}
	return err
}
