// Package around puts what stands around tests back as it was, because a test whose own text
// is as it was looks at less once its table, its helper, its hook or its constant does:
// [Tests] for a file of tests, [Helper] for one that they have in common.
package around

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/source/weakening"
	"github.com/org/qa-action/internal/wording"
)

// maxFile bounds the bytes that are read: what is larger is data, or made by a program.
const maxFile = 1 << 20

// Tests is a file of tests as it is now, but what stands around them is as base has it where
// it may ask for less: functions that asserted, hooks and fixtures that do something else,
// rows of tables that are gone, constants that decide, imports from elsewhere. The tests
// themselves, what is only said in other values, and what was only added are as they are, so
// that it fails for nothing that merely follows the product. It is nil where nothing is put
// back.
func Tests(r qa.Revision) []byte {
	a, err := read(r, false)
	if err != nil {
		return nil
	}
	return a.text()
}

// Helper is a file that tests have in common as it is now, but what it had on base is as it was
// there: what it has since, tests may need. It is nil where nothing is put back, and base's
// where it cannot be read, or lost something and is as it was otherwise.
func Helper(r qa.Revision) []byte {
	a, err := read(r, true)
	if err != nil {
		return r.Before
	}
	text, has := a.text(), each.Set(each.Of(a.now.cut(), func(p piece) string { return p.name }))
	if text == nil && each.Count(a.old.cut(), func(p piece) bool { return p.at != nil && !has[p.name] }) > 0 {
		return r.Before // what has another name since cannot be put back by itself
	}
	return text
}

var errUnread = errors.New("not of a kind or a size that is read")

func read(r qa.Revision, every bool) (*around, error) {
	if len(r.Before) > maxFile || len(r.After) > maxFile || r.Before == nil || r.After == nil || !syntax.Supported(r.Path) {
		return nil, errUnread
	}
	a := &around{every: every, spare: map[string]string{}, roles: roles{map[string]bool{}, map[string]bool{}, map[string]bool{}}}
	var err error
	if a.old, err = sideOf(cmp.Or(r.OldPath, r.Path), r.Before); err == nil {
		a.now, err = sideOf(r.Path, r.After)
	}
	return a, err
}

// side is one version of a file.
type side struct {
	*syntax.Tree
	edit.Reader
	tests []edit.Case
}

func sideOf(file string, src []byte) (*side, error) {
	t, err := syntax.ParseWhole(file, src)
	if err != nil {
		return nil, err
	}
	r := edit.NewReader(t)
	return &side{t, r, r.Tests()}, nil
}

// text is a piece of a side in one line.
func (s *side) text(n *syntax.Node) string { return wording.Fold(s.Text(n)) }

func (a *around) text() []byte {
	a.roles.read(a.old)
	a.roles.read(a.now)
	a.pieces()
	a.imports()
	if len(a.edits) == 0 {
		return nil
	}
	a.lacking()
	had := each.Set(each.Of(a.old.tests, func(t edit.Case) string { return t.Name }))
	for _, t := range a.now.tests { // a new test may need what is put back otherwise
		if !had[t.Name] && a.now.Grammar != "go" { // where what it alone imports would be left over
			a.put(t.Node, map[bool]string{true: "pass"}[a.now.Grammar == "python"])
		}
	}
	slices.SortStableFunc(a.edits, func(x, y splice) int { return x.start - y.start })
	var out []byte
	at := 0
	for _, e := range a.edits {
		if e.start >= at {
			out = append(append(out, a.now.Src[at:e.start]...), e.text...)
			at = e.end
		}
	}
	out = append(out, a.now.Src[at:]...)
	if a.now.Grammar == "go" {
		return fitting(a.now.Path, out, a.old)
	}
	return out
}

// around is a file in both versions, with what is to be put back.
type around struct {
	old, now *side
	every    bool // whatever it was is put back
	roles    roles
	edits    []splice
	spare    map[string]string // imports that the file has no more, by what they give
}

// splice puts a text in the place of bytes of the file as it is now.
type splice struct {
	start, end int
	text       string
}

func (a *around) put(n *syntax.Node, text string) {
	a.edits = append(a.edits, splice{n.Start, n.End, text})
}

func (a *around) insert(at int, text string) { a.edits = append(a.edits, splice{at, at, text}) }

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
	p := piece{node: n, text: weakening.Shape(s.Tree, n), loads: n.Is(importing...) || required.MatchString(s.Text(n))}
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
		if v := d.At(field); v != nil && p.value == nil && !p.acts && d.Is("assignment", "variable_declarator", "ValueSpec", "field_definition", "const_item", "static_item") && !v.Is(weakening.Functions...) {
			p.value = v
		}
	}
	switch callee := weakening.Callee(d); {
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
