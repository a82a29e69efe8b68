// Package lineage knows what a class has from those that it is derived from, also in other
// files: which of their methods one of its own calls or stands for, and what they declare.
// Start at [Of]. A struct of Go has the methods of what is embedded in it.
package lineage

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// mostAncestors is how many classes are looked at above one.
const mostAncestors = 12

// Source is the code of a repository.
type Source struct {
	Graph *outline.Graph
	// Read gives a file with its outline; an error is of one that cannot be read.
	Read func(file string) (qa.Outline, []byte, error)
}

// Class is one that stands in a file.
type Class struct{ Path, Name string }

// Of are the classes that the class of a method is derived from, the nearest first, as far
// as they stand in the repository; none for a function that is no method.
func Of(s Source, file, method string) []Class {
	own := owner(method)
	if own == "" {
		return nil
	}
	seen := map[Class]bool{}
	level := []Class{{file, own}}
	for _, p := range s.together(file) { // a type of Go may stand beside its methods
		if _, src, err := s.Read(p); err == nil && strings.Contains(string(src), "type "+own) {
			level = append(level, Class{p, own})
		}
	}
	var out []Class
	for len(level) > 0 && len(out) < mostAncestors {
		var next []Class
		for _, c := range level {
			for _, base := range s.above(c) {
				if !seen[base] && base.Name != own {
					seen[base] = true
					next = append(next, base)
				}
			}
		}
		out, level = append(out, next...), next
	}
	return out[:min(len(out), mostAncestors)]
}

// owner is the class of a method, without what holds that.
func owner(method string) string {
	i := strings.LastIndexByte(method, '.')
	if i < 0 {
		return ""
	}
	return method[strings.LastIndexByte(method[:i], '.')+1 : i]
}

// above are the classes that one is derived from, where they stand.
func (s Source) above(c Class) (out []Class) {
	o, src, err := s.Read(c.Path)
	if err != nil {
		return nil
	}
	view := s.Graph.View(c.Path)
	for _, base := range bases(o, src)[c.Name] {
		names := view.Known([]string{base})
		for _, p := range append([]string{c.Path}, view.Files()...) {
			other, text, err := s.Read(p)
			said := func(name string) bool { return strings.Contains(string(text), name) }
			if err != nil || !slices.ContainsFunc(slices.Collect(maps.Keys(names)), said) {
				continue // reading its classes takes longer
			}
			for name := range bases(other, text) {
				if names[name] && (p != c.Path || name == base) {
					out = append(out, Class{p, name})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Class) int { return strings.Compare(a.Path+a.Name, b.Path+b.Name) })
	return slices.Compact(out)
}

// together are the other files of a package of Go, whose types need no import.
func (s Source) together(file string) []string {
	if path.Ext(file) != ".go" {
		return nil
	}
	return each.Where(s.Graph.View(file).Files(), func(p string) bool { return path.Dir(p) == path.Dir(file) })
}

// bases are the classes of a file with what each is derived from.
func bases(o qa.Outline, src []byte) map[string][]string {
	switch o.Language {
	case "go":
		return embedded(o, src)
	case "java":
		return extended(o, src)
	}
	return o.Bases
}

// embedded are the structs of a file of Go with the types that are embedded in each.
func embedded(o qa.Outline, src []byte) map[string][]string {
	out := map[string][]string{}
	tree, err := syntax.Parse(o.Path, src)
	if err != nil {
		return out
	}
	tree.Root.Walk(func(n *syntax.Node) bool {
		if !n.Is("TypeSpec") {
			return true
		}
		name := tree.Text(n.At("name"))
		out[name] = nil
		if s := n.At("type"); s.Is("StructType") && s.At("fields") != nil {
			for _, f := range s.At("fields").All("list") {
				if len(f.All("names")) == 0 {
					out[name] = append(out[name], last(strings.TrimPrefix(tree.Text(f.At("type")), "*")))
				}
			}
		}
		return false
	})
	return out
}

// extended are the classes of a file of Java with what each extends.
func extended(o qa.Outline, src []byte) map[string][]string {
	out := map[string][]string{}
	tree, err := syntax.Parse(o.Path, src)
	if err != nil {
		return out
	}
	tree.Root.Walk(func(n *syntax.Node) bool {
		if n.Is("class_declaration") {
			name := tree.Text(n.At("name"))
			out[name] = nil
			if from := n.At("superclass"); from != nil {
				from.Walk(func(c *syntax.Node) bool {
					if c.Is("type_identifier") {
						out[name] = append(out[name], tree.Text(c))
					}
					return !c.Is("type_arguments")
				})
			}
		}
		return true
	})
	return out
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
