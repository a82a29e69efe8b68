package impact

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

const script = `import React, { used } from './used'
import type { Shape } from './shape'
import { once } from './once'
import * as all from './all'

const LIMIT = 3

export function plain(a: number): number {
  'use strict'
  return a + 1
}

export const early = (a: number) => a * 2, beside = () => ({ a: 3 })

export default class Box extends used<Shape> {
  size = 1
  later = (a) => a * 4
  static { this.first = 5 }
  constructor(private a: number, make = () => 6) { super(a, 7) }
  get twice() { return this.a * 8 }
  async *stream() { yield 9 }
  #own() { return 10 }
}

function maker(a) {
  function inner(b = LIMIT) {
    return once(a * 11)
  }
  return inner
}

namespace N { export function deep(): Shape { return 12 } }

export function same(all) { return all }

/* 😀 */ export const wide = () => (13)
export let over: typeof once
declare function none(): void
`

// TestScripted: of a file of JavaScript or TypeScript those functions are known to have
// changed of which nothing but the body did, by where the bodies begin.
func TestScripted(t *testing.T) {
	t.Parallel()
	text := strings.Replace(script, "same(all) { return all }", "same(every) { return every }", 1)
	place := func(name, what string) int {
		at := strings.Index(text, what)
		assert.Assert(t, at > 0, name)
		begin := 1 + strings.LastIndexByte(text[:at], '\n')
		column := 0
		for _, r := range text[begin:at] {
			if column++; r > 0xFFFF {
				column++
			}
		}
		return (1+strings.Count(text[:at], "\n"))*100_000 + column
	}
	for name, c := range map[string]struct{ old, now, want string }{
		"a function":                 {"a + 1", "a + 2", "{\n  'use strict'"},
		"more lines":                 {"return a + 1", "a = a\n  return a + 1", "{\n  'use strict'"},
		"a directive":                {"  'use strict'\n", "", "-"},
		"one more directive":         {"'use strict'\n", "'use strict'; 'use server'\n", "-"},
		"a comment":                  {"return a + 1", "return a + 1 // more", "{\n  'use strict'"},
		"how JSX is compiled":        {"return a + 1", "return a + 1 /* @jsx h */", "-"},
		"what is exported":           {"return a + 1", "exports.x = a\n  return a + 1", "-"},
		"an expression":              {"a * 2", "a / 2", "a * 2"},
		"a block in its place":       {"=> a * 2", "=> { return a * 2 }", "a * 2"},
		"one that waits now":         {"early = (a", "early = async (a", "-"},
		"what stands in parentheses": {"a: 3", "a: 4", "{ a: 3"},
		"no parentheses any more":    {"(13)", "13", "13)"},
		"a field":                    {"size = 1", "size = 2", "-"},
		"a function in a field":      {"a * 4", "a * 5", "a * 4"},
		"a static block":             {"first = 5", "first = 6", "-"},
		"a constructor":              {"super(a, 7)", "super(a, 8)", "{ super(a"},
		"a default":                  {"=> 6", "=> 7", "6)"},
		"a parameter":                {"private a", "public a", "-"},
		"a getter":                   {"this.a * 8", "this.a * 9", "{ return this.a"},
		"no getter any more":         {"get twice", "twice", "-"},
		"a generator":                {"yield 9", "yield 10", "{ yield 9"},
		"no generator any more":      {"async *stream", "async stream", "-"},
		"a private method":           {"return 10", "return 11", "{ return 10"},
		"within a function":          {"a * 11", "a * 12", "{\n  function inner"},
		"a default within":           {"b = LIMIT", "b = 4", "{\n  function inner"},
		"within a namespace":         {"return 12", "return 13", "{ return 12"},
		"behind two words of one":    {"(13)", "(14)", "13)"},
		"a constant":                 {"LIMIT = 3", "LIMIT = 4", "-"},
		"an annotation":              {"): number", "): any", "-"},
		"another name":               {"function plain", "function simple", "-"},
		"a function more":            {"function maker", "function more() {}\nfunction maker", "-"},
		"no function any more":       {"namespace N { export function deep(): Shape { return 12 } }", "", "-"},
		"the last use of an import":  {"once(a * 11)", "(a * 11)", "-"},
		"a type for a value":         {"return once(a * 11)", "let b: typeof once = a * 11; return b", "-"},
		"the first use of an import": {"a + 1", "all.of(a)", "-"},
		"one more use of an import":  {"a + 1", "once(a)", "{\n  'use strict'"},
		"what looks like an import":  {"a + 1", "a.all + 1", "{\n  'use strict'"},
		"an import by another name":  {"return a + 1", "const all = 1; return a + all", "-"},
		"an import as a parameter":   {"return a + 1", "return (all => all)(1)", "-"},
		"what does not end":          {"a + 1", "a +", "-"},
		"an end that is none":        {"a + 1", "a + '\u2028'", "-"},
		"nothing":                    {"a + 1", "a + 1", ""},
		"space between functions":    {"function maker", " function maker", "-"},
		"an import":                  {"'./once'", "'./twice'", "-"},
		"two functions":              {"return 1", "return 1", "{ return 10 {\n  'use strict' { return 12"},
	} {
		now := strings.Replace(text, c.old, c.now, 1)
		if name == "two functions" {
			now = strings.NewReplacer("a + 1", "a - 1", "return 10", "return 1", "return 12", "return 2").Replace(text)
			c.want = "{\n  'use strict'|{ return 10|{ return 12"
		}
		changed, ok := changedBodies(partsOf("a.ts", []byte(text)), partsOf("a.ts", []byte(now)))
		if c.want == "-" {
			assert.Assert(t, !ok, name)
			continue
		}
		assert.Assert(t, ok, name)
		var want []qa.Range
		for _, what := range strings.Split(c.want, "|") {
			if what != "" {
				want = append(want, qa.Range{Start: place(name, what), End: place(name, what)})
			}
		}
		assert.DeepEqual(t, changed, want)
	}
	assert.Assert(t, partsOf("a.ts", []byte(script)) == nil, "an import that is another thing somewhere")
	for name, c := range map[string]struct{ old, now string }{
		"a.jsx": {"return 1", "return <p/>"}, "b.tsx": {"return 1", "return <></>"}, "c.mjs": {"return 1", "return 2"}, "d.cts": {"return 1", "return 2"},
	} {
		_, ok := changedBodies(partsOf(name, []byte("function f() { "+c.old+" }\n")), partsOf(name, []byte("function f() { "+c.now+" }\n")))
		assert.Equal(t, ok, !strings.Contains(c.now, "<"), "%s: the first JSX imports something", name)
	}
	for _, end := range []string{"\r", "\u2029", "\x00", "\xff"} {
		assert.Assert(t, partsOf("a.js", []byte("f('"+end+"')")) == nil, "%q", end)
	}
	assert.Assert(t, partsOf("a.js", []byte("\ufefff()")) == nil)
	assert.Assert(t, partsOf("a.js", []byte("f()\r\n")) != nil)
}

// TestScriptsAreFollowed: what was counted tells where the counters are those of the text,
// and nothing else runs the file.
func TestScriptsAreFollowed(t *testing.T) {
	t.Parallel()
	fresh := func() (*qa.Execution, map[string]string) {
		return &qa.Execution{Units: []string{"a.test.js", "b.test.js", "c.test.js"}, Files: map[string]map[string][]int{
				"p.js": {"a.test.js": {100_024}, "b.test.js": {200_024}}, "q.js": {"c.test.js": {}}}, Read: map[string][]string{"help.js": {"c.test.js"}}},
			map[string]string{"p.js": "exports.f = function () { return 1 }\nexports.g = function () { return () => 2 }\n", "q.js": "", "help.js": "", "a.test.js": "require('./p')", "b.test.js": "require('./p')", "c.test.js": "require('./p'); e.stack",
				"package.json": "{}", "setup.js": ""}
	}
	for name, c := range map[string]struct {
		change func(e *qa.Execution, files map[string]string)
		fault  string
		want   string
	}{
		"as it is":                       {func(*qa.Execution, map[string]string) {}, "return 3", "a.test.js"},
		"code moved":                     {func(*qa.Execution, map[string]string) {}, "return 1.5", "a.test.js c.test.js"},
		"counters of another text":       {func(e *qa.Execution, _ map[string]string) { e.Files["p.js"]["b.test.js"] = []int{200_025} }, "return 3", "-"},
		"one that is within another":     {func(e *qa.Execution, _ map[string]string) { e.Files["p.js"]["b.test.js"] = []int{200_039} }, "return 3", "a.test.js"},
		"entered by nobody":              {func(e *qa.Execution, _ map[string]string) { delete(e.Files["p.js"], "a.test.js") }, "return 3", "-"},
		"loaded by jest":                 {func(e *qa.Execution, _ map[string]string) { e.Before = []string{"p.js"} }, "return 3", "-"},
		"what jest loaded loads it late": {func(e *qa.Execution, f map[string]string) { e.Before, f["q.js"] = []string{"q.js"}, "import('./p')" }, "return 3", "-"},
		"what jest loaded names it":      {func(e *qa.Execution, f map[string]string) { e.Before, f["q.js"] = []string{"q.js"}, "'./p'" }, "return 3", "a.test.js"},
		"configuration names setup": {func(e *qa.Execution, f map[string]string) {
			e.Before, f["jest.config.js"], f["setup.js"] = []string{"jest.config.js"}, "setup: './setup'", "require('./p')"
		}, "return 3", "a.test.js"},
		"a mock loads it":        {func(_ *qa.Execution, f map[string]string) { f["__mocks__/m.js"] = "require('../p')" }, "return 3", "a.test.js"},
		"configuration loads it": {func(_ *qa.Execution, f map[string]string) { f["jest.config.js"] = "require('./p')" }, "return 3", "-"},
		"setup loads it": {func(_ *qa.Execution, f map[string]string) {
			f["package.json"], f["setup.js"] = `{"jest": {"setupFiles": ["<rootDir>/setup.js"]}}`, "require('./p')"
		}, "return 3", "a.test.js"},
		"read as a text":                   {func(e *qa.Execution, _ map[string]string) { e.Read["p.js"] = []string{"b.test.js"} }, "return 3", "a.test.js b.test.js"},
		"read by a transform":              {func(e *qa.Execution, _ map[string]string) { e.Read["p.js"] = []string{""} }, "return 3", "-"},
		"a file that git does not know":    {func(e *qa.Execution, _ map[string]string) { e.Read["dist/p.js"] = []string{"b.test.js"} }, "return 3", "a.test.js b.test.js"},
		"such a file that is counted":      {func(e *qa.Execution, _ map[string]string) { e.Files["made.js"] = map[string][]int{"b.test.js": nil} }, "return 3", "a.test.js b.test.js"},
		"such a file that a transform has": {func(e *qa.Execution, _ map[string]string) { e.Read["made.js"] = []string{""} }, "return 3", "-"},
		"not all is known":                 {func(e *qa.Execution, _ map[string]string) { e.Always = []string{"b.test.js"} }, "return 3", "a.test.js b.test.js"},
		"looks at counters":                {func(_ *qa.Execution, f map[string]string) { f["b.test.js"] = "__coverage__" }, "return 3", "a.test.js b.test.js"},
		"a snapshot with a line":           {func(_ *qa.Execution, f map[string]string) { f["__snapshots__/b.test.js.snap"] = "at p.js:2" }, "return 1.5", "a.test.js b.test.js c.test.js"},
		"more than is read":                {func(_ *qa.Execution, f map[string]string) { f["p.js"] += "\u2028" }, "return 3", "-"},
	} {
		e, files := fresh()
		c.change(e, files)
		graph := Imports(fixture.Files(t, files), keys(files), forTests)
		change := changed(qa.Modified, "p.js")
		change.Bodies = &Bodies{Executed: e, Text: func(name string) []byte { return []byte(files[name]) }, Graph: func() *Graph { return graph },
			Before: func(f qa.FileChange) []byte { return []byte(files[f.Path]) },
			Now:    func(f qa.FileChange) []byte { return []byte(strings.Replace(files[f.Path], "return 1", c.fault, 1)) }}
		got := "-"
		if s, ok := change.Executed(e.Units); ok {
			got = said(s)
		}
		assert.Check(t, cmp.Equal(got, c.want), name)
		if change.Bodies.Graph = nil; name == "as it is" {
			_, ok := change.Executed(e.Units)
			assert.Assert(t, !ok, "nobody knows what loads it")
		}
	}
}

// FuzzScripted: whatever a text is, its parts are those of it, in order, and a text that
// changed in nothing changed in no body.
func FuzzScripted(f *testing.F) {
	for _, text := range []string{script, product, "x = () => () => 1", "class { static { () => 1 } }", "({ get [(() => 1)()]() { return 2 } })"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range []string{"a.js", "a.ts", "a.tsx"} {
			p := partsOf(name, text)
			if p == nil {
				continue
			}
			var whole []byte
			rest := slices.Clone(p.rest[1:])
			for _, b := range p.bodies {
				at := slices.Index(rest, 0)
				if at < 0 {
					t.Fatalf("%s: fewer places than bodies", name)
				}
				whole, rest = append(append(whole, rest[:at]...), b.text...), rest[at+1:]
				if !p.starts[b.lines.Start] {
					t.Errorf("%s: a body begins nowhere", name)
				}
			}
			if whole = append(whole, rest...); string(whole) != string(text) {
				t.Errorf("%s: the parts of %q are %q", name, text, whole)
			}
			if changed, ok := changedBodies(p, p); !ok || len(changed) > 0 {
				t.Errorf("%s: %q changed by itself", name, text)
			}
		}
	})
}
