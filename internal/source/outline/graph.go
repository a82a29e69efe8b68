package outline

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// Graph says which files of a repository import which.
type Graph struct {
	outlines map[string]qa.Outline
	resolver *resolver
	imports  map[string][]string // file to the files it imports, sorted
	importer map[string][]string // file to the files that import it, sorted
	owners   map[string][]string // method to the types that have one of that name
	bases    map[string][]string // class to what it is derived from
}

// NewGraph joins the outlines of a repository's files. goModules maps the
// directory of each go.mod ("" for the root) to its module path.
func NewGraph(outlines []qa.Outline, goModules map[string]string) *Graph {
	g := &Graph{outlines: map[string]qa.Outline{}, imports: map[string][]string{}, importer: map[string][]string{}, owners: map[string][]string{}, bases: map[string][]string{}}
	for _, o := range outlines {
		g.outlines[o.Path] = o
		g.own(o)
	}
	r := newResolver(outlines, goModules)
	g.resolver = r
	for _, o := range outlines {
		var to []string
		for _, im := range o.Imports {
			to = append(to, r.resolve(o, im)...)
		}
		if o.Language == "go" || o.Language == "java" {
			to = append(to, r.samePackage(o)...)
		}
		slices.Sort(to)
		to = slices.DeleteFunc(slices.Compact(to), func(p string) bool { return p == o.Path })
		g.imports[o.Path] = to
		for _, p := range to {
			g.importer[p] = append(g.importer[p], o.Path)
		}
	}
	for _, from := range g.importer {
		slices.Sort(from)
	}
	return g
}

// FanIn is the number of files that import a file directly.
func (g *Graph) FanIn(file string) int { return len(g.importer[file]) }

// Importers are the files that import a file directly, sorted.
func (g *Graph) Importers(file string) []string { return g.importer[file] }

// Dependents lists the files that import a file, directly or through others,
// sorted.
func (g *Graph) Dependents(file string) []string {
	seen := map[string]bool{file: true}
	var out []string
	for queue := []string{file}; len(queue) > 0; queue = queue[1:] {
		for _, from := range g.importer[queue[0]] {
			if !seen[from] {
				seen[from] = true
				queue = append(queue, from)
				out = append(out, from)
			}
		}
	}
	slices.Sort(out)
	return out
}

// Caller is a function and its file: one that calls another or is called.
type Caller struct {
	Path     string      `json:"path"`
	Function qa.Function `json:"function"`
	// Guess says that several types have a method of the name that is called, and nothing
	// tells that it is this one's.
	Guess bool `json:"-"`
}

// Callers lists the functions that seem to call the function called name of a
// file, those of which it is sure first, by path and line: calls in the same file (for Go: package) by its name,
// and calls in files that import it by the name they give it. Methods are
// matched by their last name in files that import theirs, but for what surely is
// of another type; else that is a guess, which is not made for names that every object has.
func (g *Graph) Callers(file, name string) []Caller {
	target, ok := g.outlines[file]
	if !ok {
		return nil
	}
	files := append([]string{file}, g.importer[file]...)
	files = append(files, g.throughIndex(file)...)
	files = append(files, g.resolver.dirs[path.Dir(file)]...) // Go and Java only
	slices.Sort(files)
	called := CalledAs(name)
	method := strings.Contains(called, ".") && !ambient(last(called))
	var fitting, out []Caller
	for _, p := range slices.Compact(files) {
		o := g.outlines[p]
		wanted := View{g, o}.names(target, called)
		for _, f := range o.Functions {
			if p == file && f.Name == name {
				continue
			}
			best := -1
			for _, call := range f.Calls {
				if wanted[call] || method && strings.HasSuffix(call, "."+last(called)) {
					best = max(best, int(g.fits(target, called, use{o, f, call})))
				}
			}
			switch fit(best) {
			case sure:
				fitting = append(fitting, Caller{Path: p, Function: f})
			case possible:
				out = append(out, Caller{p, f, method && len(g.owners[last(called)]) > 1})
			}
		}
	}
	return append(fitting, out...)
}

// CalledAs is the name by which a function is called: a constructor by that of its
// class.
func CalledAs(name string) string {
	own := last(name)
	if own != name && slices.Contains([]string{"__init__", "__new__", "__post_init__", "constructor"}, own) {
		return strings.TrimSuffix(name, "."+own)
	}
	return name
}

// ambient reports whether objects of all kinds have a method of that name: a call of it
// tells nothing about whose it is.
func ambient(method string) bool {
	return strings.HasPrefix(method, "__") && strings.HasSuffix(method, "__") ||
		slices.Contains([]string{"toString", "toJSON", "valueOf", "equals", "hashCode", "compareTo", "String", "Error"}, method)
}

// Callees lists the functions of the repository that a function of a file seems
// to call, of its own file first, then of those whose names it may use; with what the file
// was before, also those that it called then.
func (g *Graph) Callees(file, name string, was ...qa.Outline) []Caller {
	views := append([]View{g.View(file)}, each.Of(was, func(o qa.Outline) View { return View{g, o} })...)
	files := []string{file}
	for _, v := range views {
		files = each.Added(files, v.Files()...)
	}
	callers := each.Of(views, func(v View) []qa.Function { return v.named(name) }) // once: a file may have hundreds of functions
	var out []Caller
	for _, p := range files {
		target := g.outlines[p]
		for _, f := range target.Functions {
			if p == file && f.Name == name || f.Test {
				continue
			}
			for i, v := range views {
				if v.calls(callers[i], target, f.Name) {
					out = append(out, Caller{Path: p, Function: f})
					break
				}
			}
		}
	}
	return out
}

// Files lists the files of the graph, sorted.
func (g *Graph) Files() []string { return slices.Sorted(maps.Keys(g.outlines)) }

// Find lists the functions of a name, qualified or not, by path and line.
func (g *Graph) Find(name string) []Caller {
	var out []Caller
	for _, p := range g.Files() {
		for _, f := range g.outlines[p].Functions {
			if f.Name == name || last(f.Name) == name {
				out = append(out, Caller{Path: p, Function: f})
			}
		}
	}
	return out
}

// leads reports whether an import of o gives names of the file, itself or
// through one that hands them on.
func (g *Graph) leads(o qa.Outline, im qa.Import, file string) bool {
	for _, p := range g.resolver.resolve(o, im) {
		if p == file || slices.Contains(g.handsOn(p), file) {
			return true
		}
	}
	return false
}

// handsOn lists what an index file exports from elsewhere: imports that bind
// no name here.
func (g *Graph) handsOn(file string) []string {
	o := g.outlines[file]
	var out []string
	for _, im := range o.Imports {
		if len(im.Names) == 0 || path.Base(file) == "__init__.py" {
			out = append(out, g.resolver.resolve(o, im)...)
		}
	}
	return out
}

// handed are the files whose names an import of a file has that hands them on. One that
// says which names it hands on does so for these alone.
func handed(g *Graph, file string, im qa.Import) (out []string) {
	through := g.handsOn(file)
	for _, on := range g.outlines[file].Imports {
		asked := len(on.Names) == 0 || slices.ContainsFunc(on.Names, func(n string) bool { return n == "*" || slices.Contains(im.From, n) || slices.Contains(im.From, "*") })
		for _, p := range g.resolver.resolve(g.outlines[file], on) {
			if asked && slices.Contains(through, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// throughIndex lists the importers of files that hand on what a file exports.
func (g *Graph) throughIndex(file string) []string {
	var out []string
	for _, p := range g.importer[file] {
		if slices.Contains(g.handsOn(p), file) {
			out = append(out, g.importer[p]...)
		}
	}
	return out
}

func last(name string) string { return name[strings.LastIndex(name, ".")+1:] }
