package outline

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// fit is whether a call by a method's name is one of that method.
type fit int

const (
	other    fit = -1 // surely of something else
	possible fit = 0
	sure     fit = 1
)

// use is a call as a function of a file writes it.
type use struct {
	qa.Outline
	by   qa.Function
	call string
}

// own keeps which types of a file have which methods, and what classes are derived from.
func (g *Graph) own(o qa.Outline) {
	for _, f := range o.Functions {
		if i := strings.LastIndexByte(f.Name, '.'); i > 0 && !f.Test {
			g.owners[f.Name[i+1:]] = append(g.owners[f.Name[i+1:]], f.Name[:i])
		}
	}
	for class, from := range o.Bases {
		g.bases[class] = append(g.bases[class], from...)
	}
}

// builtin are classes of the language whose objects are nobody else's.
var builtin = strings.Fields("Map Set WeakMap WeakSet Date RegExp URL URLSearchParams AbortController TextEncoder TextDecoder Headers Array Promise")

// fits says of a call by the name of a method whether it is one of it, by what is known
// of the type of what it is called on. What cannot be told is possible.
func (g *Graph) fits(target qa.Outline, method string, u use) fit {
	i := strings.LastIndexByte(method, '.')
	if i < 0 || !slices.Contains([]string{"go", "python", "javascript", "typescript"}, u.Language) {
		return possible
	}
	owner := last(method[:i])
	on, isMethod := strings.CutSuffix(u.call, "."+method[i+1:])
	switch {
	case u.call == method[i+1:]:
		return plain(target, method[:i], u)
	case !isMethod || on == "":
		return possible
	}
	if on == owner {
		return sure
	}
	if class, _, inClass := strings.Cut(u.by.Name, "."); on == "super" && inClass && !g.derived(class, owner) {
		return other
	}
	kind, known := g.typeOf(u, on)
	if !known {
		return g.named(target, method, u, on)
	}
	name := last(kind.Type)
	switch {
	case kind.Type == "":
		return possible
	case name == owner:
		if g.foreign(target, u.Outline, kind.Type) {
			return other
		}
		return sure
	case u.Language != "go" && (g.derived(owner, name) || g.derived(name, owner)):
		if g.derived(name, owner) && g.has(name, method[i+1:]) {
			return other // it has its own
		}
		return possible
	case g.has(name, method[i+1:]) || g.inherits(name, method[i+1:]):
		return other
	case kind.Exact && (g.outside(u.Outline, kind.Type) || u.Language != "go" && slices.Contains(builtin, name) && !g.declares(name)):
		return other
	}
	return possible
}

// plain judges a call of a name alone: an inner function is called within the one around
// it, a method of Go or Python always on something.
func plain(target qa.Outline, owner string, u use) fit {
	around := slices.IndexFunc(target.Functions, func(f qa.Function) bool { return f.Name == owner })
	switch {
	case around >= 0:
		outer := target.Functions[around].Lines
		if u.Path != target.Path || u.by.Lines.Start < outer.Start || u.by.Lines.End > outer.End {
			return other
		}
	case u.Language == "go" || u.Language == "python":
		return other
	}
	return possible
}

// typeOf is the type of what a call is made on, as far as the function, its file and its
// package tell.
func (g *Graph) typeOf(u use, on string) (kind qa.Bound, known bool) {
	first, field, deep := strings.Cut(on, ".")
	switch {
	case (first == "self" || first == "this") && u.Language != "go":
		class, _, inClass := strings.Cut(u.by.Name, ".")
		if !inClass {
			return kind, false
		}
		kind, known = qa.Bound{Type: class}, true
	default:
		if kind, known = u.by.Types[first]; !known {
			if slices.Contains(u.by.Params, first) {
				return kind, true
			}
			if kind, known = g.outer(u.Outline, first); !known {
				return kind, false
			}
		}
	}
	if function, ok := strings.CutSuffix(kind.Type, given); ok && function != "" {
		kind = g.given(u.Outline, function)
	}
	if !deep {
		return kind, known
	}
	kind, _ = g.outer(u.Outline, last(kind.Type)+"."+field)
	return kind, true
}

// outer is the type of what stands outside of functions: a variable, or a field.
func (g *Graph) outer(o qa.Outline, name string) (kind qa.Bound, known bool) {
	for _, p := range g.together(o) {
		if kind, known = g.outlines[p].Types[name]; known {
			break
		}
	}
	return kind, known
}

// together are the files whose names an outline's file may use as they are.
func (g *Graph) together(o qa.Outline) []string {
	if o.Language == "go" {
		return append([]string{o.Path}, g.resolver.dirs[path.Dir(o.Path)]...)
	}
	return []string{o.Path}
}

// given is what a function of Go gives, by its declaration in its package or an imported
// one. Its type is told as the calling file would.
func (g *Graph) given(o qa.Outline, function string) qa.Bound {
	pkg, name, qualified := strings.Cut(function, ".")
	if !qualified {
		return g.result(g.together(o), function)
	}
	for _, im := range o.Imports {
		if slices.Contains(im.Names, pkg) {
			if kind := g.result(g.resolver.resolve(o, im), name); kind.Type != "" && !strings.Contains(kind.Type, ".") {
				return qa.Bound{Type: pkg + "." + kind.Type, Exact: kind.Exact}
			}
		}
	}
	return qa.Bound{}
}

func (g *Graph) result(files []string, function string) qa.Bound {
	for _, p := range files {
		for _, f := range g.outlines[p].Functions {
			if f.Name == function {
				return f.Types[given]
			}
		}
	}
	return qa.Bound{}
}

// named judges a call on a name that is no variable: a module, or a class.
func (g *Graph) named(target qa.Outline, method string, u use, on string) fit {
	module, _, deeper := strings.Cut(on, ".")
	for _, im := range u.Imports {
		i := slices.Index(im.Names, module)
		if i < 0 || im.From[i] != "*" || im.Names[i] == "*" {
			continue
		}
		if u.Language == "go" && !deeper || u.Language != "go" && !g.leads(u.Outline, im, target.Path) && len(g.resolver.resolve(u.Outline, im)) == 0 && !strings.HasPrefix(im.Path, ".") {
			return other
		}
	}
	own := last(method)
	if _, class := g.bases[on]; class && g.has(on, own) && !g.derived(on, method[:strings.LastIndexByte(method, '.')]) {
		return other
	}
	return possible
}

// foreign reports whether a type of the owner's name is that of another package of Go.
func (g *Graph) foreign(target, o qa.Outline, kind string) bool {
	if o.Language != "go" {
		return false
	}
	pkg, _, qualified := strings.Cut(kind, ".")
	if !qualified {
		return path.Dir(o.Path) != path.Dir(target.Path)
	}
	return !slices.ContainsFunc(o.Imports, func(im qa.Import) bool { return slices.Contains(im.Names, pkg) && g.leads(o, im, target.Path) })
}

// outside reports whether a type is imported from what is not in the repository.
func (g *Graph) outside(o qa.Outline, kind string) bool {
	first, _, _ := strings.Cut(kind, ".")
	return slices.ContainsFunc(o.Imports, func(im qa.Import) bool {
		return slices.Contains(im.Names, first) && !strings.HasPrefix(im.Path, ".") && len(g.resolver.resolve(o, im)) == 0
	})
}

func (g *Graph) has(class, method string) bool { return slices.Contains(g.owners[method], class) }

// declares reports whether a file of the repository declares a class.
func (g *Graph) declares(class string) bool {
	_, ok := g.bases[class]
	return ok
}

// inherits reports whether a class has a method of a class that it is derived from.
func (g *Graph) inherits(class, method string) bool {
	return slices.ContainsFunc(g.owners[method], func(owner string) bool { return g.derived(class, owner) })
}

// derived reports whether a class is derived from another one, directly or not.
func (g *Graph) derived(class, from string) bool {
	seen := map[string]bool{class: true}
	for queue := []string{class}; len(queue) > 0; queue = queue[1:] {
		for _, b := range g.bases[queue[0]] {
			if b == from {
				return true
			}
			if !seen[b] {
				seen[b] = true
				queue = append(queue, b)
			}
		}
	}
	return false
}
