package related

import (
	"context"
	"os"
	"testing"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
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

// A function that only moved to the right is no changed function, unless its language
// reads the space.
func TestReindented(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path, before, after string
		want                bool
	}{
		"into a block":       {"a.js", "function f(a) {\n  return a\n}\n", "if (x) {\n  function f(a) {\n    return a\n  }\n}\n", true},
		"another line":       {"a.js", "function f(a) {\n  return a\n}\n", "if (x) {\n  function f(a) {\n    return -a\n  }\n}\n", false},
		"the same":           {"a.js", "function f(a) {\n  return a\n}\n", "function f(a) {\n  return a\n}\n", false},
		"python, all of it":  {"a.py", "def f(a):\n    if a:\n        a = 1\n    return a\n", "class C:\n    def f(a):\n        if a:\n            a = 1\n        return a\n", false}, // another name: C.f
		"python, in a block": {"a.py", "def f(a):\n    if a:\n        a = 1\n    return a\n", "if True:\n    def f(a):\n        if a:\n            a = 1\n        return a\n", true},
		"python, one line":   {"a.py", "def f(a):\n    if a:\n        a = 1\n    return a\n", "def f(a):\n    if a:\n        a = 1\n        return a\n", false},
		"new":                {"a.js", "", "function f(a) {\n  return a\n}\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code := code(t, map[string]string{c.path: c.after}, qa.Change{Base: "base", Files: []qa.FileChange{{Path: c.path, Status: qa.Modified, Kind: qa.KindSource}}})
			code.o.Content = func(context.Context, string, string) ([]byte, error) { return []byte(c.before), nil }
			parsed, err := outline.Parse(c.path, []byte(c.after))
			if err != nil {
				t.Fatal(err)
			}
			for _, fn := range parsed.Functions {
				if got := code.Reindented(t.Context(), c.path, fn); got != c.want {
					t.Errorf("%s: %t", fn.Name, got)
				}
			}
		})
	}
}
