package runtime

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/runtime/toolchain"
)

// builds notes that an installation runs code of the project: hooks of its
// manifest, or its build system. What that leaves among the packages is the word of
// one side, and base installs for itself.
func (w *Workspace) builds(in toolchain.Install) {
	if python := []string{"uv", "poetry", "pdm", "pipenv", "pip"}; slices.Contains(python, in.Manager) {
		if slices.ContainsFunc(in.Commands, buildsProject) {
			w.deps.python = in.Source
		}
		return
	}
	root, err := os.OpenRoot(w.place.tree)
	if err != nil || toolchain.UsesProject(root.FS(), in.Dir) {
		w.mixed(in.Dir, in.Source)
	}
	if err == nil {
		_ = root.Close()
	}
}

// buildsProject reports whether a Python installer builds the project itself, which
// one that is given requirement files alone does not.
func buildsProject(argv []string) bool {
	local := func(arg string) bool {
		return arg == "-e" || strings.HasPrefix(arg, ".") || strings.HasPrefix(arg, "--editable")
	}
	files := slices.ContainsFunc(argv, func(arg string) bool { return arg == "-r" || strings.HasPrefix(arg, "--requirement") })
	return !files && !slices.Contains(argv, "venv") || slices.ContainsFunc(argv, local)
}

func (w *Workspace) mixed(dir, why string) {
	if w.deps.mixed == nil {
		w.deps.mixed = map[string]string{}
	}
	w.deps.mixed[filepath.ToSlash(filepath.Clean("./"+dir))] = why
}

// mixedBy notes which packages a command changed: paths below the tree, or below
// the environment that we made.
func (w *Workspace) mixedBy(why string, paths []string) {
	root, err := os.OpenRoot(w.place.tree)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	for _, name := range paths {
		before, _, isNode := strings.Cut("/"+filepath.ToSlash(name), "/node_modules/")
		if !isNode {
			w.deps.python = why
			continue
		}
		w.mixed(nodeRoot(root.FS(), strings.TrimPrefix(before, "/")), why)
	}
}

// packageStamps looks at everything that was installed: in the tree, and in the
// environment beside it.
func (w *Workspace) packageStamps() (map[string]stamp, error) {
	now, err := stampTree(w.place.tree, w.tracked)
	if err != nil {
		return nil, err
	}
	beside := filepath.Join("..", filepath.Base(w.place.venv))
	venvs := []string{beside}
	err = w.packageDirs(w.place.tree, func(rel string) error {
		if filepath.Base(rel) != "node_modules" {
			venvs = append(venvs, rel)
		}
		return nil
	})
	for _, venv := range venvs {
		inside, look := stampAll(filepath.Join(w.place.tree, venv))
		err = errors.Join(err, look)
		for name, one := range inside {
			now.packages[filepath.Join(venv, name)] = one
		}
	}
	return now.packages, err
}
