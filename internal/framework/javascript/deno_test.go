package javascript

import (
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/framework/script"
)

// A task that calls deno test more than once is run as one call of all tests: the first
// of them alone would leave the others out.
func TestTogether(t *testing.T) {
	t.Parallel()
	for want, calls := range map[string][]string{
		"test -A unit":                         {"test -A unit"},
		"test -A":                              {"test -A unit", "test -A integration"},
		"test --allow-read --allow-net":        {"test --allow-read unit", "test --allow-net integration"},
		"test --config a.json --seed 1":        {"test --config a.json unit", "test --config a.json --seed 1 --filter slow"},
		"test --config a.json --config b.json": {"test --config a.json x", "test --config b.json y"},
	} {
		leaves := make([]script.Leaf, len(calls))
		for i, c := range calls {
			leaves[i].Args, leaves[i].Env = strings.Fields(c), []string{"A=1"}
		}
		got := together(leaves)
		if strings.Join(got.Args, " ") != want || !slices.Equal(got.Env, []string{"A=1"}) {
			t.Errorf("%q: %q with %q, want %q", calls, got.Args, got.Env, want)
		}
	}
}
