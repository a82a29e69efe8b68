package lineage

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
)

// Methods are those of the classes above a method's own that it stands for, or that it
// calls on its own object: of each name that of the nearest class. Callers are the
// method as it is and as it was.
func Methods(s Source, all []Class, file, method string, callers []qa.Function) []outline.Caller {
	names := []string{last(method)}
	above := map[string]bool{last(method): true}
	for _, f := range callers {
		for _, call := range f.Calls {
			if name, super := called(f, call, Class{file, owner(method)}); name != "" {
				names = each.Added(names, name)
				above[name] = above[name] || super
			}
		}
	}
	var out []outline.Caller
	for _, name := range names {
		if !above[name] && s.has(Class{file, owner(method)}, name) != nil {
			continue // it has its own
		}
		for _, c := range all {
			if at := s.has(c, name); at != nil {
				out = append(out, *at)
				break
			}
		}
	}
	return out
}

// called is the method that a call is of, where it is made on the object whose method
// calls; super says that it passes that one's own by.
func called(f qa.Function, call string, in Class) (name string, super bool) {
	if call == "super" {
		return "constructor", true
	}
	on, name, ok := strings.Cut(call, ".")
	switch {
	case !ok && path.Ext(in.Path) == ".java":
		return call, false
	case !ok || strings.Contains(name, "."):
		return "", false
	}
	switch on {
	case "super":
		return name, true
	case "self", "this", "cls":
		return name, false
	}
	if kind, known := f.Types[on]; known && last(kind.Type) == in.Name && !strings.HasSuffix(kind.Type, ")") {
		return name, false
	}
	return "", false
}

// has is a method of a class, nil where it has none of that name.
func (s Source) has(c Class, name string) *outline.Caller {
	for _, p := range append([]string{c.Path}, s.together(c.Path)...) {
		o, _, err := s.Read(p)
		if err != nil {
			continue
		}
		i := slices.IndexFunc(o.Functions, func(f qa.Function) bool {
			return !f.Test && last(f.Name) == name && owner(f.Name) == c.Name
		})
		if i >= 0 {
			return &outline.Caller{Path: p, Function: o.Functions[i]}
		}
	}
	return nil
}
