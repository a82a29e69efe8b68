package golang

import (
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"golang.org/x/mod/modfile"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/qa"
)

// Bounds of what is read to find the files of Go tests.
const (
	maxGoFile  = 1 << 20
	maxGoBytes = 64 << 20
)

// goTestFunc finds the test functions of a file as gofmt writes them.
var goTestFunc = pattern.New(`(?m)^func ((?:Test|Fuzz|Example|Benchmark)\w*)\(`)

// locateGo fills in the file of every Go test that has none: go test names the
// package, and a file only where something failed. A name that several files of
// a package declare (for several systems, or in p and p_test) stays without.
func locateGo(tree *os.Root, d adapter.Detection, _ []adapter.Selected, cases []qa.Case) {
	modules := goModules(tree, d)
	packages := map[string]map[string]string{}
	left := int64(maxGoBytes)
	for i := range cases {
		c := &cases[i]
		if c.File != "" || c.Suite == "" {
			continue
		}
		files, known := packages[c.Suite]
		if !known {
			if dir, ok := packageDir(modules, c.Suite); ok {
				files = goTestFiles(tree, dir, &left)
			}
			packages[c.Suite] = files
		}
		name, _, _ := strings.Cut(c.Name, "/")
		c.File = files[name]
	}
}

// goModules are the folders of a detection's modules by module path.
func goModules(tree *os.Root, d adapter.Detection) map[string]string {
	out := map[string]string{}
	for _, pattern := range append([]string{"."}, d.Packages...) {
		dir := path.Join(d.Dir, strings.TrimSuffix(pattern, "/..."))
		if raw, ok := folder.RegularFile(tree, path.Join(dir, "go.mod")); ok {
			if module := modfile.ModulePath(raw); module != "" {
				out[module] = dir
			}
		}
	}
	return out
}

// packageDir is the folder of an import path in the module that has the longest
// part of it.
func packageDir(modules map[string]string, importPath string) (string, bool) {
	for module := importPath; module != "." && module != "/"; module = path.Dir(module) {
		if dir, ok := modules[module]; ok {
			return path.Join(dir, strings.TrimPrefix(importPath, module)), true
		}
	}
	return "", false
}

// goTestFiles maps the test functions of a package to the only file that
// declares them.
func goTestFiles(tree *os.Root, dir string, left *int64) map[string]string {
	entries, err := fs.ReadDir(tree.FS(), dir)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if !e.Type().IsRegular() || !strings.HasSuffix(name, "_test.go") || *left <= 0 {
			continue
		}
		raw, ok := folder.RegularFile(tree, name)
		*left -= int64(len(raw))
		if !ok {
			continue
		}
		for _, m := range goTestFunc.FindAllSubmatch(raw, -1) {
			test := string(m[1])
			if other, taken := out[test]; taken && other != name {
				out[test] = ""
				continue
			}
			out[test] = name
		}
	}
	return out
}
