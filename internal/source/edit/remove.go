package edit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/source/syntax"
)

// Remove takes tests out of a file, with the comments and decorators that are
// theirs, with blocks and classes that hold nothing else, and with Go imports
// that nothing uses any more. A name that the file does not have is an error.
func Remove(path string, src []byte, names []string) ([]byte, error) {
	t, err := syntax.ParseWhole(path, src)
	if err != nil {
		return nil, fmt.Errorf("remove tests: %w", err)
	}
	all := testReaders[t.Grammar](t).Tests()
	gone := map[*syntax.Node]bool{}
	for _, name := range names {
		i := slices.IndexFunc(all, func(tn Case) bool { return tn.Name == name })
		if i < 0 {
			_, _, _, err := findTest(path, src, name)
			return nil, fmt.Errorf("remove tests: %w", err)
		}
		for _, tn := range all { // a loop of tests has one name and one node
			if tn.Name == name {
				gone[hull(tn.Node)] = true
			}
		}
	}
	for grown := true; grown; {
		grown = false
		for n := range gone {
			if outer := emptied(n, gone); outer != nil && !gone[outer] {
				gone[outer], grown = true, true
			}
		}
	}
	var edits []edit
	for n := range gone {
		inside := false
		for p := n.Parent; p != nil; p = p.Parent {
			inside = inside || gone[p]
		}
		if !inside {
			edits = append(edits, cutOut(t, n))
		}
	}
	out := applyEdits(src, edits)
	if slices.ContainsFunc(edits, func(e edit) bool { return e.end == len(src) }) {
		out = append(bytes.TrimRight(out, " \t\r\n"), '\n') // what stood before several of the last
	}
	if t.Grammar == "go" {
		if out, err = dropUnusedImports(src, out); err != nil {
			return nil, fmt.Errorf("remove tests from %s: %w", path, err)
		}
	}
	if _, err := syntax.ParseWhole(path, out); err != nil {
		return nil, fmt.Errorf("remove tests: the result does not parse: %w", err)
	}
	return out, nil
}

// hull is the statement around a test: a call with .each(…) is several nodes.
func hull(n *syntax.Node) *syntax.Node {
	for n.Parent.Is("expression_statement", "decorated_definition") {
		n = n.Parent
	}
	return n
}

// emptied is the block of tests or the class that holds nothing but n and
// other nodes that go.
func emptied(n *syntax.Node, gone map[*syntax.Node]bool) *syntax.Node {
	body := n.Parent
	if !body.Is("statement_block", "block", "declaration_list", "class_body") {
		return nil
	}
	for _, c := range body.Parts() {
		if !gone[c] && !(body.Is("declaration_list") && c.Is("use_declaration")) {
			return nil
		}
	}
	switch holder := body.Parent; {
	case holder.Is("class_definition"):
		return hull(holder)
	case holder.Is("mod_item"), holder.Is("class_declaration") && holder.Parent.Is("class_body"):
		return holder
	case holder.Is("arrow_function", "function_expression") && holder.Parent.Is("arguments"):
		return hull(holder.Parent.Parent)
	}
	return nil
}

// cutOut is the edit that removes a statement, the comments right above it and
// the empty lines after it.
func cutOut(t *syntax.Tree, n *syntax.Node) edit {
	siblings := n.Parent.Children
	start := n.Start
	for i := slices.Index(siblings, n) - 1; i >= 0; i-- {
		c := siblings[i]
		between := ""
		if c.End <= start {
			between = string(t.Src[c.End:start])
		}
		if !c.Is("comment") || c.Field == "comments" || strings.Count(between, "\n") != 1 || strings.TrimSpace(between) != "" ||
			t.LineStart(c.Start) != c.Start && strings.TrimSpace(string(t.Src[t.LineStart(c.Start):c.Start])) != "" {
			break
		}
		start = c.Start
	}
	if doc := n.At("doc"); doc != nil {
		start = min(start, doc.Start)
	}
	line := t.LineStart(start)
	if strings.TrimSpace(string(t.Src[line:start])) == "" {
		start = line
	}
	end := n.End
	for end < len(t.Src) && strings.ContainsRune(" \t;", rune(t.Src[end])) {
		end++
	}
	if strings.HasPrefix(string(t.Src[end:]), "//") {
		end = t.LineEnd(end)
	}
	rest := strings.TrimLeft(string(t.Src[end:]), " \t\r\n")
	if rest == "" { // the last statement takes the empty lines before it along
		before := strings.TrimRight(string(t.Src[:start]), " \t\r\n")
		return edit{min(len(before)+1, start), len(t.Src), ""}
	}
	if next := t.LineStart(len(t.Src) - len(rest)); next > end {
		end = next
	}
	return edit{start, end, ""}
}
