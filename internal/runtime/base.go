package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/tree"
	"github.com/org/qa-action/internal/runtime/user"
	"github.com/org/qa-action/internal/timing"
)

// At opens a second private tree with the files of a commit. It shares driver and
// toolchain with w, and the installed dependencies as long as it needs the same;
// packages installed in place resolve into the new tree. Where its manifests or
// lock files say otherwise it gets its own installation, by the same commands in
// its own tree; Dependencies says when that could not be had. Close it before w.
func (w *Workspace) At(ctx context.Context, commit string) (*Workspace, error) {
	b, err := w.at(ctx, commit, "")
	var cannot cannotOwn
	if errors.As(err, &cannot) {
		_, _ = fmt.Fprintf(w.opts.Log, "base gets no dependencies of its own: %q\n", cannot.why)
		b, err = w.at(ctx, commit, cannot.why)
	}
	return b, err
}

// at is At; shared says why base must run with head's dependencies.
func (w *Workspace) at(ctx context.Context, commit, shared string) (*Workspace, error) {
	b := &Workspace{opts: w.opts, repo: w.repo, in: w.in, why: w.why, redact: w.redact,
		levels: w.levels, tools: slices.Clone(w.tools), parent: w}
	b.deps.Shared = shared
	if err := w.tree.Untampered(); err != nil {
		return nil, fmt.Errorf("open the tree of %s: %w", commit, err)
	}
	p, err := place.New(w.where(), w.box.User, &w.box.Place)
	if err != nil {
		return nil, err
	}
	b.box = w.box.Around(p)
	b.tree = tree.New(b.box, b.read)
	b.tree.Commit = commit
	if err := b.box.ProbeViews(ctx); err != nil {
		_, _ = fmt.Fprintf(w.opts.Log, "base stands at a path of its own: %v\n", err)
		b.box.Apart = true
	}
	if err := b.fill(ctx, commit); err != nil {
		return nil, errors.Join(fmt.Errorf("open the tree of %s: %w", commit, err), b.Close())
	}
	return b, nil
}

func (w *Workspace) fill(ctx context.Context, commit string) error {
	ctx, end := timing.Begin(ctx, timing.Copy, "tree of base")
	defer end()
	if err := w.repo.CheckOut(ctx, w.box.Place.Tree, commit, w.box.User); err != nil {
		return err
	}
	var err error
	if w.tree.Tracked, err = w.repo.TrackedAt(ctx, commit); err != nil {
		return err
	}
	if l, ok := w.in.(lender); ok {
		if err := l.Lend(w.box); err != nil {
			return err
		}
	}
	if err := errors.Join(w.box.Place.Hand(w.box.User), w.layCaches()); err != nil {
		return err
	}
	w.env = w.parent.moved(w.box.Place)
	if w.box.Moves() && (w.box.Layers.Confines() || place.InTmp(w.box.Place.Home)) {
		if err := w.warmGo(ctx); err != nil {
			return err
		}
	}
	if err := w.depend(ctx); err != nil {
		return err
	}
	return w.tree.Readied()
}

// depend gives base its dependencies: its own where it needs others than head, and
// those of head for the rest.
func (w *Workspace) depend(ctx context.Context) error {
	own, err := w.parent.needsOf(w.box.Place.Tree)
	if err != nil {
		return err
	}
	switch {
	case !own.any():
	case w.deps.Shared != "":
		w.deps.Shared, own = own.why()+": "+w.deps.Shared, needed{}
	default:
		if err := w.equip(ctx, own); err != nil {
			return err
		}
	}
	own.folders = slices.AppendSeq(own.folders, maps.Keys(w.parent.deps.anew))
	if err := w.startAnew(ctx); err != nil {
		return err
	}
	if err := w.shareInstalls(own); err != nil {
		return fmt.Errorf("share installed dependencies: %w", err)
	}
	if repository.IsVenv(w.parent.box.Place.Venv) && !own.python {
		home := share{from: w.parent.box.Place.Home, to: w.box.Place.Home, via: w.box.Place.InHead(w.parent.box.Place, w.parent.box.Place.Home), named: w.box.Shown(w.box.Place.Home)}
		if err := home.venv(filepath.Base(w.box.Place.Venv)); err != nil {
			return fmt.Errorf("share the virtual environment: %w", err)
		}
	}
	if err := w.ownFiles(); err != nil {
		return err
	}
	// What head was set up with, base needs as well: a build that is missing makes
	// every test fail there.
	if err := w.setUp(ctx); err != nil {
		if err = refuse(ctx, err); w.deps.Own || ctx.Err() != nil {
			return err
		}
		w.deps.Shared = strings.TrimPrefix(w.deps.Shared+"; base could not be set up as head was: "+err.Error(), "; ")
	}
	return nil
}

// ownFiles gives what we made to the user.
func (w *Workspace) ownFiles() error {
	return errors.Join(user.OwnAll(w.box.Place.Tree, w.box.User), user.OwnAll(w.box.Place.Venv, w.box.User))
}
