package weakening

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// This file puts what stands around tests back as it was, because a test whose own text is
// as it was looks at less once its table, its helper, its hook or its constant does.

// Around is a file of tests as it is now, but what stands around them is as base has it where
// it may ask for less: functions that asserted, hooks and fixtures that do something else,
// rows of tables that are gone, constants that decide, imports from elsewhere. The tests
// themselves, what is only said in other values, and what was only added are as they are, so
// that it fails for nothing that merely follows the product. It is nil where nothing is put
// back.
func Around(r qa.Revision) []byte {
	if len(r.Before) > maxFile || len(r.After) > maxFile || !syntax.Supported(r.Path) {
		return nil
	}
	f, ok := read(r)
	if !ok || f.old.Tree == nil || f.now.Tree == nil {
		return nil
	}
	match(f.old.tests, f.now.tests, func(t *test) string { return t.Name })
	a := around{old: &f.old, now: &f.now, roles: roles{map[string]bool{}, map[string]bool{}, map[string]bool{}}}
	a.roles.read(a.old)
	a.roles.read(a.now)
	a.pieces()
	a.imports()
	if len(a.edits) == 0 {
		return nil
	}
	for _, t := range f.now.tests { // a new test may need what is put back otherwise
		if t.partner == nil && f.now.Grammar != "go" { // where what it alone imports would be left over
			a.put(t.Node, map[bool]string{true: "pass"}[f.now.Grammar == "python"])
		}
	}
	slices.SortStableFunc(a.edits, func(x, y splice) int { return x.start - y.start })
	var out []byte
	at := 0
	for _, e := range a.edits {
		if e.start >= at {
			out = append(append(out, r.After[at:e.start]...), e.text...)
			at = e.end
		}
	}
	return append(out, r.After[at:]...)
}

// around is a file in both versions, with what is to be put back.
type around struct {
	old, now *side
	roles    roles
	edits    []splice
}

// splice puts a text in the place of bytes of the file as it is now.
type splice struct {
	start, end int
	text       string
}

func (a *around) put(n *syntax.Node, text string) {
	a.edits = append(a.edits, splice{n.Start, n.End, text})
}

// piece is something around tests: a definition, an import, a statement, or a part of a block
// that has tests, as what it goes through.
type piece struct {
	// node is all of it, at its name and value what a variable holds that is no function.
	node, at, value *syntax.Node
	name, text      string
	loads, acts     bool // an import; a statement that does something
}

var importing = []string{"import_statement", "ImportSpec", "use_declaration", "import_declaration"}

// cut lists the pieces of a side in their order.
func (s *side) cut() (out []piece) {
	above, own := map[*syntax.Node]bool{}, map[*syntax.Node]bool{s.Root: false}
	for _, t := range s.tests {
		own[t.Node] = true
		for n := t.Node.Parent; n != nil; n = n.Parent {
			above[n] = true
		}
	}
	s.Root.Walk(func(n *syntax.Node) bool {
		switch {
		case own[n] || !n.Named || n.Is("comment", "import_from_statement") || n.At("source") != nil && n.Is("import_statement"):
			return false // see imports
		case n == s.Root || above[n] || n.Is("GenDecl"):
			return true
		}
		out = append(out, s.piece(n))
		return false
	})
	return out
}

func (s *side) piece(n *syntax.Node) piece {
	p := piece{node: n, text: shape(s.Tree, n), loads: n.Is(importing...) || required.MatchString(s.Text(n))}
	d := n
	for _, field := range []string{"declaration", "definition"} {
		d = cmp.Or(d.At(field), d)
	}
	if d.Is("lexical_declaration", "variable_declaration", "expression_statement") && len(d.Parts()) > 0 {
		d = d.Parts()[0]
	}
	p.acts = d.Is("call", "call_expression", "assignment_expression", "unary_expression", "delete_statement", "augmented_assignment", "for_statement", "if_statement") ||
		d.Is("assignment") && !d.At("left").Is("identifier") || s.Text(d.At("name")) == "init" && s.Grammar == "go" || itself.MatchString(s.Text(n))
	for _, field := range []string{"value", "values", "right"} {
		if v := d.At(field); v != nil && p.value == nil && !p.acts && d.Is("assignment", "variable_declarator", "ValueSpec", "field_definition", "const_item", "static_item") && !v.Is(functions...) {
			p.value = v
		}
	}
	switch callee := calleeOf(d); {
	case n.Is("ImportSpec"):
		p.name = cmp.Or(s.Text(n.At("name")), path.Base(strings.Trim(s.Text(n.At("path")), `"`)))
	case p.loads:
		p.name = "import " + strings.Join(each.Sorted(bound(s, n)), " ")
	case callee != nil:
		p.name = s.text(callee)
	default:
		p.at = cmp.Or(d.At("name"), d.At("left"), d.At("names"), d.At("property"))
		if p.name = s.Text(p.at); p.at == nil {
			p.name = n.Field + " " + n.Kind
		}
	}
	return p
}

// bound are the names that an import gives, without where they come from.
func bound(s *side, n *syntax.Node) (out []string) {
	n.Walk(func(k *syntax.Node) bool {
		if syntax.IsIdentifier(k) && s.Text(k) != "require" {
			out = append(out, s.Text(k))
		}
		return true
	})
	return out
}

var (
	required = pattern.New(`^(?:export )?(?:const|let|var) [\w\s{},:]+= (?:await )?(?:require|import)\(\s*['"][^'"]+['"]\s*\);?$`)
	itself   = pattern.New(`\bautouse\s*=\s*True`)
	standing = pattern.New(`(?i)skip|mock|patch|stub|spy|fake|setattr`)
	// bending is what a piece that only gained something may ask for less by.
	bending = pattern.New(`(?i)\b(return|raise|throw|try|except|catch|if|else|elif|continue|break|finally|while|for|with|suppress|recover|exit|pop|shift|splice|clear|remove)\b|skip|mock|patch|stub|spy|fake|setattr|[^=!<>+:]=[^=>]|:=|\[[^\]]*:[^\]]*\]`)
)
