package edit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// Hash is a digest of what a test does: two tests with the same one differ at
// most in their names, in the names of their variables, in comments, quotes and
// white space. Literals and all other names count.
func Hash(path string, src []byte, test string) (string, error) {
	t, _, tn, err := findTest(path, src, test)
	if err != nil {
		return "", fmt.Errorf("hash: %w", err)
	}
	h := hasher{Tree: t, out: sha256.New(), locals: outline.Locals(t, tn.Node), numbers: map[string]int{}, skip: map[*syntax.Node]bool{}}
	for _, n := range tn.Head {
		// Decorators say what runs (parameters), so only the name is left out.
		h.skip[n] = !n.Is("decorator", "identifier", "member_expression", "call_expression") || n.Field == "name"
	}
	h.node(tn.Node)
	return hex.EncodeToString(h.out.Sum(nil)[:12]), nil
}

type hasher struct {
	*syntax.Tree
	out     hash.Hash
	locals  map[string]bool
	numbers map[string]int
	skip    map[*syntax.Node]bool
}

func (h *hasher) node(n *syntax.Node) {
	if h.skip[n] || n.Is("comment", ";", ",") {
		return
	}
	switch {
	case syntax.IsIdentifier(n) && h.locals[h.Text(n)]:
		name := h.Text(n)
		if _, known := h.numbers[name]; !known {
			h.numbers[name] = len(h.numbers)
		}
		fmt.Fprintf(h.out, "$%d ", h.numbers[name])
	case n.Is("string"):
		fmt.Fprintf(h.out, "%q ", strings.Trim(h.Text(n), "'\"`"))
	case len(n.Children) == 0:
		fmt.Fprintf(h.out, "%s ", h.Text(n))
	default:
		fmt.Fprintf(h.out, "(%s ", n.Kind)
		for _, c := range n.Children {
			h.node(c)
		}
		h.out.Write([]byte(")"))
	}
}
