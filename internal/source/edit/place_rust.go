package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// rustPlacer writes tests into a file of tests, or into the module for tests that a
// source file ends with, which it makes where there is none: the lines of the product
// stay where they are, and what they are.
type rustPlacer struct {
	*syntax.Tree
	outline.Rust
	waiting []string // imports of a module that is still to be made
	inline  bool
}

func newRustPlacer(t *syntax.Tree) placer {
	return &rustPlacer{Tree: t, Rust: outline.Rust{Tree: t}, inline: language.Of(t.Path).HasInline(t.Path)}
}

// inlineModule is the module into which tests of a source file go, empty for files of
// tests.
func inlineModule(t *syntax.Tree) string {
	if t.Grammar != "rust" || !language.Of(t.Path).HasInline(t.Path) {
		return ""
	}
	if m := lastModule(t); m != nil {
		return t.Text(m.At("name"))
	}
	for _, name := range []string{"tests", "more_tests", "further_tests"} {
		if !slices.ContainsFunc(t.Root.Children, func(n *syntax.Node) bool { return n.Is("mod_item") && t.Text(n.At("name")) == name }) {
			return name
		}
	}
	return "generated_tests"
}

// lastModule is the module for tests that a file ends with; nil where something comes
// after it, or where its bracket has no line of its own.
func lastModule(t *syntax.Tree) *syntax.Node {
	parts := t.Root.Parts()
	if len(parts) == 0 {
		return nil
	}
	last := parts[len(parts)-1]
	modules := outline.Rust{Tree: t}.TestModules()
	if !slices.Contains(modules, last) || strings.TrimSpace(string(t.Src[t.LineStart(last.End-1):last.End])) != "}" {
		return nil
	}
	return last
}

func (p *rustPlacer) block(name string) (int, string, bool) {
	for _, n := range p.Root.Children {
		if !n.Is("mod_item") || p.Text(n.At("name")) != name || n.At("body") == nil || p.inline && n != lastModule(p.Tree) {
			continue
		}
		at := p.LineStart(n.End - 1)
		if strings.TrimSpace(string(p.Src[at:n.End])) != "}" {
			return 0, "", false
		}
		return at, string(p.Src[at:n.End-1]) + indentOf(p.Src, "    "), true
	}
	return 0, "", false
}

func (p *rustPlacer) wrap(name, code string) string {
	head := append([]string{"use super::*;"}, p.waiting...)
	return "#[cfg(test)]\nmod " + name + " {\n" + indented("rust", strings.Join(head, "\n")+"\n\n"+code, "    ") + "\n}"
}

// imports takes use declarations alone: nothing that is renamed apart, and no name twice.
func (p *rustPlacer) imports(statements []string) ([]edit, error) {
	where := p.Root
	if p.inline {
		m := lastModule(p.Tree)
		if m == nil {
			where = &syntax.Node{}
		} else {
			where = m.At("body")
		}
	}
	bound, last := map[string]string{}, (*syntax.Node)(nil)
	for _, n := range where.Children {
		if n.Is("use_declaration") {
			last = n
		}
		for _, im := range p.ImportsAt(n) {
			bound[im.Names[0]] = im.Path
		}
	}
	var lines []string
	for _, s := range statements {
		s = strings.TrimSuffix(strings.TrimSpace(s), ";") + ";"
		t, err := syntax.ParseText("rust", []byte(s))
		if err != nil || t.Broken || len(t.Root.Parts()) != 1 || !t.Root.Parts()[0].Is("use_declaration") || t.Root.Parts()[0].First("attribute_item") != nil {
			return nil, fmt.Errorf("%q is no import", s)
		}
		found := outline.Rust{Tree: t}.ImportsAt(t.Root.Parts()[0])
		fresh := false
		for _, im := range found {
			name := im.Names[0]
			have, taken := bound[name]
			if taken && name != "*" && name != "_" && have != im.Path {
				return nil, fmt.Errorf("import %s: the file has the name %s from %s", im.Path, name, have)
			}
			fresh = fresh || !taken || have != im.Path && (name == "*" || name == "_")
		}
		if !fresh || p.inline && where.Kind == "" && s == "use super::*;" {
			continue
		}
		if len(found) > 1 && slices.ContainsFunc(found, func(im qa.Import) bool { return bound[im.Names[0]] != "" }) {
			// Some of a group are there: only the others are written.
			for _, im := range found {
				if bound[im.Names[0]] == "" {
					lines = append(lines, useOf(im))
				}
			}
		} else {
			lines = append(lines, s)
		}
		for _, im := range found {
			bound[im.Names[0]] = im.Path
		}
	}
	return p.insert(where, last, lines), nil
}

// insert puts lines behind the last import, or where imports begin.
func (p *rustPlacer) insert(where, last *syntax.Node, lines []string) []edit {
	switch text := strings.Join(lines, "\n"); {
	case len(lines) == 0:
	case where.Kind == "":
		p.waiting = lines
	case last != nil:
		indent := string(p.Src[p.LineStart(last.Start):last.Start])
		if strings.TrimSpace(indent) != "" {
			indent = ""
		}
		at := p.LineEnd(last.End)
		return []edit{{at, at, "\n" + indented("rust", text, indent)}}
	case where != p.Root:
		at := where.Start + 1
		return []edit{{at, at, "\n" + indented("rust", text, "    ") + "\n"}}
	default:
		at := p.head()
		if strings.TrimSpace(string(p.Src[at:])) != "" {
			text += "\n"
		}
		return []edit{{at, at, text + "\n"}}
	}
	return nil
}

// head is the end of the comments and attributes that are about a whole file.
func (p *rustPlacer) head() int {
	at := 0
	for _, n := range p.Root.Children {
		if !n.Is("inner_attribute_item") && !(n.Is("comment") && !strings.HasPrefix(p.Text(n), "///")) {
			break
		}
		at = n.End
		if at < len(p.Src) && p.Src[at-1] != '\n' {
			at = min(p.LineEnd(at)+1, len(p.Src))
		}
	}
	return at
}

// useOf binds one name.
func useOf(im qa.Import) string {
	switch {
	case im.Names[0] == "*":
		return "use " + im.Path + "::*;"
	case im.Names[0] == im.From[0]:
		return "use " + im.Path + ";"
	}
	return "use " + im.Path + " as " + im.Names[0] + ";"
}
