package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/packages"
	"github.com/org/qa-action/internal/runtime/provision"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/runtime/tree"
	"github.com/org/qa-action/internal/timing"
	"github.com/org/qa-action/internal/wording"
)

// installTime bounds one command that installs dependencies.
const installTime = 20 * time.Minute

// installer installs the dependencies of one copy.
type installer struct {
	*toolset
	caches      *caches
	tree        *tree.Tree
	made        *packages.OneSided
	notes       *notes
	checkout    string
	dir, driver string
	packages    []Package
	when        string // as Options.Install
	// editable says that packages are installed from the checkout by reference, fresh
	// that this run has installed those of Node.js.
	editable, fresh bool
	// tried is the interpreter for which an environment could not be made; the tests run
	// with the machine's. Empty when that was not tried, or went well.
	tried string
	// installed are the files by which this run has installed.
	installed []string
}

// files are those of the copy, for reading.
func (i *installer) files() fs.FS { return rooted.FS(i.box.Place.Tree) }

// install installs dependencies, as the code's user and inside its sandbox:
// installing runs programs of the packages.
func (i *installer) install(ctx context.Context, wants toolchain.Wants) error {
	ctx, end := timing.Begin(ctx, timing.Install, "packages")
	defer end()
	if err := i.installNode(ctx, wants, i.dir, i.when); err != nil {
		return err
	}
	for _, p := range i.packages {
		err := i.installNode(ctx, toolchain.Resolve(i.files(), p.Dir), p.Dir, p.Install)
		if p.Found && err != nil && ctx.Err() == nil && i.when != "always" {
			i.notes.missing = cmp.Or(i.notes.missing, err.Error()) // the others' tests run
		} else if err != nil {
			return err
		}
	}
	if i.when != "never" {
		if in := toolchain.PythonOf(i.files(), i.pythonDir()); in != nil {
			provide := i.makePython
			if environ.Lookup(i.env, "UV_PYTHON") == "" {
				provide = i.hostPython
			}
			if err := provide(ctx, *in); err != nil {
				return err
			}
		}
	}
	return nil
}

// pythonDir is the folder whose environment all tests of Python share: that of the run,
// or where that asks for none the first package below that does.
func (i *installer) pythonDir() string { return pythonDir(i.files(), i.dir, i.packages) }

func pythonDir(files fs.FS, dir string, beside []Package) string {
	return toolchain.PythonDir(files, dir, each.Of(beside, func(p Package) string { return p.Dir }))
}

// installNode installs the packages of Node.js that a directory asks for. What was
// installed already, for it or for one above it, is there.
func (i *installer) installNode(ctx context.Context, wants toolchain.Wants, dir, when string) error {
	in := wants.InstallNode(toolchain.At(i.files(), dir))
	if in == nil || when == "never" || slices.Contains(i.installed, in.Source) || when != "always" && !i.needsNode(*in) {
		return nil
	}
	before := len(i.tools)
	if i.driver == "host" && wants.Node != nil {
		if err := i.fitNode(ctx, *wants.Node); err != nil {
			return err
		}
	}
	if err := i.findManager(ctx, *wants.Manager); err != nil {
		return err
	}
	if err := i.installAll(ctx, *in); err != nil {
		return err
	}
	under := ""
	for _, t := range i.tools[before:] {
		if t.Name == "node" {
			under = fmt.Sprintf(" under Node.js %s, which %s asks for", t.Version, t.Source)
		}
	}
	i.notes.add("installed with %s (%s)%s", wording.Command(in.Commands[len(in.Commands)-1]), in.From(), under)
	i.fresh, i.installed = true, append(i.installed, in.Source)
	return nil
}

// planned lists what would be installed for these packages beside its own directory, as
// command lines; nothing is tried.
func (i *installer) planned(ctx context.Context, beside []Package) []string {
	fsys := i.files()
	var installs []*toolchain.Install
	for _, p := range append([]Package{{Dir: i.dir}}, beside...) {
		in := toolchain.Resolve(fsys, p.Dir).InstallNode(toolchain.At(fsys, p.Dir))
		known := slices.ContainsFunc(installs, func(o *toolchain.Install) bool { return in != nil && o.Source == in.Source })
		if in != nil && p.Install != "never" && !known && i.needsNode(*in) {
			installs = append(installs, in)
		}
	}
	if in := toolchain.PythonOf(fsys, pythonDir(fsys, i.dir, beside)); in != nil && i.driver == "host" && i.tree.Tracked.TestsPython() && !i.activateOwn(ctx, *in) && i.lacks(ctx, *in) != "" {
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

// needsNode decides for auto. On the host somebody has set the machine up: what
// is installed there, for the directory or one above it, is what is meant.
func (i *installer) needsNode(in toolchain.Install) bool {
	if i.driver != "host" {
		return !toolchain.FitsNode(filepath.Join(i.box.Place.Tree, in.Dir), in.Manager)
	}
	if !in.Loose {
		_, err := fs.Stat(i.files(), path.Join(in.Dir, "node_modules"))
		return errors.Is(err, fs.ErrNotExist) // one that leads out of the tree is there
	}
	return !toolchain.HasPackages(i.files(), in.Dir) && len(toolchain.NodePins(i.files(), in.Dir)) > 0
}

func (i *installer) installAll(ctx context.Context, in toolchain.Install) error {
	i.made.Installed(in)
	if err := errors.Join(i.tree.Unshare(), i.caches.layDownloads(), i.caches.layContents(ctx, in)); err != nil {
		return err
	}
	for _, argv := range in.Commands {
		what, c := "installing the dependencies of "+in.Source, Command{Argv: argv, Dir: in.Dir, Timeout: installTime}
		err := i.must(ctx, what, c)
		var by provision.ByPackage
		if errors.As(err, &by) && i.scriptless(in) != "" {
			// What the script would have fetched or compiled is not there: tests that need it
			// fail, on head and base alike, and the others run.
			if c.Argv = append(slices.Clone(argv), i.scriptless(in)); i.must(ctx, what, c) == nil {
				i.notes.scriptless = fmt.Sprintf("%s: the install script of %s fails (%s); installed without install scripts, what they make is missing", in.Source, by.Name, by.Said)
				err = nil
			}
		}
		if at := slices.Index(argv, "--locked"); errors.Is(err, provision.ErrOutdated) && at > 0 && toolchain.MeetsUV(i.files(), in.Dir) {
			c.Argv = slices.Concat(argv[:at], []string{"--frozen"}, argv[at+1:])
			if i.must(ctx, what, c) == nil {
				i.notes.add("%s is outdated by the words of uv, and has all that the project asks for; installed as it stands", in.Source)
				err = nil
			}
		}
		for _, part := range in.Parts {
			if errors.Is(err, provision.ErrConflict) {
				if c.Argv = part; i.must(ctx, what, c) == nil {
					i.notes.add("%v; installed a part of them: %s", err, wording.Command(part))
					err = nil
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scriptless is the option with which a package manager of Node.js runs no scripts of
// packages; empty for the others.
func (i *installer) scriptless(in toolchain.Install) string {
	switch {
	case in.Manager == "yarn" && slices.ContainsFunc(in.Commands, func(argv []string) bool {
		return slices.Contains(argv, "--immutable") || slices.Contains(argv, "--no-immutable")
	}):
		return "--mode=skip-build"
	case slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, in.Manager):
		return "--ignore-scripts"
	}
	return ""
}

// makePython makes a virtual environment outside of the tree, so that the tree stays
// as it was checked out, and installs into it.
func (i *installer) makePython(ctx context.Context, in toolchain.Install) error {
	if err := i.caches.layDownloads(); err != nil { // before uv writes there
		return err
	}
	make := []string{"uv", "venv", "--no-project", "--seed", i.box.Place.Venv}
	if err := i.must(ctx, "making a virtual environment", Command{Argv: make, Timeout: installTime}); err != nil {
		return err
	}
	i.activate(i.box.Place.Venv)
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
	if err := i.installAll(ctx, in); err != nil {
		return err
	}
	return i.addCoverage(ctx)
}

// activateOwn activates a virtual environment of the checkout, if there is one that
// works.
func (i *installer) activateOwn(ctx context.Context, in toolchain.Install) bool {
	for _, name := range []string{".venv", "venv"} {
		venv := filepath.Join(i.box.Place.Tree, in.Dir, name)
		if !i.tree.Tracked.Venv(i.box.Place.Tree, filepath.Join(in.Dir, name)) {
			continue
		}
		res, err := i.Run(ctx, Command{Argv: []string{filepath.Join(venv, "bin", "python"), "-I", "-c", ""}, Timeout: time.Minute})
		if err == nil && res.ExitCode == 0 {
			i.activate(venv)
			return true
		}
	}
	return false
}
