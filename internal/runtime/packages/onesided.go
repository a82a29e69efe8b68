// Package packages knows of installed dependencies which of them base needs for itself,
// which code of the project may have made, and how one tree shares another's.
package packages

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/runtime/tree"
)

// OneSided notes the packages that code of the project may have made or changed in
// one copy, by directory and with the reason. Base cannot share them.
type OneSided struct {
	Checkout, Tree string
	Node           map[string]string
	python         string // the environment's
	// Anew are the directories of packages that the setup commands changed.
	Anew map[string]bool
}

// Installed notes that an installation runs code of the project: hooks of its
// manifest, or its build system. What that leaves among the packages is the word of
// one side, and base installs for itself.
func (o *OneSided) Installed(in toolchain.Install) {
	fsys := rooted.FS(o.Tree)
	python := slices.Contains([]string{"uv", "poetry", "pdm", "pipenv", "pip"}, in.Manager)
	switch {
	case python && !onlyRequirements(fsys, in):
		o.python = in.Source
	case !python && toolchain.UsesProject(fsys, in.Dir):
		o.mix(in.Dir, in.Source)
	}
}

// Failed notes that the environment of Python that was begun is not there after all.
func (o *OneSided) Failed() { o.python = "" }

// localRequirement is a line of a requirements file that leads to files of the
// project: a folder, an archive, or another such file.
var localRequirement = pattern.New(`(?m)^\s*(?:-[ercf]\b|--(?:editable|requirement|constraint|find-links)\b|\.|/)|file:`)

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

func (o *OneSided) mix(dir, why string) {
	o.Node[filepath.ToSlash(filepath.Clean("./"+dir))] = why
}

// SetUpOn notes which packages the setup commands changed: paths below the tree, or
// below the environment that we made. Base runs the same commands, so it starts
// from the same packages: those of the checkout, where no code has been. What was
// there before and is not the checkout's we have installed, and base does so too.
func (o *OneSided) SetUpOn(before map[string]tree.Stamp, paths []string) {
	root, err := os.OpenRoot(o.Checkout)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	const why = "setup-command"
	dirs := map[string]bool{}
	for _, name := range paths {
		dirs[o.packagesOf(name)] = true
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

			o.Anew[dir] = true
		case filepath.Base(dir) == "node_modules":
			o.mix(nodeRoot(root.FS(), filepath.ToSlash(filepath.Dir(dir))), why)
		default:
			o.python = why
		}
	}
}

// packagesOf is the outermost directory of packages that a path lies in, relative
// to the tree.
func (o *OneSided) packagesOf(name string) string {
	dir := ""
	for part := range strings.SplitSeq(filepath.Dir(name), string(filepath.Separator)) {
		dir = filepath.Join(dir, part)
		if part == "node_modules" || repository.IsVenv(filepath.Join(o.Tree, dir)) {
			return dir
		}
	}
	return filepath.Dir(name)
}

// StartAnew gives a second tree, which its commands know by another name, the packages
// of the checkout where the setup commands change them.
func (o *OneSided) StartAnew(ctx context.Context, tree, named string) error {
	for _, dir := range slices.Sorted(maps.Keys(o.Anew)) {
		from, to := filepath.Join(o.Checkout, dir), filepath.Join(tree, dir)
		if info, err := os.Lstat(from); err != nil || !info.IsDir() || !clone.PlainDir(tree, filepath.Dir(dir)) {
			continue // the setup makes it, or base has no such directory
		}
		if err := clone.Made(ctx, from, to, nil); err != nil {
			return fmt.Errorf("copy the packages of the checkout: %w", err)
		}
		if err := clone.Repath(from, to, o.Checkout, tree, named); err != nil {
			return fmt.Errorf("copy the packages of the checkout: %w", err)
		}
	}
	return nil
}
