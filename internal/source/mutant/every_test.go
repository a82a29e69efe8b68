package mutant

import (
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestEvery holds what a line offers beside its first mutant.
func TestEvery(t *testing.T) {
	t.Parallel()
	for file, tc := range map[string]struct{ src, want string }{
		"a.py": {"def tail(lines):\n    return lines[-3:] if len(lines) > 3 else kept(lines)\n", `2:37 ConditionalBoundary ">" -> ">="
2:12 ReturnValue "lines[-3:] if len(lines) > 3 else kept(lines)" -> "None"
2:19 Constant "3" -> "4"
2:39 Constant "3" -> "4"
2:26 ArgumentPropagation "len(lines)" -> "lines"
2:46 ArgumentPropagation "kept(lines)" -> "lines"
`},
		"a.js": {"function tail(lines) {\n  const n = Number(lines.length)\n  return n\n}\n", `2:13 ArgumentPropagation "Number(lines.length)" -> "lines.length"
3:10 ReturnValue "n" -> "undefined"
`},
		"a.go": {"package a; func Has(m map[string]int, k string) bool {\n\t_, ok := m[k]; return ok\n}\n\nfunc Read(p string) ([]byte, error) {\n\tb, err := read(p)\n\treturn b, err\n}\n", `2:24 ReturnValue "ok" -> "func() bool { _ = ok; return false }()"
7:12 RemovedError "err" -> "func() error { _ = err; return nil }()"
`},
		"a.ts": {"function tail(lines: string[]) {\n  const n = first(lines)\n}\n", `2:13 ArgumentPropagation "first(lines)" -> "(lines as never)"
`},
	} {
		every, err := Every(file, []byte(tc.src), everyLine, 9)
		assert.NilError(t, err)
		assert.Equal(t, mutantText(every), tc.want, file)
		first, err := Make(file, []byte(tc.src), everyLine)
		assert.NilError(t, err)
		ids := map[string]bool{}
		for _, m := range every {
			assert.Assert(t, !ids[m.ID])
			ids[m.ID] = true
		}
		for _, m := range first {
			assert.Assert(t, ids[m.ID], "%+v is another one there", m)
		}
		one, err := Every(file, []byte(tc.src), []qa.Range{{Start: 2, End: 2}}, 1)
		assert.NilError(t, err)
		assert.Equal(t, len(one), 1)
	}
}

// TestEarlyReturn: where an if left the function it goes on, whatever was given back.
func TestEarlyReturn(t *testing.T) {
	t.Parallel()
	for file, tc := range map[string]struct{ src, want string }{
		"a.go": {`package a

func f(s []string) []string {
	if len(s) > g {
		return nil
	}
	if s == nil {
		goto fail
	}
	if h {
		return s
	} else {
		return nil
	}
fail:
	return nil
}
`, `5:3 EarlyReturn "return nil" -> "_ = 0"
8:3 EarlyReturn "goto fail" -> "_ = 0"
11:10 ReturnValue "s" -> "nil"
`},
		"a.py": {"def f(s):\n    if s:\n        return\n    if g:\n        return None\n    elif h:\n        return 1\n    return None\n", `3:9 EarlyReturn "return" -> "pass"
7:16 Constant "1" -> "2"
`},
		"a.js": {"function f(s) {\n  if (s) return\n  if (g) {\n    return null\n  }\n  if (h) {\n    return null\n  } else {\n    return null\n  }\n}\n", `2:10 EarlyReturn "return" -> "void 0;"
4:5 EarlyReturn "return null" -> "void 0;"
`},
		"A.java": {"class A {\n  String f(String s) {\n    if (s == g) {\n      return null;\n    }\n    return null;\n  }\n}\n", `4:7 EarlyReturn "return null;" -> ";"
`},
		"a.rs": {"fn f(s: &str) -> Option<u8> {\n    if s == g {\n        return None;\n    }\n    None\n}\n", `3:9 EarlyReturn "return None" -> "()"
`},
	} {
		every, err := Every(file, []byte(tc.src), everyLine, 9)
		assert.NilError(t, err)
		out := slices.DeleteFunc(every, func(m Mutant) bool {
			return m.Operator == equalityOperator || m.Operator == conditionalNegation || m.Operator == ConditionalBoundary
		})
		assert.Equal(t, mutantText(out), tc.want, file)
		made, err := Make(file, []byte(tc.src), everyLine)
		assert.NilError(t, err)
		assert.Assert(t, !slices.ContainsFunc(made, func(m Mutant) bool { return m.Operator == earlyReturn }), file)
	}
}

// TestMutantsThatAreWrongVersions holds what is no wrong version, and what was not made
// though it is one.
func TestMutantsThatAreWrongVersions(t *testing.T) {
	t.Parallel()
	for file, tc := range map[string]struct{ src, want string }{
		"a.py": {`@dataclass(init=False, frozen=True, order=False, repr=3)
class A(B):
    @cached(maxsize=9)
    def __init__(self, version=b"1.1", raw=r"\d", none=b""):
        super().__init__()
        super().__init__(version)
`, `1:31 Constant "True" -> "False"
4:32 StringLiteral "b\"1.1\"" -> "b\"\""
6:9 RemovedCall "super().__init__(version)" -> "pass"
`},
		"a.js": {`function f(kind) {
  switch (kind) {
    case g(1):
      a()
      break
    case 'b': {
      b()
      break
    }
    case 'c': break
    default:
      c()
      break
  }
}
`, `3:12 Constant "1" -> "2"
4:7 RemovedCall "a()" -> "void 0"
5:7 Jump "break" -> "void 0;"
6:10 StringLiteral "'b'" -> "\"\""
7:7 RemovedCall "b()" -> "void 0"
8:7 Jump "break" -> "void 0;"
10:15 Jump "break" -> "void 0;"
12:7 RemovedCall "c()" -> "void 0"
`},
	} {
		mutants, err := Make(file, []byte(tc.src), everyLine)
		assert.NilError(t, err)
		assert.Equal(t, mutantText(mutants), tc.want, file)
	}
}
