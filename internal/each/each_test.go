package each_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/each"
)

func TestLists(t *testing.T) {
	t.Parallel()
	words := []string{"a", "b", "a"}
	if got := each.Of(words, strings.ToUpper); !slices.Equal(got, []string{"A", "B", "A"}) {
		t.Errorf("Of gives %q", got)
	}
	if got := each.Where(words, func(w string) bool { return w == "a" }); !slices.Equal(got, []string{"a", "a"}) {
		t.Errorf("Where gives %q", got)
	}
	if got := each.Added([]string{"x", "b"}, words...); !slices.Equal(got, []string{"x", "b", "a"}) {
		t.Errorf("Added gives %q", got)
	}
	if !slices.Equal(words, []string{"a", "b", "a"}) {
		t.Errorf("what was given is now %q", words)
	}
	if each.Of([]string{}, strings.ToUpper) != nil || each.Where([]string{}, func(string) bool { return true }) != nil || each.Added[string](nil) != nil {
		t.Error("nothing in, and something out")
	}
}
