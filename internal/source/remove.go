package source

import (
	"fmt"
	"slices"
	"strings"
)

// Remove takes tests out of a file, with the comments and decorators that are
// theirs, with blocks and classes that hold nothing else, and with Go imports
// that nothing uses any more. A name that the file does not have is an error.
func Remove(path string, src []byte, names []string) ([]byte, error) {
	t, err := parseWhole(path, src)
	if err != nil {
		return nil, fmt.Errorf("remove tests: %w", err)
	}
	all := testReaders[t.grammar](t).tests()
	gone := map[*node]bool{}
	for _, name := range names {
		i := slices.IndexFunc(all, func(tn testNode) bool { return tn.name == name })
		if i < 0 {
			_, _, _, err := findTest(path, src, name)
			return nil, fmt.Errorf("remove tests: %w", err)
		}
		for _, tn := range all { // a loop of tests has one name and one node
			if tn.name == name {
				gone[hull(tn.node)] = true
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
		for p := n.parent; p != nil; p = p.parent {
			inside = inside || gone[p]
		}
		if !inside {
			edits = append(edits, cutOut(t, n))
		}
	}
	out := applyEdits(src, edits)
	if t.grammar == "go" {
		if out, err = dropUnusedImports(src, out); err != nil {
			return nil, fmt.Errorf("remove tests from %s: %w", path, err)
		}
	}
	if _, err := parseWhole(path, out); err != nil {
		return nil, fmt.Errorf("remove tests: the result does not parse: %w", err)
	}
	return out, nil
}

// hull is the statement around a test: a call with .each(…) is several nodes.
func hull(n *node) *node {
	for n.parent.is("expression_statement", "decorated_definition") {
		n = n.parent
	}
	return n
}

// emptied is the block of tests or the class that holds nothing but n and
// other nodes that go.
func emptied(n *node, gone map[*node]bool) *node {
	body := n.parent
	if !body.is("statement_block", "block") {
		return nil
	}
	for _, c := range body.parts() {
		if !gone[c] {
			return nil
		}
	}
	switch holder := body.parent; {
	case holder.is("class_definition"):
		return hull(holder)
	case holder.is("arrow_function", "function_expression") && holder.parent.is("arguments"):
		return hull(holder.parent.parent)
	}
	return nil
}

// cutOut is the edit that removes a statement, the comments right above it and
// the empty lines after it.
func cutOut(t *tree, n *node) edit {
	siblings := n.parent.children
	start := n.start
	for i := slices.Index(siblings, n) - 1; i >= 0; i-- {
		c := siblings[i]
		between := ""
		if c.end <= start {
			between = string(t.src[c.end:start])
		}
		if !c.is("comment") || c.field == "comments" || strings.Count(between, "\n") != 1 || strings.TrimSpace(between) != "" ||
			t.lineStart(c.start) != c.start && strings.TrimSpace(string(t.src[t.lineStart(c.start):c.start])) != "" {
			break
		}
		start = c.start
	}
	if doc := n.at("doc"); doc != nil {
		start = min(start, doc.start)
	}
	line := t.lineStart(start)
	if strings.TrimSpace(string(t.src[line:start])) == "" {
		start = line
	}
	end := n.end
	for end < len(t.src) && strings.ContainsRune(" \t;", rune(t.src[end])) {
		end++
	}
	if strings.HasPrefix(string(t.src[end:]), "//") {
		for end < len(t.src) && t.src[end] != '\n' {
			end++
		}
	}
	rest := strings.TrimLeft(string(t.src[end:]), " \t\r\n")
	if rest == "" { // the last statement takes the empty lines before it along
		before := strings.TrimRight(string(t.src[:start]), " \t\r\n")
		return edit{min(len(before)+1, start), len(t.src), ""}
	}
	if next := t.lineStart(len(t.src) - len(rest)); next > end {
		end = next
	}
	return edit{start, end, ""}
}
