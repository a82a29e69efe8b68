package related

import (
	"context"
	"os"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// A changed function is shown with what it was; a new one with what its callers
// were, which did its work until then.
func TestEarlier(t *testing.T) {
	t.Parallel()
	const before = "package a\n\nfunc Same() int { return 1 }\n\nfunc All(n int) int { return n + 1 }\n"
	const after = "package a\n\nfunc Same() int { return 1 }\n\nfunc All(n int) int { return one(n) }\n\nfunc one(n int) int { return n }\n"
	c := code(t, map[string]string{"a.go": after, "b.go": "package a\n\nfunc B() int { return Same() }\n"},
		qa.Change{Base: "base", Files: []qa.FileChange{{Path: "a.go", Status: qa.Modified, Kind: qa.KindSource, Added: []qa.Range{{Start: 5, End: 7}}}}})
	c.o.Content = func(_ context.Context, _, path string) ([]byte, error) {
		if path != "a.go" {
			return nil, os.ErrNotExist
		}
		return []byte(before), nil
	}
	const was = "func All(n int) int { return n + 1 }"
	for _, want := range []struct{ path, symbol, before, former string }{
		{"a.go", "All", was, ""},
		{"a.go", "one", "", "a.go\n" + was},
		{"a.go", "Same", "", ""},
		{"b.go", "B", "", ""},
	} {
		src, err := c.o.Read(want.path)
		if err != nil {
			t.Fatal(err)
		}
		if before, former := c.Earlier(t.Context(), qa.Focus{Path: want.path, Symbol: want.symbol}, src); before != want.before || former != want.former {
			t.Errorf("%s: before %q, former %q", want.symbol, before, former)
		}
	}
}
