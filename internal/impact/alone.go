package impact

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
)

// Alone tells of files of a checkout that lie beside the product whether only tests load them,
// and at least one does, as far as texts tell: what they have in common. One of Go whose folder
// has tests of its own is a product that others test with. since reports that a file loads
// another one only since the change, which makes no helper a product.
func Alone(root string, since func(loader, name string) bool) func(name string) bool {
	all := sync.OnceValue(func() []string { return slices.Collect(files(root)) })
	graph := sync.OnceValue(func() *Graph { return Imports(root, slices.Values(all()), ForTests) })
	return func(name string) bool {
		loaders := func(of string) []string { return graph().loaders[of] }
		if path.Ext(name) == ".go" {
			loaders = func(of string) []string {
				if of != name { // what imports an importer is seen by the compiler alone
					return nil
				}
				return importers(root, all(), path.Dir(name))
			}
		}
		var by []string
		for queue, seen := []string{name}, map[string]bool{name: true}; len(queue) > 0; queue = queue[1:] {
			for _, at := range loaders(queue[0]) {
				if !seen[at] && !since(at, queue[0]) {
					seen[at] = true
					by, queue = append(by, at), append(queue, at)
				}
			}
		}
		return len(by) > 0 && !slices.ContainsFunc(by, func(at string) bool {
			return !framework.Command.IsTest(at) && !strings.HasSuffix(at, "_test.go") && !change.NamedForTests(at) && path.Base(at) != "conftest.py"
		})
	}
}

// importers are the files of Go that import the package of a folder, none where it has tests.
func importers(root string, all []string, dir string) (by []string) {
	if slices.ContainsFunc(all, func(at string) bool { return path.Dir(at) == dir && strings.HasSuffix(at, "_test.go") }) {
		return nil
	}
	module := ""
	for up := dir; module == ""; up = path.Dir(up) {
		src, err := readPlain(root, path.Join(up, "go.mod"))
		if named := modfile.ModulePath(src); err == nil && named != "" {
			module = path.Join(named, strings.TrimPrefix(strings.TrimPrefix(dir, up), "/"))
		} else if up == "." {
			return nil
		}
	}
	imports := regexp.MustCompile(`(?m)^\s*(?:import\s+)?(?:[\w.]+\s+)?"` + regexp.QuoteMeta(module) + `"`)
	return each.Where(all, func(at string) bool {
		if path.Ext(at) != ".go" {
			return false
		}
		src, err := readPlain(root, at)
		return err == nil && imports.Match(src)
	})
}
