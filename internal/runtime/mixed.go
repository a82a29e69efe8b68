package runtime

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/runtime/tree"
)

// builds notes that an installation runs code of the project: hooks of its
// manifest, or its build system. What that leaves among the packages is the word of
// one side, and base installs for itself.
func (w *Workspace) builds(in toolchain.Install) {
	root, err := os.OpenRoot(w.box.Place.Tree)
	if err != nil {
		return // nothing can be installed either
	}
	defer func() { _ = root.Close() }()
	python := slices.Contains([]string{"uv", "poetry", "pdm", "pipenv", "pip"}, in.Manager)
	switch {
	case python && !onlyRequirements(root.FS(), in):
		w.deps.python = in.Source
	case !python && toolchain.UsesProject(root.FS(), in.Dir):
		w.mixed(in.Dir, in.Source)
	}
}

// localRequirement is a line of a requirements file that leads to files of the
// project: a folder, an archive, or another such file.
var localRequirement = regexp.MustCompile(`(?m)^\s*(?:-[ercf]\b|--(?:editable|requirement|constraint|find-links)\b|\.|/)|file:`)

// onlyRequirements reports whether an installer of Python is given requirement
// files alone, and they name nothing but packages of a registry: else it builds
// something of the project.
func onlyRequirements(fsys fs.FS, in toolchain.Install) bool {
	found := false
	for _, argv := range in.Commands {
		for i, arg := range argv[:max(len(argv)-1, 0)] {
			if arg != "-r" {
				continue
			}
			data, err := fs.ReadFile(fsys, path.Join(filepath.ToSlash(in.Dir), argv[i+1]))
			if err != nil || localRequirement.Match(data) {
				return false
			}
			found = true
		}
		if slices.ContainsFunc(argv, func(arg string) bool { return arg == "-e" || strings.HasPrefix(arg, ".") }) {
			return false
		}
	}
	return found
}

func (w *Workspace) mixed(dir, why string) {
	if w.deps.mixed == nil {
		w.deps.mixed = map[string]string{}
	}
	w.deps.mixed[filepath.ToSlash(filepath.Clean("./"+dir))] = why
}

// setUpOn notes which packages the setup commands changed: paths below the tree, or
// below the environment that we made. Base runs the same commands, so it starts
// from the same packages: those of the checkout, where no code has been. What was
// there before and is not the checkout's we have installed, and base does so too.
func (w *Workspace) setUpOn(before map[string]tree.Stamp, paths []string) {
	root, err := os.OpenRoot(w.opts.Root)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	const why = "setup-command"
	dirs := map[string]bool{}
	for _, name := range paths {
		dirs[w.packagesOf(name)] = true
	}
	for dir := range dirs {
		had := false
		for was := range before {
			_, in := rooted.Within(dir, was)
			had = had || in
		}
		info, err := root.Lstat(dir)
		switch {
		case err == nil && info.IsDir(), !had && filepath.IsLocal(dir):
			if w.deps.anew == nil {
				w.deps.anew = map[string]bool{}
			}
			w.deps.anew[dir] = true
		case filepath.Base(dir) == "node_modules":
			w.mixed(nodeRoot(root.FS(), filepath.ToSlash(filepath.Dir(dir))), why)
		default:
			w.deps.python = why
		}
	}
}

// packagesOf is the outermost directory of packages that a path lies in, relative
// to the tree.
func (w *Workspace) packagesOf(name string) string {
	dir := ""
	for part := range strings.SplitSeq(filepath.Dir(name), string(filepath.Separator)) {
		dir = filepath.Join(dir, part)
		if part == "node_modules" || repository.IsVenv(filepath.Join(w.box.Place.Tree, dir)) {
			return dir
		}
	}
	return filepath.Dir(name)
}

// startAnew gives a second tree the packages of the checkout where the setup
// commands change them.
func (w *Workspace) startAnew(ctx context.Context) error {
	for _, dir := range slices.Sorted(maps.Keys(w.parent.deps.anew)) {
		from, to := filepath.Join(w.opts.Root, dir), filepath.Join(w.box.Place.Tree, dir)
		if info, err := os.Lstat(from); err != nil || !info.IsDir() || !clone.PlainDir(w.box.Place.Tree, filepath.Dir(dir)) {
			continue // the setup makes it, or base has no such directory
		}
		if err := clone.Made(ctx, from, to, nil); err != nil {
			return fmt.Errorf("copy the packages of the checkout: %w", err)
		}
		if err := clone.Repath(from, to, w.opts.Root, w.box.Place.Tree, w.box.Shown(w.box.Place.Tree)); err != nil {
			return fmt.Errorf("copy the packages of the checkout: %w", err)
		}
	}
	return nil
}
