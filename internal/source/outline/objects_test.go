package outline

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// What makes an object calls its constructor, and a method of what is surely such an object
// is called as well: what a function hangs on is shown by this.
func TestCalleesOfObjects(t *testing.T) {
	t.Parallel()
	var all []qa.Outline
	for name, text := range map[string]string{
		"url.ts": "export class $URL {\n  constructor(input: string) { this.host = input; }\n  append(u: $URL) { this.host += u.host; }\n}\n",
		"use.ts": "import { $URL } from './url';\nexport function resolve(base: string, other) {\n  const url = new $URL(base);\n  url.append(new $URL('b'));\n  return other.append(url);\n}\n",
		"a.py":   "class A:\n    def __init__(self, x):\n        self.x = x\n    def go(self):\n        return self.x\n",
		"b.py":   "from a import A\ndef sure(x):\n    a = A(x)\n    return a.go()\ndef unsure(y):\n    return y.go()\n",
	} {
		o, err := Parse(name, []byte(text))
		assert.NilError(t, err)
		all = append(all, o)
	}
	g := NewGraph(all, nil)
	for at, want := range map[[2]string][]string{
		{"use.ts", "resolve"}: {"$URL.constructor", "$URL.append"},
		{"b.py", "sure"}:      {"A.__init__", "A.go"},
		{"b.py", "unsure"}:    nil,
	} {
		got := each.Of(g.Callees(at[0], at[1]), func(c Caller) string { return c.Function.Name })
		assert.DeepEqual(t, got, want)
	}
}
