package related

import (
	"context"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// What the changed lines call comes first, and more of it is shown whole than of what
// stands around them.
func TestWhatChangedLinesCallIsShownFirst(t *testing.T) {
	t.Parallel()
	body := func(name string, lines int) string {
		return "func " + name + "() int {\n" + strings.Repeat("\tn++\n", lines-3) + "\treturn n\n}\n"
	}
	const before = "package a\n\nfunc Take() int {\n\tx := around() + large()\n\n\n\treturn x\n}\n"
	c := code(t, map[string]string{
		"go.mod": "module m\n", "a.go": strings.Replace(before, "return x", "return x + decides() + long() + longer()", 1),
		"b.go": "package a\n\nvar n int\n\n" + body("around", 5) + "\n" + body("decides", 20) + "\n" + body("large", 20) + "\n" + body("long", 40) + "\n" + body("longer", 1000),
	}, qa.Change{Base: "base", Files: []qa.FileChange{{Path: "a.go", Status: qa.Modified, Kind: qa.KindSource, Added: []qa.Range{{Start: 7, End: 7}}}}})
	c.o.Content = func(context.Context, string, string) ([]byte, error) { return []byte(before), nil }
	src, err := c.o.Read("a.go")
	assert.NilError(t, err)
	seen, _ := c.Side(t.Context(), c.o.Change.Files[0], src)
	file := func(text string) string { return "b.go: " + strings.TrimSpace(text) }
	assert.Equal(t, c.Callees(seen, "Take"), strings.Join([]string{
		file(body("decides", 20)), file(body("long", 40)), "b.go: func longer() int", file(body("around", 5)), "b.go: func large() int",
	}, "\n"))
}

// Of a function that is too long to be shown, the lines that say what becomes of an option
// which changed lines name.
func TestLongCalleesTellOfWhatChangedLinesName(t *testing.T) {
	t.Parallel()
	const before = "import { parse } from './parse'\n\nexport function take(input, options) {\n  return parse(input, { ...options, fastpaths: false })\n}\n"
	many := strings.Repeat("  input = input.next(options)\n", 60)
	c := code(t, map[string]string{
		"take.js":  strings.Replace(before, ", fastpaths: false", "", 1),
		"parse.js": "export function parse(input, options) {\n" + many + "  if (options.fastpaths !== false) {\n    return quick(input) // no tokens\n  }\n" + many + "  return input.fastpaths\n}\n",
	}, qa.Change{Base: "base", Files: []qa.FileChange{{Path: "take.js", Status: qa.Modified, Kind: qa.KindSource, Added: []qa.Range{{Start: 4, End: 4}}}}})
	c.o.Content = func(context.Context, string, string) ([]byte, error) { return []byte(before), nil }
	src, err := c.o.Read("take.js")
	assert.NilError(t, err)
	seen, _ := c.Side(t.Context(), c.o.Change.Files[0], src)
	assert.Equal(t, c.Callees(seen, "take"), "parse.js: export function parse(input, options)\n\t…\n\tif (options.fastpaths !== false) {\n\t…\n\treturn input.fastpaths")
}

// Documentation that stands within a function is not shown twice.
func TestDocumentationIsShownOnce(t *testing.T) {
	t.Parallel()
	const one = "def one(n):\n    \"\"\"One more,\n\n    always.\n    \"\"\"\n    return n + 1"
	c := code(t, map[string]string{"b.py": one + "\n", "a.py": "from b import one\n\n\ndef two(n):\n    return one(one(n))\n"}, qa.Change{})
	assert.Equal(t, c.Callees(Side{Path: "a.py"}, "two"), "b.py: "+one)
}

func TestDocumentationIsBrief(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		"one":                         "one",
		"1\n2\n3\n4\n5\n6":            "1\n2\n3\n4\n5\n6",
		"1\n2\n\nexample\n5\n6\n7\n8": "1\n2\n…",
		"1\n\n3\n\n5\n\n7":            "1\n\n3\n\n5\n…",
		"1\n2\n3\n4\n5\n6\n7\n\nmore": "1\n2\n3\n4\n5\n6\n…",
	} {
		assert.Equal(t, brief(doc), want)
	}
}

// A method that hands on to another one of its own name calls it in its body.
func TestCallersOfTheSameName(t *testing.T) {
	t.Parallel()
	c := code(t, map[string]string{
		"route.go": "package mux\n\ntype Route struct{}\n\nfunc (r *Route) Match(n int) bool { return n > 0 }\n",
		"mux.go":   "package mux\n\ntype Router struct{ routes []*Route }\n\nfunc (r *Router) Match(n int) bool {\n\tfor _, route := range r.routes {\n\t\tif route.Match(n) {\n\t\t\treturn true\n\t\t}\n\t}\n\treturn false\n}\n",
		"one.go":   "package mux\n\ntype One struct{ route *Route }\n\nfunc (o One) Match(n int) bool { return o.route.Match(n) }\n",
	}, qa.Change{})
	assert.Equal(t, c.Callers(Side{Path: "route.go"}, "Route.Match"), "one.go: func (o One) Match(n int) bool { return o.route.Match(n) }\nmux.go: func (r *Router) Match(n int) bool {\n\tfor _, route := range r.routes {\n\t\tif route.Match(n) {\n\t\t\treturn true\n\t\t}\n\t}\n\treturn false\n}")
}

// Of a long function that calls: what stands around the call, and what encloses it. Of
// further ones the line is enough.
func TestCallersTellWhatStandsAroundTheCall(t *testing.T) {
	t.Parallel()
	caller := func(name string) string {
		return "func " + name + "(n int) int {\n\tif n < 0 {\n\t\treturn 0\n\t}\n" + strings.Repeat("\tn--\n", 12) + "\tif n > 9 {\n\t\ta := n\n\t\tb := a\n\t\tc := b\n\t\td := c\n\t\treturn Taken(d)\n\t}\n" + strings.Repeat("\tn--\n", 4) + "\treturn n\n}\n"
	}
	c := code(t, map[string]string{
		"go.mod": "module m\n", "a.go": "package a\n\nfunc Taken(n int) int { return n }\n",
		"b.go": "package a\n\n" + caller("One") + "\n" + caller("Two") + "\n" + caller("Three"),
	}, qa.Change{})
	long := func(name string) string {
		return "b.go: func " + name + "(n int) int\n\t…\n\tif n > 9 {\n\t\ta := n\n\t\tb := a\n\t\tc := b\n\t\td := c\n\t\treturn Taken(d)\n\t}\n\tn--\n\tn--"
	}
	assert.Equal(t, c.Callers(Side{Path: "a.go"}, "Taken"), long("One")+"\n"+long("Two")+"\nb.go: func Three(n int) int\n\treturn Taken(d)")
}

// A comment takes no place of a line that tells whether the call is reached.
func TestCallersTellGuardsAboveComments(t *testing.T) {
	t.Parallel()
	c := code(t, map[string]string{
		"go.mod": "module m\n", "a.go": "package a\n\nfunc Taken(n int) int { return n }\n",
		"b.go": "package a\n\nfunc One(n int) int {\n" + strings.Repeat("\tn--\n", 12) + "\tif n == 0 {\n\t\treturn 0\n\t}\n\n\t// One\n\t// two\n\t// three.\n\n\treturn Taken(n)\n}\n",
	}, qa.Change{})
	assert.Equal(t, c.Callers(Side{Path: "a.go"}, "Taken"),
		"b.go: func One(n int) int\n\t…\n\tif n == 0 {\n\t\treturn 0\n\t}\n\n\t// One\n\t// two\n\t// three.\n\n\treturn Taken(n)\n}")
}

// A call behind a dot may be of another function of that name.
func TestCallersCallWithoutADot(t *testing.T) {
	t.Parallel()
	c := code(t, map[string]string{
		"parse.js": "const push = token => token\n\nconst increment = type => {\n  stack.push(type)\n  return push(type)\n}\n",
	}, qa.Change{})
	assert.Equal(t, c.Callers(Side{Path: "parse.js", Source: strings.Repeat("\n", wholeFile+1)}, "push"), "parse.js: const increment = type => {\n  stack.push(type)\n  return push(type)\n}")
}

// What the change did to a caller may stand in another request.
func TestCallersThatTheChangeTouchesComeFirst(t *testing.T) {
	t.Parallel()
	c := code(t, map[string]string{
		"go.mod": "module m\n", "a.go": "package a\n\nfunc Taken(n int) int { return n }\n",
		"b.go": "package a\n\nfunc One() int { return Taken(1) }\n\nfunc Two() int { return Taken(2) }\n",
	}, qa.Change{Files: []qa.FileChange{{Path: "b.go", Kind: qa.KindSource, Added: []qa.Range{{Start: 5, End: 5}}}}})
	assert.Equal(t, c.Callers(Side{Path: "a.go"}, "Taken"), "b.go: func Two() int { return Taken(2) }\nb.go: func One() int { return Taken(1) }")
}
