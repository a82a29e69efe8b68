// Package runtime decides where the repository's code runs, with which
// toolchain, and inside which sandbox. Start at [Open].
//
// Code of a pull request is hostile. It never sees the checkout itself but a
// private copy ([Workspace.Dir]), runs as a user of its own when we are root,
// with an environment made from an allow-list, and under the layers that
// [Workspace.Levels] names. What a driver contributes is only where programs
// come from: the image (toolchains provisioned on demand), the job's container,
// a container of a given image, or the host as it is.
package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/container"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/limits"
	"github.com/org/qa-action/internal/runtime/packages"
	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/provision"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/sandbox"
	"github.com/org/qa-action/internal/runtime/stage"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/runtime/tree"
	"github.com/org/qa-action/internal/runtime/user"
)

// Tool is a toolchain that was provisioned.
type Tool = provision.Tool

// ErrProvision is wrapped by errors of a toolchain or of dependencies that could not
// be had.
var ErrProvision = provision.ErrProvision

// Limits bound one command with all its descendants. Zero is the default.
type Limits = limits.Limits

// Digest is the content of a tree.
type Digest = tree.Digest

// Reads is what commands opened.
type Reads = tree.Reads

// Workspace is a private copy of the checkout in which commands run. It is safe
// for concurrent use; commands of one workspace share its files.
type Workspace struct {
	*runner
	files
	opts      Options
	repo      repository.Repository
	why       string // the driver
	levels    []string
	head      *Workspace // of base; nil for head
	caches    *caches
	made      *packages.OneSided
	installer *installer
	setup     *setup
	tests     []GoTest // what was compiled before any test
	deps      Dependencies
	unfit     []string // why head's packages are not those that the change asks for
}

// furnish makes what a workspace works with, of a place that is there.
func (w *Workspace) furnish(r *runner) {
	o, n := w.opts, &notes{}
	w.runner = r
	w.tree = tree.New(r.box, r.read)
	w.caches = &caches{box: r.box, tree: w.tree, repo: w.repo, driver: o.Driver, env: o.Env, base: o.Base, trusted: o.Trusted, log: o.Log}
	w.made = &packages.OneSided{Checkout: o.Root, Tree: r.box.Place.Tree, Node: map[string]string{}, Anew: map[string]bool{}}
	w.installer = &installer{toolset: &toolset{runner: r, ours: o.Env}, caches: w.caches, tree: w.tree, made: w.made, notes: n,
		checkout: o.Root, dir: o.Dir, packages: o.Packages, driver: o.Driver, when: o.Install}
	w.setup = &setup{runner: r, tree: w.tree, made: w.made, notes: n, dir: o.Dir, commands: o.Setup, packages: o.Packages}
}

// Open copies the checkout, chooses the driver and prepares toolchain and
// dependencies. An error says what to change; a toolchain that cannot be had
// wraps [ErrProvision].
func Open(ctx context.Context, o Options) (*Workspace, error) {
	if !filepath.IsAbs(o.Root) {
		return nil, fmt.Errorf("open workspace: root %q is not an absolute path", o.Root)
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	name, why, err := choose(o)
	if err != nil {
		return nil, err
	}
	o.Driver = name
	if temp := environ.Lookup(o.Env, "RUNNER_TEMP"); o.Scratch == "" && slices.Contains([]string{"container", "job-container"}, name) {
		o.Scratch = temp // the other container must see it, and the runner mounts this
	}
	w := &Workspace{opts: o, repo: repository.At(o.Root, environ.Lookup(o.Env, "PATH")), why: why}
	box := &sandbox.Sandbox{User: user.Choose(), Limits: o.Limits, Machine: sandbox.Machine{Root: o.Root, Env: o.Env, Hide: o.Hide, Repository: w.repo}}
	if o.Driver == "host" { // no other driver runs programs of this machine
		box.Machine.Homes = place.Homes(o.Env)
	}
	if box.Place, err = place.New(where(o), box.User, nil); err != nil {
		return nil, err
	}
	w.furnish(&runner{box: box, in: containerOf(name, o), redact: process.NewRedactor(environ.Secrets(o.Env, o.Secrets)), log: o.Log})
	if err := w.prepare(ctx); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// prepare fills an empty place: copy, sandbox, toolchain, dependencies.
func (w *Workspace) prepare(ctx context.Context) error {
	w.tree.Tracked = w.repo.Tracked(ctx)
	private := &clone.Privacy{Root: w.opts.Root, Caches: w.opts.Caches, Tracked: w.tree.Tracked}
	w.tree.Shares = w.box.User != nil && w.in == nil
	whole := clone.Copy{From: w.opts.Root, To: w.box.Place.Tree, User: w.box.User, Private: private, Without: w.opts.Hide, Share: w.tree.Shares}
	if err := whole.Tree(ctx); err != nil {
		return fmt.Errorf("copy the checkout: %w", err)
	}
	w.tree.Private = private.Left
	if err := w.box.Hand(); err != nil {
		return err
	}
	w.levels = w.box.Raise(ctx)
	if err := w.exposed(); err != nil {
		return err
	}
	w.env = w.baseEnv()
	if err := w.caches.lay(ctx); err != nil {
		return err
	}
	w.rustup(w.opts.Dir)
	if err := w.equipHead(ctx); err != nil {
		return err
	}
	if err := w.caches.keepDownloads(); err != nil {
		return err
	}
	w.levels = append(w.levels, private.Levels()...)
	return w.tree.Readied()
}

// Dir is the root of the copy, absolute.
func (w *Workspace) Dir() string { return w.box.Place.Tree }

// Results is a directory, absolute and empty at first, for report files that
// shall not lie in the tree.
func (w *Workspace) Results() string { return w.box.Place.Results }

// Driver names the driver and says why it was chosen.
func (w *Workspace) Driver() (name, why string) { return w.opts.Driver, w.why }

// Levels tells for each isolation layer whether it is in force, and if not,
// why: "landlock: writes outside the copy denied (ABI 7)".
func (w *Workspace) Levels() []string { return append(slices.Clone(w.levels), w.tree.Names.Level()) }

// NoServices is why databases of the workflow could not be started; else empty.
func (w *Workspace) NoServices() string { return w.services.Failed() }

// Close removes the workspace. Nothing that its commands started is left by
// then: every Run has seen to that.
func (w *Workspace) Close() error {
	w.tree.Names.Close()
	err := w.box.Place.Remove()
	if err != nil {
		err = fmt.Errorf("remove workspace: %w", err)
	}
	if w.head == nil {
		if give := w.box.Place.GiveCache(); give != nil {
			err = errors.Join(err, fmt.Errorf("give the cache back: %w", give))
		}
	}
	if w.box.Place.Release != nil {
		w.box.Place.Release()
	}
	return err
}

// TestsUser is the id of the user as whom tests run here, -1 where that is
// ourselves.
func TestsUser() int {
	if u := user.Choose(); u != nil {
		return u.UID
	}
	return -1
}

// Tools lists the toolchains that were provisioned.
func (w *Workspace) Tools() []Tool { return slices.Clone(w.installer.tools) }

// WouldInstall lists what a run would install before its tests, as command lines.
// Nothing is tried, so that it may fail is not known.
func (w *Workspace) WouldInstall(ctx context.Context, beside []Package) []string {
	return w.installer.planned(ctx, beside)
}

// Prepare runs a command that makes what tests need, such as the build script of a
// package: as Run does, with the programs that are installed for the directory
// first on PATH, as package managers run scripts.
func (w *Workspace) Prepare(ctx context.Context, c Command) (process.Result, error) {
	return w.setup.prepare(ctx, c)
}

// where says what the place of a workspace follows from.
func where(o Options) place.Options {
	return place.Options{Root: o.Root, Dir: o.Dir, Scratch: o.Scratch, Cache: o.Cache, Env: o.Env}
}

func (w *Workspace) baseEnv() []string {
	return w.box.Place.Environment(w.opts.Env, w.box.Machine.Homes, w.box.Enterable)
}

// MaybeSandbox is the entry of the processes below which commands run. The main
// program calls it with its arguments before anything else, and exits with the code
// when it was handled; a TestMain whose tests open workspaces does the same.
func MaybeSandbox(args []string) (handled bool, exit int) { return stage.Main(args) }

// equipHead makes toolchains and dependencies ready where commands run.
func (w *Workspace) equipHead(ctx context.Context) error {
	if w.in != nil {
		levels, err := w.in.Enter(ctx, w.box)
		if err != nil {
			return err
		}
		w.levels, w.env = levels, environ.WithoutVariable(w.env, "PATH") // its own
	}
	wants := toolchain.Resolve(rooted.FS(w.box.Place.Tree), w.opts.Dir)
	switch w.opts.Driver {
	case "image":
		if err := w.installer.provision(ctx, wants); err != nil {
			return fmt.Errorf("%w: %w; or run the action from its host folder after the setup steps of the workflow, which uses their toolchains", ErrProvision, err)
		}
	case "host":
		w.installer.followEditable(ctx)
	}
	w.setup.learn(ctx, w.opts.Workflows)
	w.services = container.ServicesOf(ctx, w.setup.job.Services, w.opts.Root, w.opts.Env, w.setup.notes.add)
	// Before what is installed and set up may run code of the repository.
	if err := w.compile(ctx); err != nil {
		return err
	}
	if err := w.installer.install(ctx, wants); err != nil {
		return err
	}
	return w.setup.run(ctx, w.builds())
}
