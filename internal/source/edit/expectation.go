package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// Expectation is what a test expects of one call.
type Expectation struct {
	// Subject is a call with all that it is given written out, empty where the
	// assertion looks at anything else.
	Subject  string
	Expected string
	Line     int
}

// Expectations lists what a test expects, one for each assertion, in source order. Two
// tests that expect something of the same subject speak of the same behaviour: so a
// subject is a call of an imported or bare name whose arguments have no names in them.
func Expectations(path string, src []byte, name string) ([]Expectation, error) {
	t, err := syntax.Parse(path, src)
	if err != nil {
		return nil, fmt.Errorf("read expectations: %w", err)
	}
	r := NewReader(t)
	all := r.Tests()
	i := slices.IndexFunc(all, func(c Case) bool { return c.Name == name })
	if i < 0 || all[i].Body == nil {
		return nil, fmt.Errorf("read expectations: no test %q", name)
	}
	values := assigned(t, all[i].Body)
	var out []Expectation
	for _, c := range Checks(r, all[i].Body) {
		e := Expectation{Line: t.Line(c.Node.Start)}
		if c.Subject != nil && c.Expected != nil && c.Equal {
			subject := c.Subject
			if value := values[t.Text(subject)]; value != nil {
				subject = value
			}
			if closed(t, subject, values) {
				e.Subject, e.Expected = wording.Fold(t.Text(subject)), wording.Fold(t.Text(c.Expected))
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// assigned are the names to which a test gives a value once, with the value; those with
// several have none.
func assigned(t *syntax.Tree, body *syntax.Node) map[string]*syntax.Node {
	read := outline.NewReader(t).Assigned
	out, seen := map[string]*syntax.Node{}, map[string]int{}
	body.Walk(func(n *syntax.Node) bool {
		left, right := read(n)
		for _, l := range left {
			name := t.Text(l)
			if seen[name]++; seen[name] > 1 || len(left) > 1 || !n.Is("variable_declarator", "assignment", "AssignStmt", "let_declaration") {
				out[name] = nil
			} else if out[name] = right; n.Is("AssignStmt") {
				out[name] = n.At("rhs")
			}
		}
		return true
	})
	return out
}

// closed reports a call that needs nothing of the test around it.
func closed(t *syntax.Tree, n *syntax.Node, local map[string]*syntax.Node) bool {
	n = n.Unwrapped()
	if !n.Is("call_expression", "call", "CallExpr") {
		return false
	}
	callee := n.At("function")
	if n.Is("CallExpr") {
		callee = n.At("fun")
	}
	root, _, _ := strings.Cut(strings.ReplaceAll(t.Text(callee), "::", "."), ".")
	if _, own := local[root]; own || !callee.Is("identifier", "Ident", "member_expression", "attribute", "SelectorExpr", "scoped_identifier", "field_expression") || strings.Contains(t.Text(callee), "(") {
		return false
	}
	for _, a := range n.Arguments() {
		if a.Find(func(c *syntax.Node) bool { return syntax.IsIdentifier(c) && !literalNames[t.Text(c)] }) != nil {
			return false
		}
	}
	return true
}

var literalNames = map[string]bool{"true": true, "false": true, "nil": true, "undefined": true, "NaN": true, "Infinity": true, "None": true}
