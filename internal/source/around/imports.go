package around

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
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
		switch {
		case is.at == nil:
			a.spare[name] = was.text
			continue
		case is.source == was.source:
			continue
		}
		if a.now.Grammar == "python" { // what is said last counts
			a.insert(is.whole.End, "\n"+was.text)
			continue
		}
		a.hide(is, name)
		a.insert(is.whole.Start, was.text+"\n")
	}
}

// lacking adds the imports that the file has no more and what is put back needs.
func (a *around) lacking() {
	at := 0
	if bytes.HasPrefix(a.now.Src, []byte("#!")) {
		at = a.now.LineEnd(0)
	}
	for _, n := range a.now.Root.Parts() {
		if n.Is("future_import_statement") {
			at = n.End
		}
	}
	var back strings.Builder
	for _, e := range a.edits {
		back.WriteString(e.text + "\n")
	}
	said, needed := each.Set(word.FindAllString(back.String(), -1)), map[string]bool{}
	for name, text := range a.spare {
		needed[text] = needed[text] || said[name]
	}
	for _, text := range slices.Sorted(maps.Keys(needed)) {
		if needed[text] {
			a.insert(at, "\n"+text+"\n")
		}
	}
}

// hide gives a name of JavaScript that the file has now to nobody.
func (a *around) hide(is binding, name string) {
	if a.now.Grammar == "python" {
		return
	}
	other := name + "$now"
	if spec := is.at.Parent; spec.Is("import_specifier") && spec.At("alias") == nil {
		other = name + " as " + other
	}
	a.put(is.at, other)
}

// fitting is a file of Go whose imports are those that it needs, as far as base's has them: one
// that is left over, or lacks, keeps it from being built.
func fitting(file string, text []byte, old *side) []byte {
	t, err := syntax.ParseWhole(file, text)
	if err != nil {
		return text
	}
	used := map[string]bool{}
	t.Root.Walk(func(n *syntax.Node) bool {
		if n.Is("SelectorExpr") {
			used[t.Text(n.At("x"))] = true
		}
		return true
	})
	name := func(t *syntax.Tree, n *syntax.Node) string {
		from := versioned.ReplaceAllString(strings.Trim(t.Text(n.At("path")), `"`), "")
		return cmp.Or(t.Text(n.At("name")), path.Base(from))
	}
	specs := func(t *syntax.Tree) (out []*syntax.Node) {
		t.Root.Walk(func(n *syntax.Node) bool {
			if n.Is("ImportSpec") {
				out = append(out, n)
			}
			return !n.Is("FuncDecl")
		})
		return out
	}
	had, out, at := map[string]bool{"_": true, ".": true}, []byte(nil), 0
	for _, n := range specs(t) {
		if k := name(t, n); !used[k] && k != "_" && k != "." {
			out, at = append(append(out, text[at:n.Start]...), "_ "+t.Text(n.At("path"))...), n.End
		} else {
			had[k] = true
		}
	}
	out = append(out, text[at:]...)
	first := t.Root.At("name").End
	for _, n := range specs(old.Tree) {
		if k := name(old.Tree, n); used[k] && !had[k] {
			out = slices.Concat(out[:first], []byte("\nimport "+old.Text(n)+"\n"), out[first:])
		}
	}
	return out
}

var word = pattern.New(`[A-Za-z_$][\w$]*`)

var versioned = pattern.New(`/v\d+$|\.v\d+$`)
