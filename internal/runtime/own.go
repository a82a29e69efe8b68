package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/packages"
	"github.com/org/qa-action/internal/runtime/provision"
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

// ownInstall gives base an installation of its own.
type ownInstall struct {
	*installer // of base
	shelf      shelf
	plain      []string // the environment that commands of base begin with
	// python is the interpreter that head's packages were installed for, by a name that
	// holds for base; empty where the machine's own is meant.
	python string
	// resolved tells, for Node.js and for Python, that this run installed head's packages.
	resolvedNode, resolvedPython bool
}

// equip gives base the toolchains and dependencies that it needs for itself. What
// cannot be had is a cannotOwn.
func (p ownInstall) equip(ctx context.Context, n packages.Needed) error {
	if n.Asks {
		if err := p.machineFits(ctx); err != nil {
			return refuse(ctx, err)
		}
	}
	if !n.Installs() {
		return nil
	}
	if p.when == "never" {
		return cannotOwn{"nothing is to be installed (install: never)"}
	}
	interpreter := p.python
	if n.Tools {
		wants := toolchain.Resolve(p.files(), p.dir)
		p.tools, p.env = nil, p.plain
		if err := p.provision(ctx, wants); err != nil {
			return refuse(ctx, err)
		}
		interpreter = environ.Lookup(p.env, "UV_PYTHON")
	}
	r := recipe{}
	for _, dir := range n.Node {
		if err := p.planNode(ctx, &r, dir); err != nil {
			return refuse(ctx, err)
		}
	}
	if n.Python {
		if err := p.planPython(ctx, &r, interpreter); err != nil {
			return refuse(ctx, err)
		}
	}
	return refuse(ctx, p.follow(ctx, r))
}

// machineFits makes sure that the machine's toolchains, which run both sides, are
// such as base asks for.
func (p ownInstall) machineFits(ctx context.Context) error {
	wants := toolchain.Resolve(p.files(), p.dir)
	python := cmp.Or(p.python, "python3")
	for _, t := range []struct {
		program string
		want    *toolchain.Want
		pick    func(spec string, versions []string) (string, error)
	}{{"node", wants.Node, toolchain.PickNode}, {python, wants.Python, toolchain.PickPython}} {
		if t.want == nil || t.want.Spec == "" || toolchain.Newest(t.want.Spec) {
			continue
		}
		stated := p.stated(ctx, t.program)
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
func (p ownInstall) unpinned(in toolchain.Install, fresh bool) error {
	if in.Loose && p.driver == "host" && !fresh {
		return fmt.Errorf("no lock file of base pins them (%s)", in.Source)
	}
	return nil
}

func (p ownInstall) planNode(ctx context.Context, r *recipe, dir string) error {
	fsys := p.files()
	wants := toolchain.Resolve(fsys, dir)
	in := wants.InstallNode(toolchain.At(fsys, dir))
	if in == nil || !clone.PlainDir(p.box.Place.Tree, filepath.FromSlash(dir)) {
		return nil // base has no package there
	}
	if err := errors.Join(p.unpinned(*in, p.resolvedNode), p.findManager(ctx, *wants.Manager)); err != nil {
		return err
	}
	needs := toolchain.NodeNeeds(fsys, in.Dir)
	r.from = append(r.from, p.stated(ctx, "node"), p.stated(ctx, in.Manager), needs.Digest())
	r.node = append(r.node, *in)
	r.bound = r.bound || toolchain.UsesProject(fsys, in.Dir)
	return nil
}

func (p ownInstall) planPython(ctx context.Context, r *recipe, interpreter string) error {
	fsys := p.files()
	in := toolchain.PythonOf(fsys, p.pythonDir())
	switch {
	case in == nil:
		return errors.New("base does not say what its environment has")
	case interpreter == "":
		return errors.New(machineOwn)
	}
	if err := p.unpinned(*in, p.resolvedPython); err != nil {
		return err
	}
	if _, err := p.find("uv"); err != nil {
		uv, err := p.store().UV(ctx)
		if err != nil {
			return err
		}
		p.use(uv)
	}
	p.env = environ.Merge(p.env, uvEnv(interpreter))
	// The home has another name the next time.
	r.from = append(r.from, strings.TrimPrefix(p.stated(ctx, interpreter), p.box.Place.Home), toolchain.PythonNeeds(fsys, in.Dir).Digest())
	r.python, r.bound = in, true // an editable package is built by the project's files
	return nil
}

// follow makes the installation, or takes the one that was kept.
func (p ownInstall) follow(ctx context.Context, r recipe) error {
	key, err := p.shelf.key(ctx, r)
	if err != nil {
		return err
	}
	if key != "" {
		brought, err := p.shelf.bring(ctx, key)
		if brought && r.python != nil {
			p.activate(p.box.Place.Venv)
		}
		if brought || err != nil {
			return err
		}
	}
	if err := handFiles(p.box); err != nil {
		return err
	}
	before, err := tree.Look(p.box.Place.Tree, p.tree.Tracked)
	if err != nil {
		return err
	}
	for _, in := range r.node {
		if err := p.installAll(ctx, in); err != nil {
			return err
		}
	}
	if r.python != nil {
		if err := p.makePython(ctx, *r.python); err != nil {
			return err
		}
	}
	after, err := tree.Look(p.box.Place.Tree, p.tree.Tracked)
	if err != nil {
		return err
	}
	changed, _ := each.Differ(before.Project, after.Project)
	root, err := os.OpenRoot(p.box.Place.Tree)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	_, err = root.Lstat(".pnp.cjs")
	if key != "" && len(changed) == 0 && errors.Is(err, fs.ErrNotExist) {
		if err := p.shelf.keep(ctx, key); err != nil {
			_, _ = fmt.Fprintf(p.log, "dependencies of base are not kept: %v\n", err)
		}
	}
	return nil
}
