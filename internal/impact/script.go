package impact

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// isScript reports whether a file is JavaScript or TypeScript.
func isScript(name string) bool {
	l := language.Of(name).Name
	return l == "javascript" || l == "typescript"
}

var (
	// beyond is what in a body has a meaning for the whole file: which names a module of
	// CommonJS seems to export, and how JSX is compiled.
	beyond = pattern.New(`\bexports\b|@jsx`)
	late   = pattern.New(`\bimport\s*\(`)
	// scriptLooks and scriptLines are how a test file says that it looks at counters, or at
	// where code stands.
	scriptLooks = pattern.New(`__coverage__`)
	scriptLines = pattern.New(`\bstack\b|[lL]ineNumber|[cC]olumnNumber|\b[cC]all[sS]ites?\b|[cC]aptureStackTrace|[sS]tackTrace|\.[cm]?[jt]sx?:\d`)
)

// scripted are the bodies of functions of a file of JavaScript or TypeScript that lie in
// that of no other one. Their lines are places, as counters of istanbul have them.
//
// A compiler leaves out an import of which nothing but types is used: with the last use in
// a body the import goes, and with it what the module does when it is loaded. So the names
// that are used stay with the rest, and a file in which one of them means something else
// somewhere cannot be read. The first JSX of a file imports something, too.
func scripted(name string, src []byte) *parts {
	t, err := syntax.ParseWhole(name, src)
	if err != nil || !plainText(src) {
		return nil
	}
	s := scriptParts{tree: t, parts: &parts{rest: []byte{0}, starts: map[int]bool{}}}
	s.walk(t.Root, false)
	s.rest = append(s.rest, src[s.end:]...)
	used, ok := usedImports(t)
	if !ok {
		return nil
	}
	s.kept = strings.Join(used, " ")
	return s.parts
}

// plainText reports whether lines and columns mean the same to all who read a text.
func plainText(src []byte) bool {
	return utf8.Valid(src) && !bytes.ContainsAny(src, "\x00\u2028\u2029\ufeff") && bytes.Count(src, []byte("\r")) == bytes.Count(src, []byte("\r\n"))
}

type scriptParts struct {
	*parts
	tree *syntax.Tree
	end  int // of what is in rest or a body
}

func isFunction(n *syntax.Node) bool {
	return n.Is("function_declaration", "function_expression", "function", "generator_function_declaration", "generator_function", "arrow_function", "method_definition")
}

// walk visits what lies below a node; inner says that it lies in the body of a function.
func (s *scriptParts) walk(n *syntax.Node, inner bool) {
	var block *syntax.Node
	if isFunction(n) {
		block = n.At("body")
	}
	for _, c := range n.Children {
		if c != block {
			s.walk(c, inner)
			continue
		}
		place := s.place(block)
		s.starts[place] = true
		if !inner {
			s.rest = append(append(s.rest, s.tree.Src[s.end:block.Start]...), 0)
			s.end = block.End
			s.bodies = append(s.bodies, body{lines: qa.Range{Start: place, End: place}, text: s.tree.Text(block), doc: s.directives(block)})
		}
		s.walk(block, true)
	}
}

// place is where a body begins, as one number: that of an expression within its parentheses.
func (s *scriptParts) place(block *syntax.Node) int {
	for block.Is("parenthesized_expression") && len(block.Parts()) == 1 {
		block = block.Parts()[0]
	}
	line := 1 + bytes.LastIndexByte(s.tree.Src[:block.Start], '\n')
	column := 0
	for _, r := range string(s.tree.Src[line:block.Start]) {
		if column++; r > 0xFFFF {
			column++
		}
	}
	return s.tree.Line(block.Start)*100_000 + min(column, 99_999)
}

// directives are what begins a body and is said to the compiler.
func (s *scriptParts) directives(block *syntax.Node) string {
	var out strings.Builder
	for _, n := range block.Parts() {
		if !block.Is("statement_block") || !n.Is("expression_statement") || len(n.Parts()) != 1 || !n.Parts()[0].Is("string") {
			break
		}
		out.WriteString(s.tree.Text(n.Parts()[0]))
	}
	return out.String()
}

// usedImports are the imported names that code uses, and whether it has JSX; ok is false
// where one of them is another thing somewhere.
func usedImports(t *syntax.Tree) (used []string, ok bool) {
	imported := map[string]bool{}
	t.Root.Walk(func(n *syntax.Node) bool {
		if n.Is("import_statement", "import_alias") {
			for name := range syntax.Identifiers(t, n) {
				imported[name] = true
			}
			return false
		}
		return true
	})
	ok = true
	t.Root.Walk(func(n *syntax.Node) bool {
		switch {
		case n.Is("import_statement", "import_alias", "type_query", "nested_type_identifier"):
			return false
		case strings.HasPrefix(n.Kind, "jsx_"):
			used = append(used, "<")
		case n.Is("shorthand_property_identifier_pattern") && imported[t.Text(n)], n.Is("identifier") && imported[t.Text(n)] && binds(n):
			ok = false
		}
		if len(n.Children) == 0 && !n.Is("property_identifier", "type_identifier") && imported[t.Text(n)] {
			used = append(used, t.Text(n))
		}
		return true
	})
	return each.Sorted(used), ok
}

// binds reports whether an identifier stands where a name is given.
func binds(n *syntax.Node) bool {
	if n.Parent.Is("formal_parameters", "required_parameter", "optional_parameter", "rest_pattern", "array_pattern", "object_pattern") {
		return true
	}
	return slices.Contains([]string{"name", "parameter", "pattern", "left", "value"}, n.Field) &&
		n.Parent.Is("variable_declarator", "assignment_pattern", "object_assignment_pattern", "pair_pattern", "catch_clause", "for_in_statement", "arrow_function",
			"function_declaration", "function_expression", "function", "generator_function_declaration", "generator_function", "class_declaration", "class", "enum_declaration", "internal_module")
}

// apart reports whether a file may load others outside of any test file, where nothing is
// counted and it is not seen either: a configuration that is no module of CommonJS, and a module
// of those that imports late.
func (b *Bodies) apart(file string) bool {
	if slices.Contains(b.Executed.Before, file) {
		return late.Match(b.Text(file))
	}
	return Steering(file) && !strings.Contains(file, "__mocks__/")
}

// follows reports whether the counters of a file tell who enters its functions: they are
// those of this text, and nothing runs it that is not counted, such as what jest itself
// loads. Test files that load what git does not know, which may be made of this file,
// are reached in any case.
func (b *Bodies) follows(name string, starts map[int]bool, reached *reach) bool {
	if b.Graph == nil {
		return false
	}
	g := b.Graph()
	if g.why != "" {
		return false
	}
	for file := range g.above(name) {
		if b.apart(file) && file != name {
			return false
		}
	}
	for _, places := range b.Executed.Files[name] {
		if slices.ContainsFunc(places, func(at int) bool { return !starts[at] }) {
			return false
		}
	}
	for file, units := range b.Executed.Files {
		for unit := range units {
			reached.units[unit] = reached.units[unit] || !g.files[file]
		}
	}
	for file, units := range b.Executed.Read {
		for _, unit := range units {
			reached.units[unit] = reached.units[unit] || !g.files[file]
		}
	}
	ofAll := reached.units[""]
	delete(reached.units, "")
	return !ofAll
}
