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
func (i *installer) hostPython(ctx context.Context, in toolchain.Install) error {
	if i.activateOwn(ctx, in) || i.Foreign() || !i.tree.Tracked.TestsPython() {
		return nil
	}
	lacks := i.lacks(ctx, in)
	if lacks == "" {
		return nil
	}
	_, _ = fmt.Fprintf(i.log, "%s: an environment is made for the tests\n", lacks)
	before, tools := slices.Clone(i.env), len(i.tools)
	err := i.ownPython(ctx, *toolchain.Resolve(i.files(), i.pythonDir()).Python)
	tried := environ.Lookup(i.env, "UV_PYTHON") // before an environment takes its place
	if err == nil {
		err = i.makePython(ctx, in)
	}
	if err == nil {
		i.notes.add("%s: installed with %s (%s)", lacks, wording.Command(in.Commands[len(in.Commands)-1]), sources(in))
		return nil
	}
	if ctx.Err() != nil || i.when == "always" {
		return err
	}
	i.tried = tried
	i.env, i.tools = before, i.tools[:tools]
	i.made.Failed()
	i.notes.missing = fmt.Sprintf("%s, and it could not be installed: %v", lacks, err)
	return rooted.RemoveAll(i.box.Place.Venv)
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
func (i *installer) lacks(ctx context.Context, in toolchain.Install) string {
	python := i.machinePython()
	if python == "" {
		return "there is no python3 on PATH"
	}
	installed := i.distributions(ctx, python)
	has := func(name string) bool { _, ok := installed[name]; return ok }
	t := in.Tests
	if t.Builds && !i.editable {
		switch {
		case has(t.Project):
			return fmt.Sprintf("another copy of %.100q is installed than the one in the repository", t.Project)
		case sourceFolder(i.files(), in.Dir):
			return fmt.Sprintf("%.100q is not installed", t.Project)
		}
	}
	for _, name := range t.Names {
		if !has(name) && name != t.Project {
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

// addCoverage gives an environment that we made the one package that we need in it
// and its lock file may lack. Without it coverage is unknown, which is said.
func (i *installer) addCoverage(ctx context.Context) error {
	if _, ok := i.PythonPackages(ctx, environ.Lookup(i.env, "UV_PYTHON"))["coverage"]; ok {
		return nil
	}
	if err := i.tree.Unshare(); err != nil {
		return err
	}
	err := i.must(ctx, "installing what measures coverage", Command{Argv: []string{"uv", "pip", "install", "coverage"}, Timeout: installTime})
	if ctx.Err() != nil {
		return err
	}
	if err != nil {
		_, _ = fmt.Fprintf(i.log, "coverage is not measured: %v\n", err)
	}
	return nil
}
