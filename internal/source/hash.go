package source

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
)

// Hash is a digest of what a test does: two tests with the same one differ at
// most in their names, in the names of their variables, in comments, quotes and
// white space. Literals and all other names count.
func Hash(path string, src []byte, test string) (string, error) {
	t, _, tn, err := findTest(path, src, test)
	if err != nil {
		return "", fmt.Errorf("hash: %w", err)
	}
	h := hasher{tree: t, out: sha256.New(), locals: locals(t, tn.node), numbers: map[string]int{}, skip: map[*node]bool{}}
	for _, n := range tn.head {
		// Decorators say what runs (parameters), so only the name is left out.
		h.skip[n] = !n.is("decorator", "identifier", "member_expression", "call_expression") || n.field == "name"
	}
	h.node(tn.node)
	return hex.EncodeToString(h.out.Sum(nil)[:12]), nil
}

type hasher struct {
	*tree
	out     hash.Hash
	locals  map[string]bool
	numbers map[string]int
	skip    map[*node]bool
}

func (h *hasher) node(n *node) {
	if h.skip[n] || n.is("comment", ";", ",") {
		return
	}
	switch {
	case isIdentifier(n) && h.locals[h.text(n)]:
		name := h.text(n)
		if _, known := h.numbers[name]; !known {
			h.numbers[name] = len(h.numbers)
		}
		fmt.Fprintf(h.out, "$%d ", h.numbers[name])
	case n.is("string"):
		fmt.Fprintf(h.out, "%q ", strings.Trim(h.text(n), "'\"`"))
	case len(n.children) == 0:
		fmt.Fprintf(h.out, "%s ", h.text(n))
	default:
		fmt.Fprintf(h.out, "(%s ", n.kind)
		for _, c := range n.children {
			h.node(c)
		}
		h.out.Write([]byte(")"))
	}
}
