package impact

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/source/loads"
)

// Bounds of what is read; beyond them everything runs.
const (
	maxFiles = 40_000
	maxFile  = 2 << 20
	maxBytes = 256 << 20
)

// Graph is which files of a repository load which.
type Graph struct {
	loaders map[string][]string // file to those that load it
	doubts  map[string]string   // files that may load more than is known
	before  map[string]bool     // what is loaded before any test
	known   map[string]bool
	files   map[string]bool // all but those of what is built or installed
	why     string          // it is not whole
	tree    *loads.Tree
	read    func(name string) []byte
}

// Imports reads the graph of a checkout. tracked are the files that git knows: what a
// build made is none of them. isTest says of a file whether it is there for tests.
func Imports(root string, tracked iter.Seq[string], isTest func(name string) bool) *Graph {
	g := &Graph{loaders: map[string][]string{}, doubts: map[string]string{}, before: map[string]bool{}, known: map[string]bool{}, files: map[string]bool{}}
	var files []string
	for name := range tracked {
		if !slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool { return language.IsBuilt(dir) || language.IsInstalled(dir) }) {
			files, g.files[name] = append(files, name), true
		}
		if len(files) > maxFiles {
			g.why = fmt.Sprintf("the repository has more than %d files", maxFiles)
			return g
		}
	}
	left := int64(maxBytes)
	read := func(name string) []byte {
		src, err := readPlain(root, name)
		if left -= int64(len(src)); err != nil || left < 0 {
			return nil
		}
		return src
	}
	tree := loads.New(files, read)
	g.tree, g.read = tree, read
	for _, name := range files {
		if Steering(name) {
			g.early(name)
		}
		if !loads.Readable(name) {
			continue
		}
		src := read(name)
		l, _ := tree.Of(name, src, isTest(name))
		g.known[name] = true
		if src == nil {
			l.Doubt = "could not be read, or is a link"
		}
		if l.Doubt != "" {
			g.doubts[name] = l.Doubt
		}
		for _, file := range l.Files {
			g.loaders[file] = append(g.loaders[file], name)
		}
	}
	for name := range g.loaders { // of which nobody knows what they load in turn
		if !g.known[name] && !data[strings.ToLower(path.Ext(name))] {
			g.doubts[name] = "is of a kind that is not read"
		}
	}
	if left < 0 {
		g.why = fmt.Sprintf("the repository's code is more than %d MB", maxBytes>>20)
	}
	return g
}

// early notes what a configuration has loaded before any test, also by what it loads for
// itself.
func (g *Graph) early(configuration string) {
	queue := g.tree.Named(configuration, g.read(configuration))
	for ; len(queue) > 0; queue = queue[1:] {
		if name := queue[0]; !g.before[name] {
			g.before[name] = true
			if isScript(name) || path.Ext(name) == ".json" {
				queue = append(queue, g.tree.Quoted(name, g.read(name), path.Dir(configuration))...)
			}
		}
	}
}

// told notes the files that the words which start the runner name, be they to be loaded
// or its configuration, and what those have loaded in turn. Test files are neither.
func (g *Graph) told(words []string, dir string, is map[string]bool) {
	for _, word := range words {
		for _, part := range strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune("= \t,'\"", r) }) {
			if name := path.Join(dir, part); g.files[name] && !is[name] {
				g.before[name] = true
				g.early(name)
			}
		}
	}
}

// Known are the files of a checkout with those that the change removed: who loads one of
// them is found as if it were there.
func (c Change) Known(tracked iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range tracked {
			if !yield(name) {
				return
			}
		}
		for _, f := range c.Files {
			if f.Status == qa.Deleted && !yield(f.Path) {
				return
			}
		}
	}
}

// data are the extensions of files that load nothing.
var data = func() map[string]bool {
	out := map[string]bool{}
	for _, ext := range strings.Fields(".json .css .txt .html .svg .png .jpg .gif .ico .yaml .yml .toml .csv .xml .md .snap") {
		out[ext] = true
	}
	return out
}()

// readPlain reads a file that is no link: what a link leads to has another name, too.
func readPlain(root, name string) ([]byte, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	info, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file of its own", name)
	}
	return rooted.ReadIn(root, name, maxFile)
}

// above are the files that load one of these, directly or through others, and they
// themselves.
func (g *Graph) above(files ...string) map[string]bool {
	seen := map[string]bool{}
	for queue := files; len(queue) > 0; queue = queue[1:] {
		if seen[queue[0]] {
			continue
		}
		seen[queue[0]] = true
		queue = append(queue, g.loaders[queue[0]]...)
	}
	return seen
}

// Select is what of the test files has to run for a change.
func (g *Graph) Select(c Change, units []string) Selection {
	rest, reached := c.executed(units)
	files, all := rest.plain(func(name string) bool {
		return loads.Readable(name) || len(g.loaders[name]) > 0 || snapshotOf(name) != ""
	})
	if all == "" {
		all = g.why
	}
	is := map[string]bool{}
	for _, u := range units {
		is[u] = true
	}
	g.told(c.Told, c.Dir, is)
	for _, f := range files {
		if all != "" {
			break
		}
		if unit := snapshotOf(f.Path); unit != "" {
			reached.units[unit] = true
			continue
		}
		above, found := g.above(f.Path), false
		for name := range above {
			if g.before[name] || Steering(name) {
				all = f.Path + " is loaded before the tests"
			}
			if is[name] {
				reached.units[name], found = true, true
			}
		}
		if all == "" && !found && f.Status != qa.Deleted && !c.apart(f) {
			all = none(f.Path)
		}
	}
	if all != "" {
		return Selection{All: all}
	}
	var doubtful []string
	for name := range g.doubts {
		doubtful = append(doubtful, name)
	}
	doubted := g.above(doubtful...)
	for _, name := range slices.Sorted(maps.Keys(g.before)) {
		if doubted[name] && len(files) > 0 {
			return Selection{All: name + " is loaded before the tests, and may load more than can be told"}
		}
	}
	for _, u := range units {
		if !g.known[u] {
			doubted[u] = true
		}
	}
	return c.chosen(choose(units, reached, doubted))
}

// snapshotOf is the test file whose snapshots a file holds; empty for any other.
func snapshotOf(name string) string {
	dir, base := path.Split(name)
	test, ok := strings.CutSuffix(base, ".snap")
	if !ok || path.Base(dir) != "__snapshots__" {
		return ""
	}
	return path.Join(path.Dir(path.Clean(dir)), test)
}
