package outline

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// View is what a file sees of the others.
type View struct {
	graph *Graph
	of    qa.Outline
}

// View is that of a file of the graph.
func (g *Graph) View(file string) View { return View{g, g.outlines[file]} }

// Files are those whose names the file may use: those that it imports, those whose names
// these hand on to it and, in Go and Java, those of its folder.
func (v View) Files() []string {
	out := slices.Clone(v.graph.resolver.dirs[path.Dir(v.of.Path)])
	for _, im := range v.of.Imports {
		for _, p := range v.graph.resolver.resolve(v.of, im) {
			out = append(append(out, p), handed(v.graph, p, im)...)
		}
	}
	return slices.DeleteFunc(each.Sorted(out), func(f string) bool { return f == v.of.Path })
}

// Functions are those of the file, by line.
func (v View) Functions() []qa.Function { return v.of.Functions }

// Names is how what another file declares is named in the file, sorted.
func (v View) Names(file, name string) []string {
	return slices.Sorted(maps.Keys(v.names(v.graph.outlines[file], name)))
}

// Known are the names by which other files may declare what the file calls by some.
func (v View) Known(local []string) map[string]bool {
	out := each.Set(local)
	for _, im := range v.of.Imports {
		for i, name := range im.Names {
			if out[name] && i < len(im.From) {
				out[im.From[i]] = true
			}
		}
	}
	return out
}

// named are the functions of the file with a name that call something.
func (v View) named(name string) []qa.Function {
	return each.Where(v.of.Functions, func(f qa.Function) bool { return f.Name == name && len(f.Calls) > 0 })
}

// calls reports whether one of the functions of the file seems to call one of another: by a
// name that the file has for it, a constructor by that of its class, or a method of what is
// surely an object of its type.
func (v View) calls(callers []qa.Function, target qa.Outline, callee string) bool {
	if len(callers) == 0 {
		return false
	}
	called := CalledAs(callee)
	wanted, method := v.names(target, called), strings.Contains(called, ".") && !ambient(last(called))
	return slices.ContainsFunc(callers, func(f qa.Function) bool {
		return slices.ContainsFunc(f.Calls, func(call string) bool {
			least := possible
			if !wanted[call] {
				least = sure
				if !method || !strings.HasSuffix(call, "."+last(called)) {
					return false
				}
			}
			return v.graph.fits(target, called, use{v.of, f, call}) >= least
		})
	})
}

// names is how what target declares may be named in the file.
func (v View) names(target qa.Outline, name string) map[string]bool {
	o := v.of
	own := last(name)
	out := map[string]bool{}
	if target.Path == o.Path || target.Language == "go" && path.Dir(target.Path) == path.Dir(o.Path) {
		out[name], out[own], out["this."+own], out["self."+own] = true, true, true, true
	} else if target.Language == "java" && path.Dir(target.Path) == path.Dir(o.Path) {
		out[name] = true
	}
	for _, im := range o.Imports {
		if !v.graph.leads(o, im, target.Path) {
			continue
		}
		for i, local := range im.Names {
			switch from := im.From[i]; {
			case from == "*":
				out[local+"."+name], out[im.Path+"."+name] = true, true
				if part, whole := strings.CutPrefix(name, target.Whole); whole && target.Whole != "" && (part == "" || part[0] == '.') {
					out[local+part] = true
				}
			case from == name || from == "default":
				out[local] = true
			default: // a module imported by name: from pkg import mod; mod.f()
				out[local+"."+name] = true
			}
		}
	}
	return out
}
