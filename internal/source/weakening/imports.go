package weakening

import (
	"fmt"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/source/syntax"
)

// This file has names come from where they came from on base.

// binding is a name that a file of JavaScript or Python imports.
type binding struct {
	source, text string       // where from, and the import of this name alone
	at, whole    *syntax.Node // the name where it is given, and its statement
}

// bindings are those of a side.
func (s *side) bindings() map[string]binding {
	out := map[string]binding{}
	for _, n := range s.Root.Parts() {
		source := s.Text(n.At("source"))
		if n.Is("import_from_statement") {
			source = s.Text(n.At("module_name"))
		}
		if source == "" {
			continue
		}
		add := func(k *syntax.Node, form string) {
			name := k
			for _, field := range []string{"name", "alias"} {
				if at := k.At(field); at != nil {
					name = at
				}
			}
			out[s.Text(name)] = binding{source, fmt.Sprintf(form, s.Text(k), source), name, n}
		}
		n.Walk(func(k *syntax.Node) bool {
			switch {
			case k.Field == "module_name":
				return false
			case n.Is("import_from_statement") && k.Field == "name":
				add(k, "from %[2]s import %[1]s")
				return false
			case k.Is("import_specifier"):
				add(k, "import { %s } from %s;")
				return false
			case k.Is("namespace_import") && len(k.Parts()) == 1:
				out[s.Text(k.Parts()[0])] = binding{source, fmt.Sprintf("import %s from %s;", s.Text(k), source), k.Parts()[0], n}
				return false
			case k.Is("identifier") && k.Parent.Is("import_clause"):
				add(k, "import %s from %s;")
			}
			return true
		})
	}
	return out
}

// imports puts back where names come from: those that come from elsewhere since, or that the
// file has a thing of its own for.
func (a *around) imports() {
	before, now := a.old.bindings(), a.now.bindings()
	own := map[string]piece{}
	for _, p := range a.now.cut() {
		own[p.name] = p
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		was := before[name]
		is, imported := now[name]
		if p, defined := own[name]; !imported && defined && p.at != nil {
			is = binding{at: p.at, whole: p.node}
		}
		if is.at == nil || is.source == was.source {
			continue
		}
		if a.now.Grammar == "python" { // what is said last counts
			a.edits = append(a.edits, splice{is.whole.End, is.whole.End, "\n" + was.text})
			continue
		}
		other := name + "$now"
		if spec := is.at.Parent; spec.Is("import_specifier") && spec.At("alias") == nil {
			other = name + " as " + other
		}
		a.put(is.at, other)
		a.edits = append(a.edits, splice{is.whole.Start, is.whole.Start, was.text + "\n"})
	}
}
