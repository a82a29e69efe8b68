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
	"github.com/org/qa-action/internal/runtime/user"
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
	b := &Workspace{opts: w.opts, repo: w.repo, driver: borrowed{w.driver}, why: w.why, redact: w.redact, user: w.user, homes: w.homes,
		levels: w.levels, walls: w.walls, tools: slices.Clone(w.tools), parent: w, abroad: w.abroad, commit: commit}
	b.deps.Shared = shared
	if err := w.untampered(); err != nil {
		return nil, fmt.Errorf("open the tree of %s: %w", commit, err)
	}
	var err error
	if b.place, err = place.New(w.where(), w.user, &w.place); err != nil {
		return nil, err
	}
	if err := b.probeViews(ctx); err != nil {
		_, _ = fmt.Fprintf(w.opts.Log, "base stands at a path of its own: %v\n", err)
		b.apart = true
	}
	if err := b.fill(ctx, commit); err != nil {
		return nil, errors.Join(fmt.Errorf("open the tree of %s: %w", commit, err), b.Close())
	}
	return b, nil
}

func (w *Workspace) fill(ctx context.Context, commit string) error {
	if err := w.repo.CheckOut(ctx, w.place.Tree, commit, w.user); err != nil {
		return err
	}
	var err error
	if w.tracked, err = w.repo.TrackedAt(ctx, commit); err != nil {
		return err
	}
	if w.lend != nil {
		if err := w.lend(w.place.Tree); err != nil {
			return err
		}
	}
	if err := errors.Join(w.place.Hand(w.user), w.layCaches()); err != nil {
		return err
	}
	w.env = w.parent.moved(w.place)
	if w.moves() && (w.walls.confines() || place.InTmp(w.place.Home)) {
		if err := w.warmGo(ctx); err != nil {
			return err
		}
	}
	if err := w.depend(ctx); err != nil {
		return err
	}
	return w.readied()
}

// depend gives base its dependencies: its own where it needs others than head, and
// those of head for the rest.
func (w *Workspace) depend(ctx context.Context) error {
	own, err := w.parent.needsOf(w.place.Tree)
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
	if repository.IsVenv(w.parent.place.Venv) && !own.python {
		home := share{from: w.parent.place.Home, to: w.place.Home, via: w.place.InHead(w.parent.place, w.parent.place.Home), named: w.shown(w.place.Home)}
		if err := home.venv(filepath.Base(w.place.Venv)); err != nil {
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
	return errors.Join(user.OwnAll(w.place.Tree, w.user), user.OwnAll(w.place.Venv, w.user))
}

// borrowed is the driver of a second tree: closing the tree leaves it open.
type borrowed struct{ driver }

func (borrowed) close() error { return nil }
