package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/environ"
)

// maxInstallFiles bounds how many files of one folder of packages are
// looked at.
const maxInstallFiles = 2000

// askSites prints the folders in which an interpreter has its packages. Questions
// of ours are asked with -I: a module of the tree would answer else.
const askSites = `import json, site; print(json.dumps(site.getsitepackages()))`

// finderEntry is a package in the import finder of an editable installation.
var finderEntry = pattern.New(`'(\w[\w.]*)': '([^'\n]+)'`)

// followEditable lets the tests find packages in the tree that are installed from
// the checkout by reference (pip install -e) into an environment outside of it:
// the machine's Python, or a virtual environment beside the checkout. What refers
// to the checkout there cannot be rewritten, and the checkout cannot be read; the
// folders it names are searched in the tree instead. Base's tree takes this over
// with the environment.
func (i *installer) followEditable(ctx context.Context) {
	if i.box.Foreign || i.Activated() || !i.pythonProject() {
		return
	}
	python := i.machinePython()
	if python == "" {
		return
	}
	res, err := i.Run(ctx, Command{Argv: []string{python, "-I", "-c", askSites}, Timeout: lookTime})
	var sites []string
	if err != nil || res.ExitCode != 0 || json.Unmarshal(res.Stdout, &sites) != nil {
		return
	}
	var found []string
	for _, site := range sites {
		found = each.Added(found, i.editableIn(site)...)
	}
	if len(found) == 0 {
		return
	}
	i.editable = true
	_, _ = fmt.Fprintf(i.log, "packages installed from the checkout are taken from the copy: %q\n", found)
	if own := environ.Lookup(i.env, "PYTHONPATH"); own != "" {
		found = append(found, own)
	}
	i.env = environ.Merge(i.env, []string{"PYTHONPATH=" + strings.Join(found, string(os.PathListSeparator))})
}

// pythonProject reports whether there is something that pip could install.
func (i *installer) pythonProject() bool {
	for _, name := range language.Named("python").Project.Manifests {
		for _, dir := range []string{i.box.Place.Tree, filepath.Join(i.box.Place.Tree, filepath.FromSlash(i.dir))} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
	}
	return false
}

// editableIn lists the folders of the tree for those of the checkout that path
// files and import finders in a folder of packages name.
func (i *installer) editableIn(site string) []string {
	roots := []string{i.checkout}
	if real, err := filepath.EvalSymlinks(i.checkout); err == nil && real != i.checkout {
		roots = append(roots, real)
	}
	var out []string
	add := func(named string) {
		for _, root := range roots {
			if rel, in := rooted.Within(root, named); in && filepath.IsAbs(named) {
				out = append(out, filepath.Join(i.box.Place.Tree, rel))
				return
			}
		}
	}
	if rel, in := rooted.Within(i.checkout, site); in && rel != "." {
		return nil // it was copied and points into the tree
	}
	files, _ := os.ReadDir(site)
	for _, f := range files[:min(len(files), maxInstallFiles)] {
		name := f.Name()
		switch {
		case filepath.Ext(name) == ".pth":
			for line := range bytes.Lines(readInstall(filepath.Join(site, name))) {
				add(strings.TrimSpace(string(line)))
			}
		case strings.HasPrefix(name, "__editable__") && filepath.Ext(name) == ".py":
			for _, m := range finderEntry.FindAllSubmatch(readInstall(filepath.Join(site, name)), -1) {
				add(packageRoot(string(m[1]), string(m[2])))
			}
		}
	}
	return out
}

// packageRoot is the folder in which a package at a path is found by its name;
// empty when the path has another name.
func packageRoot(name, at string) string {
	at = strings.TrimSuffix(at, ".py")
	for _, part := range slices.Backward(strings.Split(name, ".")) {
		if filepath.Base(at) != part {
			return ""
		}
		at = filepath.Dir(at)
	}
	return at
}

// readInstall gives a file of an installation, nil when it is none of a size to be
// read.
func readInstall(path string) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > clone.MaxRewrite {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return data
}
