package runtime

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/provision"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/runtime/tree"
	"github.com/org/qa-action/internal/wording"
)

// installTime bounds one command that installs dependencies.
const installTime = 20 * time.Minute

// provision gets the toolchains and puts them first on PATH.
func (w *Workspace) provision(ctx context.Context, wants toolchain.Wants) error {
	s := w.store()
	if wants.Node != nil {
		t, err := s.Node(ctx, *wants.Node)
		if err != nil {
			return err
		}
		w.use(t)
		m, err := s.Manager(ctx, *wants.Manager)
		if err != nil {
			return err
		}
		if m != nil {
			w.use(*m)
		}
	}
	if wants.Go != nil {
		t, err := s.Go(ctx, *wants.Go)
		if err != nil {
			return err
		}
		w.use(t)
		w.env = environ.Merge(w.env, []string{"GOTOOLCHAIN=local"})
	}
	if wants.Python != nil {
		uv, err := s.UV(ctx)
		if err != nil {
			return err
		}
		python, err := s.Python(ctx, *wants.Python, uv, w.box.Enterable)
		if err != nil {
			return err
		}
		w.use(uv)
		w.tools = append(w.tools, python)
		w.env = environ.Merge(w.env, uvEnv(python.Bin))
	}
	return nil
}

// store has the toolchains that runs share.
func (w *Workspace) store() provision.Store {
	return provision.New(w.box.Place.Cache, w.opts.Env, w.opts.Log, w.find)
}

// use puts a tool first on PATH. One that is found there already stays where it
// is: beside it lie others, which must not come before what was provisioned.
func (w *Workspace) use(t provision.Tool) {
	w.tools = append(w.tools, t)
	if t.Installed {
		return
	}
	w.env = environ.Merge(w.env, []string{"PATH=" + t.Bin + string(os.PathListSeparator) + environ.Lookup(w.env, "PATH")})
}

// Tools lists the toolchains that were provisioned.
func (w *Workspace) Tools() []Tool { return slices.Clone(w.tools) }

// install installs dependencies and runs the setup commands, as the code's user
// and inside its sandbox: installing runs programs of the packages.
func (w *Workspace) install(ctx context.Context, wants toolchain.Wants) error {
	// First of all: what is installed and set up may run code of the repository.
	if err := w.warmGo(ctx); err != nil {
		return err
	}
	if w.opts.Install != "never" {
		at := toolchain.At(rooted.FS(w.box.Place.Tree), w.opts.Dir)
		if in := wants.InstallNode(at); in != nil && (w.opts.Install == "always" || w.needsNode(*in)) {
			if err := w.findManager(ctx, *wants.Manager); err != nil {
				return err
			}
			if err := w.installAll(ctx, *in); err != nil {
				return err
			}
			w.prepared("installed with %s (%s)", wording.Command(in.Commands[len(in.Commands)-1]), in.From())
			w.deps.fresh = true
		}
		if in := wants.InstallPython(at); in != nil {
			provide := w.makePython
			if environ.Lookup(w.env, "UV_PYTHON") == "" {
				provide = w.hostPython
			}
			if err := provide(ctx, *in); err != nil {
				return err
			}
		}
	}
	return w.setUp(ctx)
}

// WouldInstall lists what a run would install before its tests, as command lines.
// Nothing is tried, so that it may fail is not known.
func (w *Workspace) WouldInstall(ctx context.Context) []string {
	fsys := rooted.FS(w.box.Place.Tree)
	wants, at := toolchain.Resolve(fsys, w.opts.Dir), toolchain.At(fsys, w.opts.Dir)
	var installs []*toolchain.Install
	if in := wants.InstallNode(at); in != nil && w.needsNode(*in) {
		installs = append(installs, in)
	}
	if in := wants.InstallPython(at); in != nil && w.opts.Driver == "host" && w.tree.Tracked.TestsPython() && !w.activateOwn(ctx, *in) && w.lacks(ctx, *in) != "" {
		installs = append(installs, in)
	}
	var out []string
	for _, in := range installs {
		for _, argv := range in.Commands {
			out = append(out, wording.Command(argv))
		}
	}
	return out
}

// setUp runs the builds of the workflow and the setup commands. They run code of the project: packages that they
// made or changed are those of one side.
func (w *Workspace) setUp(ctx context.Context) error {
	builds := buildsOf(w)
	if len(w.opts.Setup)+len(builds) == 0 {
		return nil
	}
	before, err := w.tree.PackageStamps()
	if err != nil {
		return err
	}
	if err := build(ctx, w, builds); err != nil {
		return err
	}
	for _, argv := range w.opts.Setup {
		if err := w.must(ctx, "setup-command", Command{Argv: argv, Dir: w.opts.Dir, Timeout: installTime}); err != nil {
			return err
		}
	}
	after, err := w.tree.PackageStamps()
	if err != nil {
		return err
	}
	changed, made := tree.Differ(before, after)
	w.setUpOn(before, append(changed, made...))
	return nil
}

// needsNode decides for auto. On the host somebody has set the machine up: what
// is installed there, for the directory or one above it, is what is meant.
func (w *Workspace) needsNode(in toolchain.Install) bool {
	if w.opts.Driver != "host" {
		return !toolchain.FitsNode(filepath.Join(w.box.Place.Tree, in.Dir), in.Manager)
	}
	if !in.Loose {
		_, err := fs.Stat(rooted.FS(w.box.Place.Tree), path.Join(in.Dir, "node_modules"))
		return errors.Is(err, fs.ErrNotExist) // one that leads out of the tree is there
	}
	return !hasPackages(rooted.FS(w.box.Place.Tree), in.Dir) && len(toolchain.NodePins(rooted.FS(w.box.Place.Tree), in.Dir)) > 0
}

// hasPackages reports whether packages are installed for a directory, or one above
// it.
func hasPackages(tree fs.FS, dir string) bool {
	for dir = path.Clean("./" + filepath.ToSlash(dir)); ; dir = path.Dir(dir) {
		if _, err := fs.Stat(tree, path.Join(dir, "node_modules")); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
		if dir == "." || dir == "/" {
			return false
		}
	}
}

// findManager sees to it that the package manager is there. A machine has npm and
// often corepack, but not what corepack would fetch: then it is provisioned, at
// the version and with the sum that the repository pins.
func (w *Workspace) findManager(ctx context.Context, m toolchain.Manager) error {
	if _, err := w.LookPath(ctx, m.Name); !errors.Is(err, process.ErrNotFound) {
		return err
	}
	cure := fmt.Sprintf("put %s on PATH before this step (corepack enable %s, or the setup action of %s), or install the dependencies in a step of your own", m.Name, m.Name, m.Name)
	if w.box.Foreign {
		return fmt.Errorf("%w: %s is not in the container; %s", provision.ErrProvision, m.Name, cure)
	}
	t, err := w.store().Manager(ctx, m)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s is not on PATH and could not be fetched: %w; %s", provision.ErrProvision, m.Name, err, cure)
	case t == nil: // npm comes with Node.js alone
		return fmt.Errorf("%w: %s is not on PATH; %s", provision.ErrProvision, m.Name, cure)
	}
	w.use(*t)
	return nil
}

func (w *Workspace) installAll(ctx context.Context, in toolchain.Install) error {
	w.builds(in)
	if err := w.layDownloads(); err != nil {
		return err
	}
	for _, argv := range in.Commands {
		if err := w.must(ctx, "installing the dependencies of "+in.Source, Command{Argv: argv, Dir: in.Dir, Timeout: installTime}); err != nil {
			return err
		}
	}
	return nil
}

// makePython makes a virtual environment outside of the tree, so that the tree stays
// as it was checked out, and installs into it.
func (w *Workspace) makePython(ctx context.Context, in toolchain.Install) error {
	if err := w.layDownloads(); err != nil { // before uv writes there
		return err
	}
	if err := w.must(ctx, "making a virtual environment", Command{Argv: []string{"uv", "venv", "--no-project", "--seed", w.box.Place.Venv}, Timeout: installTime}); err != nil {
		return err
	}
	w.activate(w.box.Place.Venv)
	switch in.Manager {
	case "poetry", "pdm", "pipenv":
		from := in.Manager
		if from == "pdm" {
			from = "pdm[locked]" // its own dependencies change under it otherwise
		}
		for i, argv := range in.Commands {
			in.Commands[i] = append([]string{"uv", "tool", "run", "--from", from}, argv...)
		}
	}
	if err := w.installAll(ctx, in); err != nil {
		return err
	}
	return w.addCoverage(ctx)
}

// activateOwn activates a virtual environment of the checkout, if there is one that
// works.
func (w *Workspace) activateOwn(ctx context.Context, in toolchain.Install) bool {
	for _, name := range []string{".venv", "venv"} {
		venv := filepath.Join(w.box.Place.Tree, in.Dir, name)
		if !w.tree.Tracked.Venv(w.box.Place.Tree, filepath.Join(in.Dir, name)) {
			continue
		}
		res, err := w.Run(ctx, Command{Argv: []string{filepath.Join(venv, "bin", "python"), "-I", "-c", ""}, Timeout: time.Minute})
		if err == nil && res.ExitCode == 0 {
			w.activate(venv)
			return true
		}
	}
	return false
}

// activate makes a virtual environment the one that all commands use.
func (w *Workspace) activate(venv string) {
	w.env = environ.Merge(w.env, []string{
		"VIRTUAL_ENV=" + venv, "UV_PYTHON=" + filepath.Join(venv, "bin", "python"), "PDM_IGNORE_SAVED_PYTHON=1", "UV_PROJECT_ENVIRONMENT=" + venv, "PIPENV_IGNORE_VIRTUALENVS=0", "PIPENV_VERBOSITY=-1",
		"POETRY_VIRTUALENVS_CREATE=false", "PDM_CHECK_UPDATE=false",
		"PATH=" + filepath.Join(venv, "bin") + string(os.PathListSeparator) + environ.Lookup(w.env, "PATH"),
	})
}

// must runs a command of the preparation; its failure is an error.
func (w *Workspace) must(ctx context.Context, what string, c Command) error {
	_, _ = fmt.Fprintf(w.opts.Log, "%s: %s\n", what, strings.Join(c.Argv, " "))
	c.Live = w.opts.Log
	res, err := w.Run(ctx, c)
	switch {
	case errors.Is(err, process.ErrNotFound):
		return fmt.Errorf("%w: %s: %w", provision.ErrProvision, what, err)
	case err != nil && ctx.Err() == nil:
		return fmt.Errorf("%s: %w", what, err)
	case err != nil || res.TimedOut || res.ExitCode != 0 || res.Signal != "":
		return provision.Unready(what, wording.Command(c.Argv), res, context.Cause(ctx), findOf(w))
	}
	return nil
}
