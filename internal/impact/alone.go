package impact

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/pattern"
)

// Alone tells of files of a checkout that lie beside the product whether only tests load them,
// and at least one does, as far as texts tell: what they have in common. One of Go whose folder
// has tests of its own is a product that others test with.
func Alone(root string) func(name string) bool {
	all := sync.OnceValue(func() []string { return slices.Collect(files(root)) })
	graph := sync.OnceValue(func() *Graph { return Imports(root, slices.Values(all()), ForTests) })
	return func(name string) bool {
		var by []string
		if path.Ext(name) == ".go" {
			by = importers(root, all(), path.Dir(name))
		} else {
			g := graph()
			for queue, seen := g.loaders[name], map[string]bool{name: true}; len(queue) > 0; queue = queue[1:] {
				if at := queue[0]; !seen[at] {
					seen[at] = true
					by = append(by, at)
					queue = append(queue, g.loaders[at]...)
				}
			}
		}
		return len(by) > 0 && !slices.ContainsFunc(by, func(at string) bool {
			return !framework.Command.IsTest(at) && !strings.HasSuffix(at, "_test.go") && !support.MatchString(at) && path.Base(at) != "conftest.py"
		})
	}
}

// support is where what helps tests lies.
var support = pattern.New(`(?i)(^|[/_.-])tests?(ing|util\w*|help\w*|support|kit)?([/_.-]|$)`)

// importers are the files of Go that import the package of a folder, none where it has tests.
func importers(root string, all []string, dir string) (by []string) {
	if slices.ContainsFunc(all, func(at string) bool { return path.Dir(at) == dir && strings.HasSuffix(at, "_test.go") }) {
		return nil
	}
	module := ""
	for up := dir; module == ""; up = path.Dir(up) {
		src, err := readPlain(root, path.Join(up, "go.mod"))
		if m := moduleLine.FindSubmatch(src); err == nil && m != nil {
			module = path.Join(string(m[1]), strings.TrimPrefix(strings.TrimPrefix(dir, up), "/"))
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

var moduleLine = pattern.New(`(?m)^module\s+"?([^\s"]+)`)
