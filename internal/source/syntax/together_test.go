package syntax

import (
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"
)

// TestReadTogether: broken files are read side by side as they are one after the other. The
// library goes on looking at a tree of which another parse may have made its own by then.
func TestReadTogether(t *testing.T) {
	t.Parallel()
	broken := map[string]string{
		"a.js":   "exports.f = (a, b => {\n  return a ? b : (c\n}\n" + strings.Repeat("const x = { a: [1, 2, { b: `c${d}` }] }\n", 20),
		"a.ts":   "export const f = <T,>(a: T, b = {}): a is => a<b<c>>(d)\n" + strings.Repeat("export function g<T extends { a: string }>(this: T, b?: number) { return b ?? 1 }\n", 20),
		"a.py":   "def f(a, b:\n    return (a\n" + strings.Repeat("class A:\n    def g(self, *, b=1): return {b: [c for c in b if c]}\n", 20),
		"a.rs":   "fn f(a: &'a str -> { let x = a.<b>() }\n" + strings.Repeat("impl<T> A<T> for B { fn g(&self) -> u8 { 1 } }\n", 20),
		"A.java": "class A { void f(int a { return a } \n" + strings.Repeat("class B<T> { int g(T t) { return t -> 1; } }\n", 20),
	}
	read := func(name string) string {
		tree, err := Parse(name, []byte(broken[name]))
		if err != nil {
			return err.Error()
		}
		return tree.Root.Kind
	}
	want := map[string]string{}
	for name := range broken {
		want[name] = read(name)
	}
	var all sync.WaitGroup
	for name := range broken {
		for range 6 {
			all.Go(func() { assert.Check(t, want[name] == read(name), name) })
		}
	}
	all.Wait()
}
