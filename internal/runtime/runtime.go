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
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/limits"
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

// Options say what to open. Root is required; the zero value of everything else
// is a sensible default.
type Options struct {
	// Driver is auto, image, job-container, container or host; empty is auto.
	Driver string
	// Root is the checkout: absolute, never written to.
	Root string
	// Scratch is the directory for private copies. When the user that the code
	// runs as cannot reach it, a directory below the system's temporary one is
	// taken instead.
	Scratch string
	// Cache keeps toolchains and package downloads between runs. Empty is
	// $RUNNER_TEMP/qa-cache, or a directory below the temporary one.
	Cache string
	// Env is the environment to choose from, "K=V"; nil is ours.
	Env []string
	// Secrets are values that must not appear in any output.
	Secrets []string
	// AcceptWeak runs the code even where it could read the secrets.
	AcceptWeak bool
	// Hide lists absolute paths that the code must not read, beside those that
	// the workflow runner's variables name.
	Hide []string
	// Install is auto (where what the tests need is missing), always or never;
	// empty is auto.
	Install string
	// Dir is the directory, relative to Root, whose toolchain and dependencies
	// are meant; empty is the root.
	Dir string
	// Caches are the names of folders in which test runners note what they have
	// seen: they stay out of the copy, as those of the languages do.
	Caches []string
	Preparation
	Containers
	// Limits bound what one command may use.
	Limits Limits
	// Log sees what is being prepared, one line each; nil is nowhere.
	Log io.Writer
}

// Preparation is what is done in a workspace beside the installation, and what may be
// kept of it.
type Preparation struct {
	// Setup are commands run after the installation, in Dir.
	Setup [][]string
	// Workflows are the workflow files of base by their paths from the root, of which
	// is learnt how the repository tests itself; of the checkout where it has no base.
	Workflows map[string][]byte
	// GoTests tells, of a copy in which nothing ran yet, how its tests in Go will be
	// run, so that they can be compiled before. With nil, what all in Dir needs of
	// others is compiled when that is new.
	GoTests func(ctx context.Context, w *Workspace) []GoTest
	// Trusted says that the checkout is of the branch that everything is compared
	// with: what its installation fetched may serve later runs.
	Trusted bool
}

// Containers are those that commands may run in.
type Containers struct {
	// Image is the image of the container driver.
	Image string
	// JobContainer is the id of the job's container, empty when it has none.
	JobContainer string
}

// Network says whom a command may talk to.
type Network string

// The network policies; the zero value is NetworkFull.
const (
	NetworkFull     Network = ""
	NetworkLoopback Network = "loopback"
)

// Command is one program to run in a workspace.
type Command struct {
	Argv []string
	// Dir is relative to the workspace's root; empty is the root.
	Dir string
	// Env is added to the allow-listed environment, "K=V".
	Env []string
	// Timeout of zero is none beyond the context's.
	Timeout   time.Duration
	MaxOutput int64 // see process.Command
	Live      io.Writer
	Stdin     io.Reader // may be nil
	// Stdout is a file that gets the standard output, uncapped: absolute, below
	// the workspace's Results or Dir.
	Stdout string
	// Network is NetworkLoopback for code that no person of the project wrote.
	Network Network
}

// Workspace is a private copy of the checkout in which commands run. It is safe
// for concurrent use; commands of one workspace share its files.
type Workspace struct {
	opts   Options
	repo   repository.Repository
	in     otherContainer // nil where commands run on this machine
	why    string
	box    *sandbox.Sandbox
	tree   *tree.Tree
	redact *process.Redactor
	levels []string
	env    []string // base environment of every command
	tools  []Tool
	parent *Workspace
	deps   dependencies
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
	w := &Workspace{opts: o, repo: repository.At(o.Root, environ.Lookup(o.Env, "PATH")), in: containerOf(name, o), why: why, redact: process.NewRedactor(environ.Secrets(o.Env, o.Secrets))}
	w.box = &sandbox.Sandbox{User: user.Choose(), Limits: o.Limits, Machine: sandbox.Machine{Root: o.Root, Env: o.Env, Hide: o.Hide, Repository: w.repo}}
	if o.Driver == "host" { // no other driver runs programs of this machine
		w.box.Machine.Homes = place.Homes(o.Env)
	}
	if w.box.Place, err = place.New(w.where(), w.box.User, nil); err != nil {
		return nil, err
	}
	if err := w.prepare(ctx); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// prepare fills an empty place: copy, sandbox, toolchain, dependencies.
func (w *Workspace) prepare(ctx context.Context) error {
	w.tree = tree.New(w.box, w.read)
	w.tree.Tracked = w.repo.Tracked(ctx)
	private := clone.NewPrivacy(w.opts.Root, w.opts.Caches, w.tree.Tracked)
	if err := clone.Tree(ctx, w.opts.Root, w.box.Place.Tree, w.box.User, private, w.opts.Hide...); err != nil {
		return fmt.Errorf("copy the checkout: %w", err)
	}
	w.tree.Private = private.Left
	if err := w.box.Place.Hand(w.box.User); err != nil {
		return err
	}
	w.levels = w.box.Raise(ctx)
	if err := w.exposed(); err != nil {
		return err
	}
	w.env = w.baseEnv()
	if err := w.layCaches(); err != nil {
		return err
	}
	if err := w.equipHead(ctx); err != nil {
		return err
	}
	if err := w.keepDownloads(); err != nil {
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
func (w *Workspace) Levels() []string { return w.levels }

// Close removes the workspace. Nothing that its commands started is left by
// then: every Run has seen to that.
func (w *Workspace) Close() error {
	err := w.box.Place.Remove()
	if err != nil {
		err = fmt.Errorf("remove workspace: %w", err)
	}
	if w.parent == nil {
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

// where says what the place of a workspace follows from.
func (w *Workspace) where() place.Options {
	o := w.opts
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
		if err := w.provision(ctx, wants); err != nil {
			return fmt.Errorf("%w: %w; or run the action from its host folder after the setup steps of the workflow, which uses their toolchains", ErrProvision, err)
		}
	case "host":
		w.followEditable(ctx)
	}
	learn(ctx, w)
	return w.install(ctx, wants)
}

// read opens a file as the code does.
func (w *Workspace) read(ctx context.Context, path string) error {
	res, err := w.Run(ctx, Command{Argv: []string{"cat", path}, Timeout: lookTime})
	if err == nil && res.ExitCode != 0 {
		err = errors.New("it cannot be read")
	}
	return err
}

// Write puts a file, relative to the root and slash-separated, into the copy.
// It never leaves the tree, not even through a link. Restore undoes it.
func (w *Workspace) Write(name string, data []byte) error { return w.tree.Write(name, data) }

// Remove takes a file out of the copy; Restore brings it back.
func (w *Workspace) Remove(name string) error { return w.tree.Remove(name) }

// Restore puts the project's files back to what they were when the workspace was
// opened, and lists those that were not: see [tree.Tree.Restore].
func (w *Workspace) Restore(ctx context.Context) ([]string, error) { return w.tree.Restore(ctx) }

// Digest reads the workspace's tree.
func (w *Workspace) Digest(ctx context.Context) (Digest, error) { return w.tree.Digest(ctx) }

// MarkReads begins to watch which files are opened; no command may run meanwhile. See
// [tree.Tree.MarkReads].
func (w *Workspace) MarkReads(ctx context.Context, extra ...string) error {
	return w.tree.MarkReads(ctx, extra...)
}

// Reads tells what was opened since MarkReads, which stays in force.
func (w *Workspace) Reads(ctx context.Context) (Reads, error) { return w.tree.Reads(ctx) }
