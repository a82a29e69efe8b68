package runtime

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/wording"
)

// hostPython sees to it that the machine's Python has what the tests need. Who has
// set the machine up knows best: a virtual environment in the checkout, or what is
// installed for the interpreter, is used as it is. Where that cannot be meant,
// because something that the tests ask for is missing or because another copy of the
// project stands in its place, an environment is made as its developers would make
// it. That it cannot be made is said and stops nothing: the tests run with what
// there is.
func (w *Workspace) hostPython(ctx context.Context, in toolchain.Install) error {
	if w.activateOwn(ctx, in) || w.Foreign() || !w.tree.Tracked.TestsPython() {
		return nil
	}
	lacks := w.lacks(ctx, in)
	if lacks == "" {
		return nil
	}
	_, _ = fmt.Fprintf(w.opts.Log, "%s: an environment is made for the tests\n", lacks)
	before, tools := slices.Clone(w.env), len(w.tools)
	err := w.ownPython(ctx)
	if err == nil {
		err = w.makePython(ctx, in)
	}
	if err == nil {
		w.prepared("%s: installed with %s (%s)", lacks, wording.Command(in.Commands[len(in.Commands)-1]), sources(in))
		return nil
	}
	if ctx.Err() != nil || w.opts.Install == "always" {
		return err
	}
	w.env, w.tools = before, w.tools[:tools]
	w.deps.unprepared = fmt.Sprintf("%s, and it could not be installed: %v", lacks, err)
	return rooted.RemoveAll(w.box.Place.Venv)
}

// prepared notes what was done before any test, or could not be.
func (w *Workspace) prepared(format string, args ...any) {
	w.deps.prepared = append(w.deps.prepared, fmt.Sprintf(format, args...))
}

// sources names the files that an installation follows.
func sources(in toolchain.Install) string {
	if in.Tests == nil || !in.Loose || len(in.Tests.Sources) == 0 {
		return in.Source
	}
	return strings.Join(in.Tests.Sources, ", ")
}

// lacks says why the tests cannot run with the machine's Python; empty when they
// can, as far as its distributions tell.
func (w *Workspace) lacks(ctx context.Context, in toolchain.Install) string {
	python := w.machinePython()
	if python == "" {
		return "there is no python3 on PATH"
	}
	has := map[string]bool{}
	for name := range w.PythonPackages(ctx, python) {
		has[toolchain.PythonName(name)] = true
	}
	t := in.Tests
	if t.Builds && !w.deps.editable {
		switch {
		case has[t.Project]:
			return fmt.Sprintf("another copy of %.100q is installed than the one in the repository", t.Project)
		case sourceFolder(rooted.FS(w.box.Place.Tree), in.Dir):
			return fmt.Sprintf("%.100q is not installed", t.Project)
		}
	}
	for _, name := range t.Names {
		if !has[name] && name != t.Project {
			return fmt.Sprintf("%.100q is not installed", name)
		}
	}
	return ""
}

// sourceFolder reports whether the modules of a project lie in a folder where Python
// finds them only when they are installed.
func sourceFolder(tree fs.FS, dir string) bool {
	info, err := fs.Stat(tree, path.Join(filepath.ToSlash(dir), "src"))
	return err == nil && info.IsDir()
}

// machinePython is the interpreter that commands get by its usual names.
func (w *Workspace) machinePython() string {
	for _, name := range []string{"python3", "python"} {
		if at, err := w.find(name); err == nil {
			return at
		}
	}
	return ""
}

// ownPython gets uv and chooses the interpreter for an environment of our own: the
// one on PATH if it is of a version that the project asks for.
func (w *Workspace) ownPython(ctx context.Context) error {
	s := w.store()
	uv, err := s.UV(ctx)
	if err != nil {
		return err
	}
	want := toolchain.Resolve(rooted.FS(w.box.Place.Tree), w.opts.Dir).Python
	python, err := s.PythonOnPath(ctx, *want, w.machinePython())
	if err != nil {
		if python, err = s.Python(ctx, *want, uv, w.box.Enterable); err != nil {
			return err
		}
	}
	w.use(uv)
	w.tools = append(w.tools, python)
	w.env = environ.Merge(w.env, uvEnv(python.Bin))
	return nil
}

// addCoverage gives an environment that we made the one package that we need in it
// and its lock file may lack. Without it coverage is unknown, which is said.
func (w *Workspace) addCoverage(ctx context.Context) error {
	if _, ok := w.PythonPackages(ctx, environ.Lookup(w.env, "UV_PYTHON"))["coverage"]; ok {
		return nil
	}
	err := w.must(ctx, "installing what measures coverage", Command{Argv: []string{"uv", "pip", "install", "coverage"}, Timeout: installTime})
	if err != nil && ctx.Err() == nil {
		_, _ = fmt.Fprintf(w.opts.Log, "coverage is not measured: %v\n", err)
		return nil
	}
	return err
}

// uvEnv lets uv work with one interpreter.
func uvEnv(python string) []string {
	return []string{"UV_PYTHON=" + python, "UV_PYTHON_DOWNLOADS=never", "UV_LINK_MODE=copy", "UV_COMPILE_BYTECODE=1"}
}
