package mutation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/source/mutant"
)

// TestSpread: of more mutants than can be tried each file has its part, from its
// beginning to its end.
func TestSpread(t *testing.T) {
	t.Parallel()
	file := func(path string, n int) (out []mutant.Mutant) {
		for i := range n {
			out = append(out, mutant.Mutant{Path: path, Line: i})
		}
		return out
	}
	for _, c := range []struct {
		files [][]mutant.Mutant
		want  string
		cut   bool
	}{
		{nil, "", false},
		{[][]mutant.Mutant{file("a", 2), file("b", 3)}, "a0 a1 b0 b1 b2", false},
		{[][]mutant.Mutant{file("a", 12), nil, file("b", 1), file("c", 4)}, "a0 a4 a8 b0 c0 c2", true},
		{[][]mutant.Mutant{file("a", 7)}, "a0 a1 a2 a3 a4 a5", true},
	} {
		got, cut := spread(c.files, 6)
		var said []string
		for _, m := range got {
			said = append(said, fmt.Sprint(m.Path, m.Line))
		}
		if text := strings.Join(said, " "); text != c.want || cut != c.cut {
			t.Errorf("%s, cut %v; want %s, %v", text, cut, c.want, c.cut)
		}
	}
}
