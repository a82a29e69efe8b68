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
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// installTime bounds one command that installs dependencies.
const installTime = 20 * time.Minute

// image provisions the toolchains that the repository asks for.
type image struct{}

func (image) name() string { return "image" }

func (image) prepare(ctx context.Context, w *Workspace) error {
	wants := toolchain.Resolve(rooted.FS(w.place.tree), w.opts.Dir)
	if err := w.provision(ctx, wants); err != nil {
		return fmt.Errorf("%w: %w; or run the action from its host folder after the setup steps of the workflow, which uses their toolchains", ErrProvision, err)
	}
	return w.install(ctx, wants)
}

func (image) run(ctx context.Context, w *Workspace, c Command, pc process.Command) (process.Result, error) {
	return w.runWalled(ctx, c, pc)
}

func (image) close() error { return nil }

// provision gets the toolchains and puts them first on PATH.
func (w *Workspace) provision(ctx context.Context, wants toolchain.Wants) error {
	s := newStore(w)
	if wants.Node != nil {
		t, err := s.node(ctx, *wants.Node)
		if err != nil {
			return err
		}
		w.use(t)
		m, err := s.packageManager(ctx, *wants.Manager)
		if err != nil {
			return err
		}
		if m != nil {
			w.use(*m)
		}
	}
	if wants.Go != nil {
		t, err := s.golang(ctx, *wants.Go)
		if err != nil {
			return err
		}
		w.use(t)
		w.env = merge(w.env, []string{"GOTOOLCHAIN=local"})
	}
	if wants.Python != nil {
		uv, err := s.uv(ctx)
		if err != nil {
			return err
		}
		python, err := s.python(ctx, *wants.Python, uv, w.enterable)
		if err != nil {
			return err
		}
		w.use(uv)
		w.tools = append(w.tools, python)
		w.env = merge(w.env, []string{"UV_PYTHON=" + python.bin, "UV_PYTHON_DOWNLOADS=never", "UV_LINK_MODE=copy", "UV_COMPILE_BYTECODE=1"})
	}
	return nil
}

// use puts a tool first on PATH. One that is found there already stays where it
// is: beside it lie others, which must not come before what was provisioned.
func (w *Workspace) use(t Tool) {
	w.tools = append(w.tools, t)
	if t.installed {
		return
	}
	w.env = merge(w.env, []string{"PATH=" + t.bin + string(os.PathListSeparator) + lookup(w.env, "PATH")})
}

// Tools lists the toolchains that were provisioned.
func (w *Workspace) Tools() []Tool { return slices.Clone(w.tools) }

// install installs dependencies and runs the setup commands, as the code's user
// and behind its walls: installing runs programs of the packages.
func (w *Workspace) install(ctx context.Context, wants toolchain.Wants) error {
	// First of all: what is installed and set up may run code of the repository.
	if err := w.warmGo(ctx); err != nil {
		return err
	}
	if w.opts.Install != "never" {
		at := toolchain.At(rooted.FS(w.place.tree), w.opts.Dir)
		if in := wants.InstallNode(at); in != nil && (w.opts.Install == "always" || w.needsNode(*in)) {
			if err := w.findManager(ctx, *wants.Manager); err != nil {
				return err
			}
			if err := w.installAll(ctx, *in); err != nil {
				return err
			}
		}
		if in := wants.InstallPython(at); in != nil {
			if err := w.installPython(ctx, *in); err != nil {
				return err
			}
		}
	}
	return w.setUp(ctx)
}

// setUp runs the setup commands. They run code of the project: packages that they
// made or changed are those of one side.
func (w *Workspace) setUp(ctx context.Context) error {
	if len(w.opts.Setup) == 0 {
		return nil
	}
	before, err := w.packageStamps()
	if err != nil {
		return err
	}
	for _, argv := range w.opts.Setup {
		if err := w.must(ctx, "setup-command", Command{Argv: argv, Dir: w.opts.Dir, Timeout: installTime}); err != nil {
			return err
		}
	}
	after, err := w.packageStamps()
	if err != nil {
		return err
	}
	changed, made := differ(before, after)
	w.setUpOn(before, append(changed, made...))
	return nil
}

// needsNode decides for auto. On the host somebody has set the machine up: what
// is installed there is what is meant, and without a lockfile nothing says what
// would be.
func (w *Workspace) needsNode(in toolchain.Install) bool {
	if w.driver.name() != "host" {
		return !fitsNode(filepath.Join(w.place.tree, in.Dir), in.Manager)
	}
	_, err := fs.Stat(rooted.FS(w.place.tree), path.Join(in.Dir, "node_modules"))
	return errors.Is(err, fs.ErrNotExist) && !in.Loose // one that leads out of the tree is there
}

// findManager sees to it that the package manager is there. A machine has npm and
// often corepack, but not what corepack would fetch: then it is provisioned, at
// the version and with the sum that the repository pins.
func (w *Workspace) findManager(ctx context.Context, m toolchain.Manager) error {
	if _, err := w.LookPath(ctx, m.Name); !errors.Is(err, process.ErrNotFound) {
		return err
	}
	cure := fmt.Sprintf("put %s on PATH before this step (corepack enable %s, or the setup action of %s), or install the dependencies in a step of your own", m.Name, m.Name, m.Name)
	if w.foreign {
		return fmt.Errorf("%w: %s is not in the container; %s", ErrProvision, m.Name, cure)
	}
	t, err := newStore(w).packageManager(ctx, m)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s is not on PATH and could not be fetched: %w; %s", ErrProvision, m.Name, err, cure)
	case t == nil: // npm comes with Node.js alone
		return fmt.Errorf("%w: %s is not on PATH; %s", ErrProvision, m.Name, cure)
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
		if err := w.must(ctx, "install dependencies of "+in.Source, Command{Argv: argv, Dir: in.Dir, Timeout: installTime}); err != nil {
			return err
		}
	}
	return nil
}

// installPython makes a virtual environment outside of the tree, so that the
// tree stays as it was checked out, and installs into it. On the host the one
// that lies in the tree, else the machine's environment, is the one meant.
func (w *Workspace) installPython(ctx context.Context, in toolchain.Install) error {
	if lookup(w.env, "UV_PYTHON") == "" {
		w.activateOwn(ctx, in)
		return nil
	}
	make := []string{"uv", "venv", "--no-project", "--seed", w.place.venv}
	if err := w.must(ctx, "make a virtual environment", Command{Argv: make, Timeout: installTime}); err != nil {
		return err
	}
	w.activate(w.place.venv)
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
	return w.installAll(ctx, in)
}

// activateOwn activates a virtual environment of the checkout when it works.
func (w *Workspace) activateOwn(ctx context.Context, in toolchain.Install) {
	for _, name := range []string{".venv", "venv"} {
		venv := filepath.Join(w.place.tree, in.Dir, name)
		if !w.tracked.venv(w.place.tree, filepath.Join(in.Dir, name)) {
			continue
		}
		res, err := w.Run(ctx, Command{Argv: []string{filepath.Join(venv, "bin", "python"), "-I", "-c", ""}, Timeout: time.Minute})
		if err == nil && res.ExitCode == 0 {
			w.activate(venv)
			return
		}
	}
}

// activate makes a virtual environment the one that all commands use.
func (w *Workspace) activate(venv string) {
	w.env = merge(w.env, []string{
		"VIRTUAL_ENV=" + venv, "UV_PYTHON=" + filepath.Join(venv, "bin", "python"), "PDM_IGNORE_SAVED_PYTHON=1", "UV_PROJECT_ENVIRONMENT=" + venv, "PIPENV_IGNORE_VIRTUALENVS=0", "PIPENV_VERBOSITY=-1",
		"POETRY_VIRTUALENVS_CREATE=false", "PDM_CHECK_UPDATE=false",
		"PATH=" + filepath.Join(venv, "bin") + string(os.PathListSeparator) + lookup(w.env, "PATH"),
	})
}

// must runs a command of the preparation; its failure is an error.
func (w *Workspace) must(ctx context.Context, what string, c Command) error {
	_, _ = fmt.Fprintf(w.opts.Log, "%s: %s\n", what, strings.Join(c.Argv, " "))
	c.Live = w.opts.Log
	res, err := w.Run(ctx, c)
	switch {
	case errors.Is(err, process.ErrNotFound):
		return fmt.Errorf("%w: %s: %w", ErrProvision, what, err)
	case err != nil:
		return fmt.Errorf("%s: %w", what, err)
	case res.TimedOut:
		return fmt.Errorf("%w: %s: %s did not end in %v", ErrProvision, what, c.Argv[0], c.Timeout)
	case res.ExitCode != 0:
		last := oneLine(res.Stderr)
		if last == "" {
			last = oneLine(res.Stdout)
		}
		return fmt.Errorf("%w: %s: %s: exit code %d: %s", ErrProvision, what, strings.Join(c.Argv, " "), res.ExitCode, last)
	}
	return nil
}
