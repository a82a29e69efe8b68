package related

import (
	"context"
	"testing"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
)

// A function that moved to the right or is told otherwise computes what it did, unless
// its language reads the space.
func TestUnaltered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path, before, after string
		want                bool
	}{
		"into a block":       {"a.js", "function f(a) {\n  return a\n}\n", "if (x) {\n  function f(a) {\n    return a\n  }\n}\n", true},
		"another line":       {"a.js", "function f(a) {\n  return a\n}\n", "if (x) {\n  function f(a) {\n    return -a\n  }\n}\n", false},
		"template":           {"a.js", "function f() {\n  return `a\n  b`\n}\n", "function f() {\n  return `a\nb`\n}\n", false},
		"line after return":  {"a.js", "function f(a) {\n  return a\n}\n", "function f(a) {\n  return\n  a\n}\n", false},
		"operator":           {"a.js", "function f(a) {\n  return a < 1\n}\n", "function f(a) {\n  return a > 1\n}\n", false},
		"comment":            {"a.js", "function f(a) {\n  // old\n  return a // b\n}\n", "function f(a) {\n  // new\n  /* c */ return a\n}\n", true},
		"broken":             {"a.js", "function f(a) {\n  return a\n}\n", "function f(a) {\n  return a // b\n}\n}}) {\n", false},
		"typescript":         {"a.ts", "function f(a: any): any {\n  return a\n}\n", "function f(a: string): string {\n  return a\n}\n", true},
		"typescript, as":     {"a.ts", "function f(a: any): any {\n  return a as A\n}\n", "function f(a: any): any {\n  return a as B\n}\n", false},
		"go, operator":       {"a.go", "package a\n\nfunc f(a int) int {\n\treturn a + 1\n}\n", "package a\n\nfunc f(a int) int {\n\treturn a - 1\n}\n", false},
		"go, receiver":       {"a.go", "package a\n\nfunc (a *A) f() {\n\ta.n++\n}\n", "package a\n\nfunc (a A) f() {\n\ta.n++\n}\n", false},
		"go, increment":      {"a.go", "package a\n\nfunc f(a int) int {\n\ta++\n\treturn a\n}\n", "package a\n\nfunc f(a int) int {\n\ta--\n\treturn a\n}\n", false},
		"go, type":           {"a.go", "package a\n\nfunc f(a int) bool {\n\treturn a/2 == 1\n}\n", "package a\n\nfunc f(a float64) bool {\n\treturn a/2 == 1\n}\n", false},
		"go, concurrency":    {"a.go", "package a\n\nfunc f(c chan int) {\n\tdefer close(c)\n}\n", "package a\n\nfunc f(c chan int) {\n\tgo close(c)\n}\n", false},
		"go, variadic":       {"a.go", "package a\n\nfunc f(c []int) {\n\tg(c...)\n}\n", "package a\n\nfunc f(c []int) {\n\tg(c)\n}\n", false},
		"go, slice":          {"a.go", "package a\n\nfunc f(c []int) []int {\n\treturn c[1:]\n}\n", "package a\n\nfunc f(c []int) []int {\n\treturn c[:1]\n}\n", false},
		"go, definition":     {"a.go", "package a\n\nfunc f() {\n\tx := 1\n}\n", "package a\n\nfunc f() {\n\tx = 1\n}\n", false},
		"go, channel":        {"a.go", "package a\n\nfunc f(c <-chan int) {}\n", "package a\n\nfunc f(c chan<- int) {}\n", false},
		"go, jump":           {"a.go", "package a\n\nfunc f() {\n\tfor {\n\t\tbreak\n\t}\n}\n", "package a\n\nfunc f() {\n\tfor {\n\t\tcontinue\n\t}\n}\n", false},
		"go, moved":          {"a.go", "package a\n\nfunc f(a int) int { return a }\n", "package a\n\n// f gives a back.\nfunc f(a int) int {\n\t// so\n\treturn a\n}\n", true},
		"python, all of it":  {"a.py", "def f(a):\n    if a:\n        a = 1\n    return a\n", "class C:\n    def f(a):\n        if a:\n            a = 1\n        return a\n", false}, // another name: C.f
		"python, in a block": {"a.py", "def f(a):\n    if a:\n        a = 1\n    return a\n", "if True:\n    def f(a):\n        if a:\n            a = 1\n        return a\n", true},
		"python, one line":   {"a.py", "def f(a):\n    if a:\n        a = 1\n    return a\n", "def f(a):\n    if a:\n        a = 1\n        return a\n", false},
		"python, types":      {"a.py", "def f(a, b=1, *c):\n    \"\"\"Old.\"\"\"\n    x = a\n    return x\n", "def f(a: int, b: int = 1, *c: str) -> int:\n    x: int = a  # no\n    return x\n", true},
		"python, default":    {"a.py", "def f(a, b=1):\n    return a\n", "def f(a: int, b: int = 2) -> int:\n    return a\n", false},
		"python, slice":      {"a.py", "def f(a):\n    return a[1:]\n", "def f(a):\n    return a[:1]\n", false},
		"python, text":       {"a.py", "def f(a):\n    return 'a b'\n", "def f(a):\n    return 'ab'\n", false},
		"python, in text":    {"a.py", "def f(a):\n    return \"\"\"a\n    b\"\"\"\n", "def f(a):\n    return \"\"\"a\n  b\"\"\"\n", false},
		"python, decorated":  {"a.py", "@x\ndef f(a):\n    return a\n", "@y\ndef f(a):\n    return a\n", false},
		"python, a setter":   {"a.py", "class A:\n    @property\n    def x(self):\n        return 1\n    @x.setter\n    def x(self, v):\n        self.v = v\n", "class A:\n    @property\n    def x(self):\n        return 1\n    @x.setter\n    def x(self, v):\n        self.v = -v\n", false},
		"overloads":          {"A.java", "class A {\n  int f(int a) { return a; }\n  int f(String a) { return 1; }\n}\n", "class A {\n  int f(int a) { return a; }\n  int f(String a) { return 2; }\n}\n", false},
		"rust":               {"a.rs", "fn f(a: i32) -> i32 {\n    a / 2\n}\n", "fn f(a: i64) -> i64 {\n    a / 2\n}\n", false},
		"java":               {"A.java", "class A {\n  int f(int a) { return a / 2; }\n}\n", "class A {\n  double f(double a) { return a / 2; }\n}\n", false},
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
				if got := code.Unaltered(t.Context(), c.path)(fn.Name); got != c.want {
					t.Errorf("%s: %t", fn.Name, got)
				}
			}
		})
	}
}
