package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/packages"
	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/sandbox"
	"github.com/org/qa-action/internal/runtime/user"
	"github.com/org/qa-action/internal/timing"
)

// Dependencies says whose packages a workspace runs with.
type Dependencies struct {
	// Own says that it has an installation of its own: head always has, base when
	// it needs another one than head and could have it.
	Own bool
	// Shared is why base runs with head's packages although it needs others: what
	// fails on both sides then is not known to have failed before. Empty when it
	// needs the same, or has its own.
	Shared string
}

// Dependencies says whose packages the workspace runs with.
func (w *Workspace) Dependencies() Dependencies {
	if w.head == nil {
		return Dependencies{Own: true}
	}
	return w.deps
}

// differences holds other trees against head's.
func (w *Workspace) differences() packages.Comparison {
	return packages.Comparison{Checkout: w.opts.Root, Dir: w.opts.Dir, Python: w.installer.pythonDir(), Driver: w.opts.Driver, At: w.box.Place.Tree, Tracked: w.tree.Tracked, Made: w.made}
}

// At opens a second private tree with the files of a commit. It shares driver and
// toolchain with w, and the installed dependencies as long as it needs the same;
// packages installed in place resolve into the new tree. Where its manifests or
// lock files say otherwise it gets its own installation, by the same commands in
// its own tree; Dependencies says when that could not be had. Close it before w.
func (w *Workspace) At(ctx context.Context, commit string) (*Workspace, error) {
	b, err := openBase(ctx, w, commit, "")
	var cannot cannotOwn
	if errors.As(err, &cannot) {
		_, _ = fmt.Fprintf(w.opts.Log, "base gets no dependencies of its own: %q\n", cannot.why)
		if b, err = openBase(ctx, w, commit, cannot.why); err == nil && w.installer.tried != "" {
			b.setup.notes.missing = cannot.why
		}
		return b, err
	}
	if err != nil || w.installer.tried == "" {
		return b, err
	}
	// It could be made, which head's could not. What both have is the machine's all the
	// same: failures would be of the environment.
	if err := b.Close(); err != nil {
		return nil, err
	}
	return openBase(ctx, w, commit, machineOwn)
}

// machineOwn is why base has the environment of head where nobody made one.
const machineOwn = "the Python environment is the machine's own"

// openBase is At; shared says why base must run with head's dependencies.
func openBase(ctx context.Context, w *Workspace, commit, shared string) (*Workspace, error) {
	b := &Workspace{opts: w.opts, repo: w.repo, why: w.why, levels: w.levels, head: w, deps: Dependencies{Shared: shared}}
	if err := w.tree.Untampered(); err != nil {
		return nil, fmt.Errorf("open the tree of %s: %w", commit, err)
	}
	p, err := place.New(where(w.opts), w.box.User, &w.box.Place)
	if err != nil {
		return nil, err
	}
	b.furnish(&runner{box: w.box.Around(p), in: w.in, redact: w.redact, log: w.log})
	b.installer.tools, b.tree.Commit = slices.Clone(w.installer.tools), commit
	b.services = w.services
	b.before = unchanged(w.tree, b.box)
	if err := b.box.ProbeViews(ctx); err != nil {
		_, _ = fmt.Fprintf(w.opts.Log, "base stands at a path of its own: %v\n", err)
		b.box.Apart = true
	}
	if err := (base{b}).fill(ctx, commit); err != nil {
		return nil, errors.Join(fmt.Errorf("open the tree of %s: %w", commit, err), b.Close())
	}
	return b, nil
}

// base is a second tree that is made out of head's.
type base struct{ *Workspace }

func (b base) fill(ctx context.Context, commit string) error {
	ctx, end := timing.Begin(ctx, timing.Copy, "tree of base")
	defer end()
	if err := b.repo.CheckOut(ctx, b.box.Place.Tree, commit, b.box.User); err != nil {
		return err
	}
	var err error
	if b.tree.Tracked, err = b.repo.TrackedAt(ctx, commit); err != nil {
		return err
	}
	if l, ok := b.in.(lender); ok {
		if err := l.Lend(b.box); err != nil {
			return err
		}
	}
	if err := errors.Join(b.box.Hand(), b.caches.lay(ctx), b.box.Place.SetUpGit(b.head.setup.job.Git(), b.box.User)); err != nil {
		return err
	}
	b.env = moved(b.head.env, b.head.box.Place, b.box.Place)
	b.rustup(b.opts.Dir)
	if b.box.Moves() && (b.box.Layers.Confines() || place.InTmp(b.box.Place.Home)) {
		if err := b.compile(ctx); err != nil {
			return err
		}
	}
	if err := b.depend(ctx); err != nil {
		return err
	}
	return b.tree.Readied()
}

// depend gives base its dependencies: its own where it needs others than head, and
// those of head for the rest.
func (b base) depend(ctx context.Context) error {
	own, err := b.head.differences().NeedsOf(b.box.Place.Tree)
	if err != nil {
		return err
	}
	if b.head.installer.tried != "" && b.deps.Shared == "" {
		own.Python = true // whether base could be given one tells whose fault it is
	}
	switch {
	case !own.Any():
		b.deps.Shared = "" // both have the machine's
	case b.deps.Shared != "":
		b.deps.Shared, own = own.Why()+": "+b.deps.Shared, packages.Needed{}
	default:
		b.deps.Own = own.Installs()
		if err := b.ownInstall().equip(ctx, own); err != nil {
			return err
		}
	}
	if len(own.Node) == 0 { // head's packages are base's
		b.setup.notes.scriptless = b.head.setup.notes.scriptless
	}
	own.Folders = slices.AppendSeq(own.Folders, maps.Keys(b.head.made.Anew))
	if err := b.head.made.StartAnew(ctx, b.box.Place.Tree, b.box.Shown(b.box.Place.Tree)); err != nil {
		return err
	}
	if err := b.shared(b.head.box.Place.Tree, b.box.Place.Tree).Installs(own); err != nil {
		return fmt.Errorf("share installed dependencies: %w", err)
	}
	if repository.IsVenv(b.head.box.Place.Venv) && !own.Python {
		if err := b.shared(b.head.box.Place.Home, b.box.Place.Home).Venv(filepath.Base(b.box.Place.Venv)); err != nil {
			return fmt.Errorf("share the virtual environment: %w", err)
		}
	}
	if err := handFiles(b.box); err != nil {
		return err
	}
	// What head was set up with, base needs as well: a build that is missing makes
	// every test fail there.
	if err := b.setup.run(ctx, b.builds()); err != nil {
		if err = refuse(ctx, err); b.deps.Own || ctx.Err() != nil {
			return err
		}
		b.deps.Shared = strings.TrimPrefix(b.deps.Shared+"; base could not be set up as head was: "+err.Error(), "; ")
	}
	return nil
}

// shared is the sharing of a directory of head's.
func (b base) shared(from, to string) packages.Share {
	return packages.Share{From: from, To: to, Via: b.box.Place.InHead(b.head.box.Place, from), Named: b.box.Shown(to),
		Tracked: b.head.tree.Tracked.And(b.tree.Tracked), Frozen: b.box.User != nil}
}

// ownInstall is what base's own installation is made with.
func (b base) ownInstall() ownInstall {
	at, tried := b.head.box.Place, b.head.installer.tried
	variables := b.head.setup.job.Variables(b.opts.Dir)
	return ownInstall{
		installer:    b.installer,
		shelf:        shelf{runner: b.runner, caches: b.caches, tree: b.tree, repo: b.repo, variables: each.Of(variables, setting)},
		plain:        b.baseEnv(),
		python:       b.box.Place.InHead(at, cmp.Or(environ.Lookup(b.head.env, "UV_PYTHON"), tried)),
		resolvedNode: b.head.installer.fresh, resolvedPython: repository.IsVenv(at.Venv) || tried != "",
	}
}

// handFiles gives what we made to the user.
func handFiles(b *sandbox.Sandbox) error {
	return errors.Join(user.OwnAll(b.Place.Tree, b.User), user.OwnAll(b.Place.Venv, b.User))
}

// moved is an environment with the directories of one place replaced by those of
// another.
func moved(env []string, from, to place.Place) []string {
	return each.Of(env, func(kv string) string { return strings.ReplaceAll(kv, from.Home, to.Home) })
}
