package budget

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAShortBudgetCutsWhatComesFirst(t *testing.T) {
	t.Parallel()
	notes, rounds := "model budget: recommendations of the model", "model budget: extra rounds of tests"
	for _, c := range []struct {
		cuts, want []string
		rounds     bool
	}{
		{[]string{"model scan of a.go"}, []string{notes, rounds, "model budget: model scan of a.go"}, true},
	} {
		var said []string
		b := NewTokens(func() (int, bool) { return 0, false }, func(format string, args ...any) {
			if text := fmt.Sprintf(format, args...); !slices.Contains(said, text) {
				said = append(said, text)
			}
		})
		b.Shorten(c.cuts)
		if d := cmp.Diff(c.want, said); d != "" || b.Round() == c.rounds || b.Notes() {
			t.Errorf("rounds cut %t\n%s", c.rounds, d)
		}
	}
}
