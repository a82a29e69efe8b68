package related

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

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
	above, names := folders{}, map[string]bool{}
	for _, source := range changed {
		above.add(source)
		for _, name := range []string{stem(source), path.Base(path.Dir(source))} {
			names[name] = len(name) >= shortestName
		}
	}
	points := map[string]int{}
	for _, file := range files {
		points[file] = above.shared(file)
	}
	for _, source := range changed {
		points[source] = 1 << 20
	}
	first := func(a, b string) int { return cmp.Or(cmp.Compare(points[b], points[a]), cmp.Compare(a, b)) }
	out := slices.SortedFunc(slices.Values(files), first)
	bytes := 0
	for _, file := range out[:min(len(out), textFiles)] {
		src, err := c.o.Read(file)
		if bytes += len(src); bytes > textBytes {
			break
		}
		if err == nil && mentions(string(src), names) {
			points[file] += 1 << 10
		}
	}
	slices.SortFunc(out, first)
	return out
}

// mentions reports whether one of some names is a word of a text; hyphens are parts of
// words, as in names of files.
func mentions(text string, names map[string]bool) bool {
	part := func(r rune) bool {
		return r == '_' || r == '-' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	begin := -1
	for i, r := range text {
		switch inside := part(r); {
		case inside && begin < 0:
			begin = i
		case !inside && begin >= 0:
			if names[text[begin:i]] {
				return true
			}
			begin = -1
		}
	}
	return begin >= 0 && names[text[begin:]]
}

// folders are those that files lie in, with all above them; true are those that one lies
// in itself.
type folders map[string]bool

func (f folders) add(file string) {
	dir := path.Dir(file)
	f[dir] = true
	for dir != "." && dir != "/" {
		dir = path.Dir(dir)
		if !f[dir] {
			f[dir] = false
		}
	}
}

// shared is how many folders a file has in common with one of those, from the top, one more
// where both lie in the same.
func (f folders) shared(file string) int {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if own, known := f[dir]; known {
			n := 0
			if dir != "." {
				n = strings.Count(dir, "/") + 1
			}
			if own && dir == path.Dir(file) {
				n++
			}
			return n
		}
		if dir == "." || dir == "/" {
			return 0
		}
	}
}
