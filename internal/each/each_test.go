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
	isA := func(w string) bool { return w == "a" }
	if n := each.Count(words, isA); n != 2 {
		t.Errorf("Count gives %d", n)
	}
	if got, ok := each.First(words, func(w string) bool { return w > "a" }); got != "b" || !ok {
		t.Errorf("First gives %q", got)
	}
	if got, ok := each.First(words, func(w string) bool { return w > "b" }); got != "" || ok {
		t.Errorf("First gives %q where there is none", got)
	}
	if got := each.By([]string{"ab", "b", "ac"}, func(w string) byte { return w[0] }); len(got) != 2 || got['a'] != "ac" || got['b'] != "b" {
		t.Errorf("By gives %q", got)
	}
	if got := each.Set(words, []string{"c"}); len(got) != 3 || !got["a"] || !got["c"] {
		t.Errorf("Set gives %v", got)
	}
	if got := each.Sorted([]string{"c"}, words); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("Sorted gives %q", got)
	}
	if !slices.Equal(words, []string{"a", "b", "a"}) {
		t.Errorf("what was given is now %q", words)
	}
	if each.Of([]string{}, strings.ToUpper) != nil || each.Where([]string{}, func(string) bool { return true }) != nil || each.Added[string](nil) != nil || each.Sorted[string]() != nil {
		t.Error("nothing in, and something out")
	}
}
