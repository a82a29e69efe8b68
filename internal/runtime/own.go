package runtime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/provision"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/runtime/tree"
)

// cannotOwn is why base cannot have its own installation.
type cannotOwn struct{ why string }

func (e cannotOwn) Error() string { return e.why }

// refuse makes a reason of an error, unless we were told to stop.
func refuse(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return cannotOwn{err.Error()}
}

// equip gives base the toolchains and dependencies that it needs for itself. What
// cannot be had is a cannotOwn.
func (w *Workspace) equip(ctx context.Context, n needed) error {
	if n.asks {
		if err := w.machineFits(ctx); err != nil {
			return refuse(ctx, err)
		}
	}
	if !n.installs() {
		return nil
	}
	w.deps.Own = true
	if w.opts.Install == "never" {
		return cannotOwn{"nothing is to be installed (install: never)"}
	}
	interpreter := w.headsPython()
	root, err := os.OpenRoot(w.box.Place.Tree)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if n.tools {
		wants := toolchain.Resolve(root.FS(), w.opts.Dir)
		w.tools, w.env = nil, w.baseEnv()
		if err := w.provision(ctx, wants); err != nil {
			return refuse(ctx, err)
		}
		interpreter = environ.Lookup(w.env, "UV_PYTHON")
	}
	r := recipe{}
	for _, dir := range n.node {
		if err := w.planNode(ctx, &r, root, dir); err != nil {
			return refuse(ctx, err)
		}
	}
	if n.python {
		if err := w.planPython(ctx, &r, root, interpreter); err != nil {
			return refuse(ctx, err)
		}
	}
	return refuse(ctx, w.follow(ctx, r, root))
}

// headsPython is the interpreter that head's packages were installed for, by a name
// that holds for base; empty where the machine's own is meant.
func (w *Workspace) headsPython() string {
	return w.box.Place.InHead(w.parent.box.Place, environ.Lookup(w.parent.env, "UV_PYTHON"))
}

// machineFits makes sure that the machine's toolchains, which run both sides, are
// such as base asks for.
func (w *Workspace) machineFits(ctx context.Context) error {
	root, err := os.OpenRoot(w.box.Place.Tree)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	wants := toolchain.Resolve(root.FS(), w.opts.Dir)
	python := "python3"
	if own := w.headsPython(); own != "" {
		python = own
	}
	for _, t := range []struct {
		program string
		want    *toolchain.Want
		pick    func(spec string, versions []string) (string, error)
	}{{"node", wants.Node, toolchain.PickNode}, {python, wants.Python, toolchain.PickPython}} {
		if t.want == nil || t.want.Spec == "" || toolchain.Newest(t.want.Spec) {
			continue
		}
		stated := w.stated(ctx, t.program)
		version := provision.StatedVersion(stated)
		if _, err := t.pick(t.want.Spec, []string{version}); err != nil {
			return fmt.Errorf("base asks for %.50q (%s), and the machine has %s", t.want.Spec, t.want.Source, filepath.Base(stated))
		}
	}
	return nil
}

// A recipe is how an installation is made, and what it follows from.
type recipe struct {
	node   []toolchain.Install
	python *toolchain.Install
	// from are the needs and versions that make one installation another.
	from []string
	// bound says that files of the project take part, by scripts or as packages.
	bound bool
}

// pinned reports whether the same recipe makes the same installation tomorrow.
func (r recipe) pinned() bool {
	loose := func(in toolchain.Install) bool { return in.Loose }
	return !slices.ContainsFunc(r.node, loose) && (r.python == nil || !r.python.Loose)
}

// unpinned refuses what no lock file pins where head's packages were chosen by
// somebody else, some other day: base would fail for those that came since. What
// this run has installed for head it resolves for base in the same minutes.
func (w *Workspace) unpinned(in toolchain.Install, fresh bool) error {
	if in.Loose && w.opts.Driver == "host" && !fresh {
		return fmt.Errorf("no lock file of base pins them (%s)", in.Source)
	}
	return nil
}

func (w *Workspace) planNode(ctx context.Context, r *recipe, root *os.Root, dir string) error {
	fsys := root.FS()
	wants := toolchain.Resolve(fsys, dir)
	in := wants.InstallNode(toolchain.At(fsys, dir))
	if in == nil || !clone.PlainDir(w.box.Place.Tree, filepath.FromSlash(dir)) {
		return nil // base has no package there
	}
	if err := errors.Join(w.unpinned(*in, w.parent.deps.fresh), w.findManager(ctx, *wants.Manager)); err != nil {
		return err
	}
	needs := toolchain.NodeNeeds(fsys, in.Dir)
	r.from = append(r.from, w.stated(ctx, "node"), w.stated(ctx, in.Manager), needs.Digest())
	r.node = append(r.node, *in)
	r.bound = r.bound || toolchain.UsesProject(fsys, in.Dir)
	return nil
}

func (w *Workspace) planPython(ctx context.Context, r *recipe, root *os.Root, interpreter string) error {
	fsys := root.FS()
	in := toolchain.Resolve(fsys, w.opts.Dir).InstallPython(toolchain.At(fsys, w.opts.Dir))
	switch {
	case in == nil:
		return errors.New("base does not say what its environment has")
	case interpreter == "":
		return errors.New("the Python environment is the machine's own")
	}
	if err := w.unpinned(*in, repository.IsVenv(w.parent.box.Place.Venv)); err != nil {
		return err
	}
	if _, err := w.find("uv"); err != nil {
		uv, err := w.store().UV(ctx)
		if err != nil {
			return err
		}
		w.use(uv)
	}
	w.env = environ.Merge(w.env, uvEnv(interpreter))
	// The home has another name the next time.
	r.from = append(r.from, strings.TrimPrefix(w.stated(ctx, interpreter), w.box.Place.Home), toolchain.PythonNeeds(fsys, in.Dir).Digest())
	r.python, r.bound = in, true // an editable package is built by the project's files
	return nil
}

// stated is what a program says its version is.
func (w *Workspace) stated(ctx context.Context, program string) string {
	res, err := w.Run(ctx, Command{Argv: []string{program, "--version"}, Timeout: provision.AskTime})
	if err != nil || res.ExitCode != 0 {
		return program + " does not say"
	}
	return program + " " + diagnosis.Line(res.Stdout)
}

// follow makes the installation, or takes the one that was kept.
func (w *Workspace) follow(ctx context.Context, r recipe, root *os.Root) error {
	key, err := w.keepKey(ctx, r)
	if err != nil {
		return err
	}
	if key != "" {
		brought, err := w.bring(ctx, key)
		if brought && r.python != nil {
			w.activate(w.box.Place.Venv)
		}
		if brought || err != nil {
			return err
		}
	}
	if err := w.ownFiles(); err != nil {
		return err
	}
	before, err := tree.Look(w.box.Place.Tree, w.tree.Tracked)
	if err != nil {
		return err
	}
	for _, in := range r.node {
		if err := w.installAll(ctx, in); err != nil {
			return err
		}
	}
	if r.python != nil {
		if err := w.makePython(ctx, *r.python); err != nil {
			return err
		}
	}
	after, err := tree.Look(w.box.Place.Tree, w.tree.Tracked)
	if err != nil {
		return err
	}
	changed, _ := tree.Differ(before.Project, after.Project)
	if _, err := root.Lstat(".pnp.cjs"); key != "" && len(changed) == 0 && err != nil {
		if err := w.keep(ctx, key); err != nil {
			_, _ = fmt.Fprintf(w.opts.Log, "dependencies of base are not kept: %v\n", err)
		}
	}
	return nil
}
