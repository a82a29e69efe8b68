package impact

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/source/loads"
)

// ForTests reports whether a file may be there for tests.
func ForTests(name string) bool { return framework.Command.IsTest(name) || helper.MatchString(name) }

var helper = pattern.New(`(?i)test|spec|mock|fixture|helper|stub`)

// Reached are those of some test files that load what changed, as far as texts tell, or
// of which texts do not tell what they load. What says how tests run reaches all.
func Reached(root string, changed []qa.FileChange, tests []string) []string {
	if len(tests) == 0 {
		return nil
	}
	g := Imports(root, files(root), ForTests)
	var from []string
	for _, f := range changed {
		if f.Kind == qa.KindDocs {
			continue
		}
		if Steering(f.Path) || g.why != "" {
			return tests
		}
		from = append(from, f.Path, f.BasePath())
	}
	above := g.above(from...)
	for name := range above {
		if g.before[name] || Steering(name) {
			return tests
		}
	}
	code := false
	for _, f := range changed {
		code = code || f.Kind == qa.KindSource || f.Kind == qa.KindTest
	}
	var doubtful []string
	for name := range g.doubts {
		doubtful = append(doubtful, name)
	}
	doubted := g.above(doubtful...)
	var out []string
	for _, t := range tests {
		if above[t] || code && doubted[t] {
			out = append(out, t)
		}
	}
	return out
}

// Early are the files of a checkout that configuration has loaded before the tests, or loads
// itself, or that the words which start a runner do, as far as texts tell. First tells those
// of the latter that no test loads itself; what a configuration names may be the product,
// under a name that tests load it by. Tested tells what tests load, however far down. Told are
// the files those words name, by the folder of the target.
func Early(root string, told map[string][]string, tests []string) (early map[string]bool, first, tested func(name string) bool) {
	all := slices.Collect(files(root))
	read := func(name string) []byte {
		src, err := readPlain(root, name)
		if err != nil {
			return nil
		}
		return src
	}
	g := &Graph{before: map[string]bool{}, files: each.Set(all), tree: loads.New(all, read), read: read}
	for dir, words := range told {
		g.told(words, dir, nil)
	}
	start := maps.Clone(g.before)
	g.below(slices.Collect(maps.Keys(g.before)), start)
	var queue []string
	for _, name := range all {
		if Steering(name) {
			g.early(name)
			queue = append(queue, name)
		}
	}
	g.below(slices.AppendSeq(queue, maps.Keys(g.before)), g.before)
	below := sync.OnceValue(func() map[string]bool {
		into := map[string]bool{}
		g.below(tests, into)
		return into
	})
	tested = func(name string) bool { return below()[name] }
	return g.before, func(name string) bool { return start[name] && !tested(name) }, tested
}

// below enters what some files load, however far down.
func (g *Graph) below(queue []string, into map[string]bool) {
	for seen := map[string]bool{}; len(queue) > 0; queue = queue[1:] {
		if name := queue[0]; !seen[name] && loads.Readable(name) {
			seen[name] = true
			l, _ := g.tree.Of(name, g.read(name), true)
			for _, file := range l.Files {
				into[file] = true
				queue = append(queue, file)
			}
		}
	}
}

// files are those of a checkout, but what was built or installed.
func files(root string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		_ = fs.WalkDir(rooted.FS(root), ".", func(name string, e fs.DirEntry, err error) error {
			switch base := path.Base(name); {
			case err != nil:
				return nil //nolint:nilerr // what cannot be looked at loads nothing that we know of
			case e.IsDir() && name != "." && (base == ".git" || language.IsBuilt(base) || language.IsInstalled(base)):
				return fs.SkipDir
			case e.Type().IsRegular() && !strings.HasPrefix(name, "../") && !yield(name):
				return fs.SkipAll
			}
			return nil
		})
	}
}
