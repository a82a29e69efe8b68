package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/packages"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// Against tells head which commit it will be compared with, before any test runs.
// What somebody installed in the checkout stays as long as the change asks for
// nothing else. Where it does, packages that do not fit head's lock file are
// installed anew in the copy; else the tests would run with the old ones, and an
// update that breaks them would be green. What still does not fit is Unfit.
func (w *Workspace) Against(ctx context.Context, commit string) error {
	temp, err := os.MkdirTemp(w.box.Place.Home, "manifests-")
	if err != nil {
		return fmt.Errorf("compare with %s: %w", commit, err)
	}
	defer func() { _ = os.RemoveAll(temp) }()
	if err := w.repo.Manifests(ctx, commit, temp); err != nil {
		return fmt.Errorf("compare with %s: %w", commit, err)
	}

	f := fitting{w.installer, w.differences(), func(ctx context.Context) error { return w.setup.run(ctx, w.builds()) }, nil}
	err = f.check(ctx, rooted.FS(w.opts.Root), rooted.FS(temp))
	if w.unfit = append(w.unfit, f.unfit...); err != nil {
		return fmt.Errorf("compare with %s: %w", commit, err)
	}
	return nil
}

// Unfit says why the installed packages are not those that the change asks for,
// with the command that mends it; empty when nothing is known against them.
func (w *Workspace) Unfit() string { return strings.Join(w.unfit, "; ") }

// fitting holds head's packages against the change, and installs anew what does not
// fit.
type fitting struct {
	*installer
	differences packages.Comparison
	setUp       func(ctx context.Context) error // after an installation
	unfit       []string
}

func (f *fitting) check(ctx context.Context, head, base fs.FS) error {
	need, err := f.differences.Compare(head, base)
	if err != nil {
		return err
	}
	installed := false
	for _, dir := range need.Node {
		did, err := f.refit(ctx, head, base, dir)
		if err != nil {
			return err
		}
		installed = installed || did
	}
	if need.Python {
		f.unfitPython(ctx, head, base)
	}
	if !installed {
		return nil
	}
	if err := f.setUp(ctx); err != nil { // it runs after the installation
		if ctx.Err() != nil {
			return err
		}
		f.unfit = append(f.unfit, err.Error())
	}
	return f.tree.Readied()
}

// refit sees to it that the packages of a directory are those of its lock file.
func (f *fitting) refit(ctx context.Context, head, base fs.FS, dir string) (installed bool, err error) {
	wants := toolchain.Resolve(head, dir)
	in := wants.InstallNode(toolchain.At(head, dir))
	if in == nil {
		return false, nil
	}
	if in.Loose {
		f.unfitNode(head, base, in)
		return false, nil
	}
	if toolchain.FitsNode(filepath.Join(f.box.Place.Tree, in.Dir), in.Manager) {
		return false, nil
	}
	command := strings.Join(in.Commands[0], " ")
	why := fmt.Sprintf("%s does not fit %s: run %s", path.Join(in.Dir, "node_modules"), in.Source, command)
	if f.when == "never" {
		f.unfit = append(f.unfit, why)
		return false, nil
	}
	err = errors.Join(f.tree.Thaw(), f.findManager(ctx, *wants.Manager))
	if err == nil {
		_, _ = fmt.Fprintf(f.log, "%s: it was changed, and the packages of the checkout do not fit it\n", in.Source)
		err = f.installAll(ctx, *in)
	}
	if err != nil && ctx.Err() != nil {
		return false, err
	}
	if err != nil {
		f.unfit = append(f.unfit, fmt.Sprintf("%s (tried in the copy: %v)", why, err))
	}
	return true, nil
}

// unfitNode looks whether the direct dependencies that changed are those that are
// installed, where no lock file says more.
func (f *fitting) unfitNode(head, base fs.FS, in *toolchain.Install) {
	changed := toolchain.NodePins(head, in.Dir).Changed(toolchain.NodePins(base, in.Dir))
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		has := "is not there"
		if version, ok := nodeVersion(f.box.Place.Tree, in.Dir, name); ok {
			if fits, known := toolchain.NodeSatisfies(changed[name].Spec, version); fits || !known {
				continue
			}
			has = "is " + version
		}
		f.unfit = append(f.unfit, fmt.Sprintf("%.100q in node_modules %.50s, %s asks for %.50q: run %s", name, has, in.Source, changed[name].Spec, strings.Join(in.Commands[0], " ")))
		return // one tells what to do
	}
}

// nodeVersion is the version of an installed package as a directory of a tree sees it.
func nodeVersion(tree, dir, name string) (string, bool) {
	if !fs.ValidPath(name) {
		return "", false
	}
	for _, dir := range toolchain.Upwards(dir) {
		data, err := rooted.ReadIn(tree, path.Join(dir, "node_modules", name, "package.json"), toolchain.MaxManifest)
		var p struct {
			Version string `json:"version"`
		}
		if err == nil && json.Unmarshal(data, &p) == nil {
			return p.Version, true
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return "", false
}

// unfitPython looks whether the versions that changed are those of the environment,
// where we did not make it.
func (f *fitting) unfitPython(ctx context.Context, head, base fs.FS) {
	if f.when != "never" && repository.IsVenv(f.box.Place.Venv) {
		return // installed from head's files
	}
	installed := f.distributions(ctx, "python")
	if installed == nil {
		installed = f.distributions(ctx, "python3")
	}
	for _, dir := range packages.PythonDirs(head, base, f.dir) {
		changed := toolchain.PythonPins(head, dir).Changed(toolchain.PythonPins(base, dir))
		for _, name := range slices.Sorted(maps.Keys(changed)) {
			pin, version := changed[name], installed[name]
			fits, known := toolchain.PythonSatisfies(pin.Spec, version)
			if version == "" && pin.Locked || version != "" && (fits || !known) {
				continue
			}
			if version == "" {
				version = "missing"
			}
			f.unfit = append(f.unfit, fmt.Sprintf("%.100q in the Python environment is %.50s, %s asks for %.50q: install it again", name, version, pin.File, pin.Spec))
			return
		}
	}
}
