package runtime

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/provision"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// toolset gets the toolchains of one copy, and puts them first on its PATH.
type toolset struct {
	*runner
	ours  []string // our environment, which says where to fetch from
	tools []Tool
}

// provision gets the toolchains and puts them first on PATH.
func (set *toolset) provision(ctx context.Context, wants toolchain.Wants) error {
	s := set.store()
	if wants.Node != nil {
		t, err := s.Node(ctx, *wants.Node)
		if err != nil {
			return err
		}
		set.use(t)
		m, err := s.Manager(ctx, *wants.Manager)
		if err != nil {
			return err
		}
		if m != nil {
			set.use(*m)
		}
	}
	if wants.Go != nil {
		t, err := s.Go(ctx, *wants.Go)
		if err != nil {
			return err
		}
		set.use(t)
		set.env = environ.Merge(set.env, []string{"GOTOOLCHAIN=local"})
	}
	if wants.Python != nil {
		uv, err := s.UV(ctx)
		if err != nil {
			return err
		}
		python, err := s.Python(ctx, *wants.Python, uv, set.box.Enterable)
		if err != nil {
			return err
		}
		set.usePython(uv, python)
	}
	return nil
}

// store has the toolchains that runs share.
func (set *toolset) store() provision.Store {
	return provision.New(set.box.Place.Cache, set.ours, set.log, set.find)
}

// use puts a tool first on PATH. One that is found there already stays where it
// is: beside it lie others, which must not come before what was provisioned.
func (set *toolset) use(t provision.Tool) {
	set.tools = append(set.tools, t)
	if t.Installed {
		return
	}
	set.env = environ.Merge(set.env, []string{"PATH=" + t.Bin + string(os.PathListSeparator) + environ.Lookup(set.env, "PATH")})
}

// findManager sees to it that the package manager is there. A machine has npm and
// often corepack, but not what corepack would fetch: then it is provisioned, at
// the version and with the sum that the repository pins.
func (set *toolset) findManager(ctx context.Context, m toolchain.Manager) error {
	if _, err := set.LookPath(ctx, m.Name); !errors.Is(err, process.ErrNotFound) {
		return err
	}
	cure := fmt.Sprintf("put %s on PATH before this step (corepack enable %s, or the setup action of %s), or install the dependencies in a step of your own", m.Name, m.Name, m.Name)
	if set.box.Foreign {
		return fmt.Errorf("%w: %s is not in the container; %s", provision.ErrProvision, m.Name, cure)
	}
	t, err := set.store().Manager(ctx, m)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s is not on PATH and could not be fetched: %w; %s", provision.ErrProvision, m.Name, err, cure)
	case t == nil: // npm comes with Node.js alone
		return fmt.Errorf("%w: %s is not on PATH; %s", provision.ErrProvision, m.Name, cure)
	}
	set.use(*t)
	return set.fitNode(ctx, toolchain.Want{Spec: t.NeedsNode(), Source: t.Name + " " + t.Version})
}

// fitNode gets a Node.js where the one on PATH is none that is asked for, for packages
// that this run installs. Where it cannot be had, the machine's is tried, and that said.
func (set *toolset) fitNode(ctx context.Context, want toolchain.Want) error {
	if set.box.Foreign || want.Spec == "" || toolchain.Newest(want.Spec) {
		return nil
	}
	stated := set.stated(ctx, "node")
	if _, err := toolchain.PickNode(want.Spec, []string{provision.StatedVersion(stated)}); err == nil || !errors.Is(err, toolchain.ErrNoVersion) {
		return nil
	}
	t, err := set.store().Node(ctx, toolchain.Want{Spec: toolchain.LongTerm(want.Spec), Source: want.Source})
	if err != nil {
		if ctx.Err() == nil {
			_, _ = fmt.Fprintf(set.log, "%.50q is asked for (%s), the machine has %s, and another could not be fetched: %v\n", want.Spec, want.Source, stated, err)
			err = nil
		}
		return err
	}
	set.use(t)
	return nil
}

// ownPython gets uv and chooses the interpreter for an environment of our own: the
// one on PATH if it is of a version that the project asks for.
func (set *toolset) ownPython(ctx context.Context, want toolchain.Want) error {
	s := set.store()
	uv, err := s.UV(ctx)
	if err != nil {
		return err
	}
	python, err := s.PythonOnPath(ctx, want, set.machinePython())
	if err != nil {
		if python, err = s.Python(ctx, want, uv, set.box.Enterable); err != nil {
			return err
		}
	}
	set.usePython(uv, python)
	return nil
}

// usePython lets commands install for an interpreter with uv.
func (set *toolset) usePython(uv, python provision.Tool) {
	set.use(uv)
	set.tools = append(set.tools, python)
	set.env = environ.Merge(set.env, uvEnv(python.Bin))
}

// uvEnv lets uv work with one interpreter.
func uvEnv(python string) []string {
	return []string{"UV_PYTHON=" + python, "UV_PYTHON_DOWNLOADS=never", "UV_LINK_MODE=copy", "UV_COMPILE_BYTECODE=1"}
}
