package related

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// Bounds of the search for callers. Reading the structure of a file takes a hundred times
// as long as reading its text.
const (
	textFiles = 4000 // whose text is looked at, where those are not all
	textBytes = 16 << 20
)

// bounds are how many files have their structure read.
type bounds struct{ files, bytes int }

var narrow, wide = bounds{400, 512 << 10}, bounds{4000, 4 << 20}

// Graph is who imports and calls whom, of the source files nearest to the change.
func (c *Code) Graph() *outline.Graph { return c.graph() }

// Sources are all source files of the checkout, by path.
func Sources(c *Code) []string {
	c.graph()
	return c.files
}

// Whole reports whether the graph has all source files: of a part of them nothing says who
// else calls something.
func Whole(c *Code) bool {
	c.graph()
	return !c.cut
}

func (c *Code) build() *outline.Graph {
	files, modules := sources(c)
	c.files = files
	var outlines []qa.Outline
	bytes := 0
	for _, file := range nearest(c, files) {
		if len(outlines) >= c.bounds.files || bytes > c.bounds.bytes {
			c.cut = true // bounded on purpose
			break
		}
		src, err := c.o.Read(file)
		if err != nil {
			continue // what cannot be read has no callers
		}
		bytes += len(src)
		if o, err := c.Parse(file, src); err == nil {
			outlines = append(outlines, o)
		}
	}
	slices.SortFunc(outlines, func(a, b qa.Outline) int { return cmp.Compare(a.Path, b.Path) })
	return outline.NewGraph(outlines, modules)
}

// sources are the source files of the checkout, by path, and the modules of Go by folder.
func sources(c *Code) (files []string, modules map[string]string) {
	modules = map[string]string{}
	_ = fs.WalkDir(rooted.FS(c.o.Root), ".", func(rel string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && rel != "." || rel == c.o.Own || language.IsInstalled(d.Name()) || language.IsVendored(d.Name()) || d.Name() == "testdata"):
			return fs.SkipDir
		case !d.Type().IsRegular():
		case path.Base(rel) == "go.mod":
			if src, err := c.o.Read(rel); err == nil {
				modules[strings.TrimPrefix(path.Dir(rel), ".")] = modfile.ModulePath(src)
			}
		case syntax.Supported(rel):
			files = append(files, rel)
		}
		return nil
	})
	return files, modules
}

// nearest are source files in the order in which they are read: those of the change, those
// that name one of these, as what imports it does, and those that share folders with one.
func nearest(c *Code, files []string) []string {
	changed := each.Of(c.o.Change.Of(qa.KindSource), func(f qa.FileChange) string { return f.Path })
	if len(changed) == 0 {
		return files
	}
	points := map[string]int{}
	var names []string
	for _, source := range changed {
		names = each.Added(names, each.Where([]string{stem(source), path.Base(path.Dir(source))}, func(name string) bool { return len(name) >= shortestName })...)
		for _, file := range files {
			points[file] = max(points[file], sharedFolders(source, file))
		}
		points[source] = 1 << 20
	}
	first := func(a, b string) int { return cmp.Or(cmp.Compare(points[b], points[a]), cmp.Compare(a, b)) }
	out := slices.SortedFunc(slices.Values(files), first)
	if len(names) == 0 {
		return out
	}
	named, bytes := word(names...), 0
	for _, file := range out[:min(len(out), textFiles)] {
		src, err := c.o.Read(file)
		if bytes += len(src); bytes > textBytes {
			break
		}
		if err == nil && named.Match(src) {
			points[file] += 1 << 10
		}
	}
	slices.SortFunc(out, first)
	return out
}

// sharedFolders is how many folders two files have in common, from the top, one more where
// both are in the same.
func sharedFolders(a, b string) int {
	from, to := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	n := 0
	for n < min(len(from), len(to)) && from[n] == to[n] {
		n++
	}
	if path.Dir(a) == path.Dir(b) {
		n++
	}
	return n
}
