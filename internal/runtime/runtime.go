// Package runtime decides where the repository's code runs, with which
// toolchain, and behind which walls. Start at [Open].
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
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/org/qa-action/internal/process"
)

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
	// Pass names variables to hand on beside the built-in allow-list. Those of
	// the workflow runner and its tokens are refused.
	Pass []string
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
	// Setup are commands run after the installation, in Dir.
	Setup [][]string
	// GoTests tells, of a copy in which nothing ran yet, how its tests in Go will be
	// run, so that they can be compiled before. With nil, what all in Dir needs of
	// others is compiled when that is new.
	GoTests func(ctx context.Context, w *Workspace) []GoTest
	// Trusted says that the checkout is of the branch that everything is compared
	// with: what its installation fetched may serve later runs.
	Trusted bool
	// Image is the image of the container driver.
	Image string
	// JobContainer is the id of the job's container, empty when it has none.
	JobContainer string
	// Limits bound what one command may use.
	Limits Limits
	// Log sees what is being prepared, one line each; nil is nowhere.
	Log io.Writer
}

// Limits bound one command with all its descendants. Zero is the default.
type Limits struct {
	Memory   int64 // bytes resident; default 3/4 of the machine's
	Disk     int64 // bytes of the workspace on disk; default 10 GiB, and 3/4 of what is free
	FileSize int64 // bytes of one file; default 4 GiB
	// Processes is the number of them; default 128 and 32 for each processor,
	// less where our control group has less room. The kernel refuses threads
	// beyond four times as many.
	Processes int
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
	driver driver
	why    string
	place  place
	user   *user // nil: commands run as ourselves
	redact *process.Redactor
	levels []string
	walls  walls
	env    []string // base environment of every command
	tools  []Tool
	parent *Workspace
	commit string // whose files the tree has; empty for those of the checkout
	deps   dependencies
	abroad
	contents
}

// abroad is what is otherwise where commands run in another container.
type abroad struct {
	foreign bool // commands run among another container's files
	// lend shows the checkout's git objects to a tree where paths are others;
	// nil where they are the same.
	lend func(tree string) error
}

// contents is what a workspace knows about the files in its tree.
type contents struct {
	tracked *tracked
	private []string // files of the checkout that were not copied
	mu      sync.Mutex
	// frozen are the directories of packages that the code cannot change.
	frozen map[string]fs.FileInfo
	opened stamps // the tree when it was ready, but for what Restore made anew
	marks  *marks // what is watched for being read; nil is nothing
}

// place is where a workspace keeps its files; all absolute.
type place struct {
	home    string // everything below is ours to remove
	tree    string // the copy
	user    string // HOME of the code
	tmp     string // TMPDIR of the code
	results string // report files of the code
	// slashTmp is shown as /tmp where the code has its own mounts.
	slashTmp string
	// venv is a virtual environment that we made.
	venv  string
	cache string
	made  fs.FileInfo // the home, by which it is known again
	// stable says that every run of the checkout has this home.
	stable bool
	apart  bool // base cannot be shown where head stands
	// release says that the workspace is nobody's any more.
	release func()
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
	drv, why, err := choose(o)
	if err != nil {
		return nil, err
	}
	o.Driver = drv.name()
	if temp := lookup(o.Env, "RUNNER_TEMP"); o.Scratch == "" && slices.Contains([]string{"container", "job-container"}, drv.name()) {
		o.Scratch = temp // the other container must see it, and the runner mounts this
	}
	w := &Workspace{opts: o, driver: drv, why: why, redact: process.NewRedactor(secretsOf(o)), user: sandboxUser()}
	if w.place, err = newPlace(o, w.user, nil); err != nil {
		return nil, err
	}
	if err := w.prepare(ctx); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// prepare fills an empty place: copy, walls, toolchain, dependencies.
func (w *Workspace) prepare(ctx context.Context) error {
	w.tracked = trackedFiles(ctx, w.opts)
	private := newPrivacy(w.opts, w.tracked)
	if err := copyTree(ctx, w.opts.Root, w.place.tree, w.user, private, w.opts.Hide...); err != nil {
		return fmt.Errorf("copy the checkout: %w", err)
	}
	w.private = private.left
	if err := w.place.hand(w.user); err != nil {
		return err
	}
	w.raiseWalls(ctx)
	if err := w.exposed(); err != nil {
		return err
	}
	w.env = baseEnv(w.opts, w.place, w.enterable)
	if err := w.layCaches(); err != nil {
		return err
	}
	if err := w.driver.prepare(ctx, w); err != nil {
		return err
	}
	if err := w.keepDownloads(); err != nil {
		return err
	}
	w.levels = append(w.levels, private.levels()...)
	return w.readied()
}

// Dir is the root of the copy, absolute.
func (w *Workspace) Dir() string { return w.place.tree }

// Results is a directory, absolute and empty at first, for report files that
// shall not lie in the tree.
func (w *Workspace) Results() string { return w.place.results }

// Driver names the driver and says why it was chosen.
func (w *Workspace) Driver() (name, why string) { return w.driver.name(), w.why }

// Levels tells for each isolation layer whether it is in force, and if not,
// why: "landlock: writes outside the copy denied (ABI 7)".
func (w *Workspace) Levels() []string { return w.levels }

// Close removes the workspace. Nothing that its commands started is left by
// then: every Run has seen to that.
func (w *Workspace) Close() error {
	err := w.driver.close()
	if rm := w.place.remove(); rm != nil {
		err = errors.Join(err, fmt.Errorf("remove workspace: %w", rm))
	}
	if w.parent == nil {
		if give := w.place.giveCache(); give != nil {
			err = errors.Join(err, fmt.Errorf("give the cache back: %w", give))
		}
	}
	if w.place.release != nil {
		w.place.release()
	}
	return err
}
