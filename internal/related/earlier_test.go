package related

import (
	"context"
	"os"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// Of a new function what calls it from other files is shown as it was: that did its
// work until then. What its own file was is seen there.
func TestEarlier(t *testing.T) {
	t.Parallel()
	const before = "package a\n\nfunc Same() int { return 1 }\n\nfunc All(n int) int { return n + 1 }\n"
	const caller, called = "package a\n\nfunc B() int { return 1 }\n", "package a\n\nfunc B() int { return one(1) }\n"
	const after = "package a\n\nfunc Same() int { return 1 }\n\nfunc All(n int) int { return one(n) }\n\nfunc one(n int) int { return n }\n"
	c := code(t, map[string]string{"a.go": after, "b.go": called, "c.go": "package a\n\nfunc C() int { return Same() }\n"},
		qa.Change{Base: "base", Files: []qa.FileChange{{Path: "b.go", Status: qa.Modified, Kind: qa.KindSource, Added: []qa.Range{{Start: 3, End: 3}}}, {Path: "a.go", Status: qa.Modified, Kind: qa.KindSource, Added: []qa.Range{{Start: 5, End: 7}}}}})
	c.o.Content = func(_ context.Context, _, path string) ([]byte, error) {
		switch path {
		case "a.go":
			return []byte(before), nil
		case "b.go":
			return []byte(caller), nil
		}
		return nil, os.ErrNotExist
	}
	for _, want := range []struct{ path, symbol, became, former string }{
		{"a.go", "All", "changed", ""},
		{"a.go", "one", "new", "b.go\nfunc B() int { return 1 }"},
		{"a.go", "Same", "", ""},
		{"b.go", "B", "changed", ""},
		{"c.go", "C", "", ""},
	} {
		src, err := c.o.Read(want.path)
		if err != nil {
			t.Fatal(err)
		}
		if became, former := c.Earlier(t.Context(), qa.Focus{Path: want.path, Symbol: want.symbol}, src); became != want.became || former != want.former {
			t.Errorf("%s: became %q, former %q", want.symbol, became, former)
		}
	}
}
