package around

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/source/weakening"
	"github.com/org/qa-action/internal/wording"
)

// This file decides which pieces around tests are put back.

// pieces holds those of both versions against each other by their name, in their order, but
// for those that stand there as they did. What is new goes where it acts on what was there.
func (a *around) pieces() {
	was, is := a.old.cut(), a.now.cut()
	variables := map[string]bool{}
	for _, o := range was {
		variables[o.name] = variables[o.name] || !o.acts && o.node.Is("assignment", "lexical_declaration", "variable_declaration", "ValueSpec")
	}
	had := map[string][]piece{}
	for _, o := range beside(was, is) {
		had[o.name] = append(had[o.name], o)
	}

	for _, t := range beside(is, was) {
		if before := had[t.name]; len(before) > 0 {
			had[t.name] = before[1:]
			a.back(before[0], t)
			continue
		}
		names := maps.Keys(syntax.Identifiers(a.now.Tree, t.node))
		if t.acts && (standing.MatchString(t.text) || slices.ContainsFunc(slices.Collect(names), func(n string) bool { return variables[n] })) ||
			variables[t.name] && t.value != nil {
			a.put(t.node, "")
		}
	}
	now := a.now.bindings()
	for _, name := range slices.Sorted(maps.Keys(had)) { // what is gone may come from elsewhere
		for _, o := range had[name] {
			if is, imported := now[name]; imported && o.at != nil {
				a.hide(is, name)
				a.insert(is.whole.End, "\n"+a.old.Text(o.node)+"\n")
			} else if o.loads && a.now.Grammar != "go" {
				for _, given := range bound(a.old, o.node) {
					a.spare[given] = a.old.Text(o.node)
				}
			}
		}
	}
}

// beside are the pieces that the others do not have word by word.
func beside(all, others []piece) (out []piece) {
	have := map[string]int{}
	for _, p := range others {
		have[p.text]++
	}
	for _, p := range all {
		if have[p.text]--; have[p.text] < 0 {
			out = append(out, p)
		}
	}
	return out
}

// back puts a piece back where it may ask for less than it did.
func (a *around) back(o, t piece) {
	put := func(yes bool) {
		if yes {
			a.put(t.node, a.old.Text(o.node))
		}
	}
	rows, left := listed(o.value), listed(t.value)
	switch gained, lines := a.gained(o, t); {
	case a.every || o.loads || t.loads || (o.value == nil) != (t.value == nil):
		put(true)
	case rows != nil && left != nil:
		if a.roles.table(o.name, rows) {
			a.rows(rows, left, t.value)
		}
	case o.value != nil && weakening.Literal(a.old.Tree, o.value) && weakening.Literal(a.now.Tree, t.value):
		put(a.roles.decides[o.name])
	case values(a.old.Tree, o.node) == values(a.now.Tree, t.node):
	case o.value != nil:
		put(true)
	case gained: // assertions, or what sets up more
		put(bending.MatchString(lines))
	case len(edit.Checks(a.old.Reader, o.node)) > 0:
		put(true)
	default:
		now := syntax.Identifiers(a.now.Tree, t.node)
		lost := slices.ContainsFunc(each.Sorted(slices.Collect(maps.Keys(syntax.Identifiers(a.old.Tree, o.node)))), func(n string) bool { return !now[n] })
		put(lost || bending.MatchString(lines))
	}
}

// gained reports whether a piece has all lines that it had, in their order, and gives those
// that are new.
func (a *around) gained(o, t piece) (bool, string) {
	split := func(text string) (out []string) {
		for l := range strings.Lines(text) {
			if l = strings.Trim(l, " \t\r\n,;"); l != "" && !strings.HasPrefix(l, "//") && !strings.HasPrefix(l, "#") {
				out = append(out, l)
			}
		}
		return out
	}
	rest, lines := split(a.old.Text(o.node)), ""
	for _, l := range split(a.now.Text(t.node)) {
		if len(rest) > 0 && rest[0] == l {
			rest = rest[1:]
		} else {
			lines += l + "\n"
		}
	}
	return len(rest) == 0, lines
}

// values is a piece without its strings and numbers, but for numbers that bound something.
func values(t *syntax.Tree, n *syntax.Node) string {
	var out []string
	n.Walk(func(k *syntax.Node) bool {
		switch {
		case k.Is("comment", ",", ";", "(", ")"):
			return false
		case k.Is("string", "string_literal", "template_string"), k.Is("BasicLit") && strings.ContainsAny(t.Text(k)[:1], "\"`'"):
			out = append(out, "''")
			return false
		case counts(k) || k.Is("unary_operator", "unary_expression", "UnaryExpr") && len(k.Parts()) == 1 && counts(k.Parts()[0]):
			text := "0"
			if bounding(t, k.Parent) {
				text = t.Text(k)
			}
			out = append(out, text)
			return false
		case len(k.Children) == 0 && k.End > k.Start:
			out = append(out, wording.Fold(t.Text(k)))
		}
		return true
	})
	return strings.Join(out, " ")
}

func counts(n *syntax.Node) bool {
	return n.Is("integer", "float", "number", "BasicLit", "integer_literal", "float_literal", "decimal_integer_literal", "decimal_floating_point_literal")
}

// bounding reports what a number bounds: a part of a list, a tolerance, or how often a loop
// turns. What is compared by its size alone is what is expected.
func bounding(t *syntax.Tree, n *syntax.Node) bool {
	switch {
	case n.Is("comparison_operator", "binary_expression", "BinaryExpr"):
		return n.Field == "condition" || n.Field == "cond" && !n.Parent.Is("IfStmt") || magnitude.MatchString(t.Text(n))
	case n.Is("keyword_argument"):
		return within.MatchString(t.Text(n.At("name")))
	}
	return n.Is("slice", "SliceExpr")
}

// through are calls that go through a list, within names what may differ.
var (
	through = pattern.New(`\.(each|forEach|map|every)\b`)
	within  = pattern.New(`^(rel|abs|delta|rtol|atol|rel_tol|abs_tol|places)$`)
)

var magnitude = pattern.New(`(?i)\babs\(`)

// listed is the list that a variable holds, nil where it holds none.
func listed(n *syntax.Node) *syntax.Node {
	n = n.Unwrapped()
	if n.Is("call", "call_expression", "as_expression", "satisfies_expression") && len(n.Arguments()) == 1 { // tuple([…]), Object.freeze([…])
		n = n.Arguments()[0]
	}
	if n.Is("list", "tuple", "set", "array", "dictionary", "object", "CompositeLit", "array_expression", "array_initializer") {
		return n
	}
	return nil
}

func parts(list *syntax.Node) []*syntax.Node {
	if list.Is("CompositeLit") {
		return list.All("elts")
	}
	return list.Parts()
}

// rows puts the rows of a table back that are gone, where it has fewer of them: those whose
// beginning, without what is expected behind it, no other row has.
func (a *around) rows(rows, left, at *syntax.Node) {
	if len(parts(left)) >= len(parts(rows)) {
		return
	}
	have, text := map[string]bool{}, ""
	for _, r := range parts(left) {
		have[beginning(a.now.Tree, r)] = true
	}
	for _, r := range parts(rows) {
		if !have[beginning(a.old.Tree, r)] {
			text += a.old.Text(r) + ", "
		}
	}
	start := left.Start
	if of := left.At("type"); of != nil {
		start = of.End
	}
	if i := strings.IndexAny(string(a.now.Src[start:left.End]), "[({"); i >= 0 {
		a.edits = append(a.edits, splice{start + i + 1, start + i + 1, text})
	}
}

func beginning(t *syntax.Tree, row *syntax.Node) string {
	for _, field := range []string{"key", "arguments"} {
		if at := row.At(field); at != nil && field == "key" {
			return weakening.Shape(t, at)
		} else if at != nil {
			row = at
		}
	}
	all := parts(row)
	if len(all) < 2 {
		return weakening.Shape(t, row)
	}
	return wording.Fold(string(t.Src[all[0].Start:all[len(all)-2].End]))
}

// roles are the names that a file gives a part in what its tests look at.
type roles struct {
	through  map[string]bool // what loops and tables of cases go through
	decides  map[string]bool // what a condition, a bound or a tolerance says
	compared map[string]bool // what an assertion names
}

func (r roles) table(name string, list *syntax.Node) bool {
	if r.through[name] || r.decides[name] {
		return true
	}
	made := func(n *syntax.Node) bool {
		return n.Is("CompositeLit", "list", "tuple", "dictionary", "array", "object", "call")
	}
	return !r.compared[name] && len(parts(list)) > 0 && made(parts(list)[0])
}

func (r roles) read(s *side) {
	enter := func(into map[string]bool, all ...*syntax.Node) {
		for _, n := range all {
			maps.Copy(into, syntax.Identifiers(s.Tree, n))
		}
	}
	s.Root.Walk(func(n *syntax.Node) bool {
		switch {
		case n.Is("for_statement", "for_in_statement", "for_in_clause", "for_expression", "RangeStmt", "enhanced_for_statement"):
			enter(r.through, n.At("right"), n.At("x"))
			enter(r.decides, weakening.Condition(n))
		case n.Is("decorator"):
			enter(r.through, n)
		case n.Is("call_expression") && through.MatchString(s.text(n.At("function"))):
			enter(r.through, n.At("function").At("object"), n.At("arguments"))
		case bounding(s.Tree, n):
			enter(r.decides, n)
		case weakening.Condition(n) != nil && s.Check(n) == nil: // in Go one is an assertion
			enter(r.decides, weakening.Condition(n))
		}
		if c := s.Check(n); c != nil {
			enter(r.compared, c.Node)
		}
		return true
	})
}
