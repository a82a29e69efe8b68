package impact

import (
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

func keys(files map[string]string) iter.Seq[string] {
	return slices.Values(slices.Sorted(maps.Keys(files)))
}

func forTests(name string) bool {
	return strings.Contains(name, "test") || strings.Contains(name, "conftest")
}

func changed(status qa.FileStatus, names ...string) Change {
	c := Change{Steers: func(f string) bool { return f == "package.json" || Steering(f) }, Unread: func(f string) bool { return f == "README.md" }, Elsewhere: func(f string) bool { return strings.HasPrefix(f, "other/") }}
	for _, name := range names {
		kind := qa.KindSource
		switch {
		case strings.Contains(name, "test"):
			kind = qa.KindTest
		case strings.HasSuffix(name, ".md"):
			kind = qa.KindDocs
		}
		c.Files = append(c.Files, qa.FileChange{Path: name, Status: status, Kind: kind})
	}
	return c
}

// said is a selection in one line: what runs, or why everything does.
func said(s Selection) string {
	if s.All != "" {
		return "all: " + s.All
	}
	return strings.Join(s.Units, " ")
}

func TestImports(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"package.json":                      `{"scripts": {"test": "mocha -r ./src/first.js"}, "jest": {"setupFiles": ["./setup.js"]}}`,
		"README.md":                         "",
		"NOTES.md":                          "",
		"setup.js":                          "import './src/log.js'",
		"src/a.js":                          "import { b } from './b'",
		"src/b.js":                          "export const b = 1",
		"src/c.js":                          "",
		"src/lone.js":                       "",
		"src/deep.js":                       "",
		"src/view.vue":                      "import './deep'",
		"src/first.js":                      "import './early.js'",
		"src/early.js":                      "",
		"test/view.test.js":                 "import '../src/view.vue'",
		"test/early.test.js":                "import '../src/early'; import '../src/deep'",
		"src/log.js":                        "",
		"src/data.json":                     "{}",
		"src/reads.js":                      "import data from './data.json'",
		"src/dynamic.js":                    "export const load = name => import(name)",
		"dist/a.js":                         "",
		"other/x.go":                        "package x",
		"other/y.js":                        "",
		"test/helper.js":                    "import '../src/c'",
		"test/a.test.js":                    "import '../src/a'",
		"test/b.test.js":                    "import '../src/b'; import '../src/reads'",
		"test/c.test.js":                    "import './helper'",
		"test/built.test.js":                "import '../dist/a.js'",
		"test/dynamic.test.js":              "import '../src/dynamic'",
		"test/__snapshots__/c.test.js.snap": "",
	}
	root := fixture.Files(t, files)
	g := Imports(root, keys(files), forTests)
	units := []string{"test/a.test.js", "test/b.test.js", "test/built.test.js", "test/c.test.js", "test/dynamic.test.js", "test/early.test.js", "test/view.test.js"}
	const doubted = "test/built.test.js test/dynamic.test.js test/view.test.js" // these always run
	for name, c := range map[string]struct {
		change Change
		want   string
	}{
		"behind another":      {changed(qa.Modified, "src/b.js"), "test/a.test.js test/b.test.js " + doubted},
		"of one":              {changed(qa.Modified, "src/a.js"), "test/a.test.js " + doubted},
		"a test":              {changed(qa.Modified, "test/a.test.js"), "test/a.test.js " + doubted},
		"a helper of tests":   {changed(qa.Modified, "test/helper.js"), doubted[:18] + " test/c.test.js " + doubted[19:]},
		"data that one loads": {changed(qa.Modified, "src/data.json"), "test/b.test.js " + doubted},
		"a snapshot":          {changed(qa.Modified, "test/__snapshots__/c.test.js.snap"), doubted[:18] + " test/c.test.js " + doubted[19:]},
		"what no test opened": {changed(qa.Modified, "src/a.js", "README.md"), "test/a.test.js " + doubted},
		"other data":          {changed(qa.Modified, "src/a.js", "NOTES.md"), "all: NOTES.md changed, and who reads it is not known"},
		"no test loads it":    {changed(qa.Modified, "src/a.js", "src/lone.js"), "all: no test is known to load src/lone.js"},
		"before the tests":    {changed(qa.Modified, "src/log.js"), "all: src/log.js is loaded before the tests"},
		"before, by a script": {changed(qa.Modified, "src/early.js"), "all: src/early.js is loaded before the tests"},
		"behind a component":  {changed(qa.Modified, "src/deep.js"), "test/built.test.js test/dynamic.test.js test/early.test.js test/view.test.js"},
		"configuration":       {changed(qa.Modified, "package.json"), "all: package.json changed, which says how tests run"},
		"a runner's":          {changed(qa.Modified, "vitest.config.ts"), "all: vitest.config.ts changed, which says how tests run"},
		"moved":               {changed(qa.Renamed, "src/a.js"), "all: src/a.js was renamed"},
		"gone":                {changed(qa.Deleted, "src/z.js"), "all: src/z.js was deleted"},
		"a test that is gone": {changed(qa.Deleted, "test/z.test.js"), doubted},
		"another suite's":     {changed(qa.Modified, "src/a.js", "other/y.js"), "test/a.test.js " + doubted},
	} {
		assert.Equal(t, said(g.Select(c.change, units)), c.want, name)
	}
	s := g.Select(changed(qa.Modified, "src/a.js"), units)
	assert.Equal(t, s.Left, 3)
	// One of which nothing is known runs.
	assert.Equal(t, said(g.Select(changed(qa.Modified, "src/a.js"), []string{"test/a.test.js", "test/c.test.js", "gone.test.js"})), "gone.test.js test/a.test.js")
}

// What a configuration has loaded before the tests may load more, or name more.
func TestImportsBeforeTheTests(t *testing.T) {
	t.Parallel()
	of := func(files map[string]string) string {
		g := Imports(fixture.Files(t, files), keys(files), forTests)
		return said(g.Select(changed(qa.Modified, "src/a.js"), []string{"test/a.test.js", "test/b.test.js"}))
	}
	files := map[string]string{"src/a.js": "", "test/a.test.js": "import '../src/a'", "test/b.test.js": "", "setup.js": "", "vitest.config.js": "import { shared } from './conf/shared'"}
	assert.Equal(t, of(files), "test/a.test.js")
	files["conf/shared.js"] = "export const shared = { setupFiles: ['./setup.js'] }"
	assert.Equal(t, of(files), "test/a.test.js")
	files["setup.js"] = "import './src/a'"
	assert.Equal(t, of(files), "all: src/a.js is loaded before the tests")
	files["setup.js"] = "for (const file of list) require(file)"
	assert.Equal(t, of(files), "all: conf/shared.js is loaded before the tests, and may load more than can be told")
}

func TestPackages(t *testing.T) {
	t.Parallel()
	root := fixture.Files(t, map[string]string{
		"a/a.go":        "package a",
		"d/d.go":        "package d",
		"a/a_test.go":   "package a",
		"b/b_test.go":   "package b\n// opens \"../a/data\"",
		"c/c_test.go":   "package c_test",
		"cmd/m_test.go": "package main",
		"e/e_test.go":   "package e",
		"testutil/u.go": "package testutil\nvar _, at, _, _ = runtime.Caller(0)",
		"d/x/x.go":      "package x",
		"run/run.go":    "package run\nvar c = exec.Command(\"go\", \"run\", \"m/cmd\")",
		"run/r_test.go": "package run",
		"top_test.go":   "package m\n// os.ReadFile(\"d/d.go\")",
		"main/main.go":  "package main",
		"cmd/main.go":   "package main",
		"c/c.go":        "package c",
	})
	line := func(fields ...string) string { return strings.Join(fields, "\t") + "\tfalse\n" }
	at := func(dir string) string { return filepath.Join("/copy", dir) }
	listing := line("m/a", "", at("a"), "a.go", "a_test.go ", "fmt m/d") +
		line("m/b", "", at("b"), "b.go", "b_test.go ", "fmt") +
		line("m/c", "", at("c"), "c.go", " c_test.go", "fmt") +
		line("m/c_test [m/c.test]", "m/c", at("c"), "", " ", "m/c m/a m/d fmt") +
		line("m/cmd", "", at("cmd"), "main.go", "m_test.go ", "fmt") +
		line("m/d", "", at("d"), "d.go", " ", "fmt") +
		line("m/e", "", at("e"), "e.go", "e_test.go ", "fmt") +
		line("m/e [m/e.test]", "m/e", at("e"), "e.go", "e_test.go ", "fmt m/testutil") +
		line("m/a.test", "", at("a"), "/cache/bd-d", " ", "m/a") +
		line("m/testutil", "", at("testutil"), "u.go", " ", "fmt") +
		line("m/main", "", at("main"), "main.go", " ", "m/d") +
		line("m/run", "", at("run"), "run.go", "r_test.go ", "os/exec") +
		line("m/lib", "", at("lib"), "lib.go", " ", "m/a") + // of which only others are built
		line("m", "", at("."), "", "top_test.go ", "") +
		line("other/x", "", "/elsewhere/x", "", " ", "") + "not a line\n"
	listing = strings.Replace(listing, "lib.go\t \tm/a\tfalse", "lib.go\t \tm/a\ttrue", 1)
	units := []string{"m/a", "m/b", "m/c", "m/cmd", "m/e"}
	l := Listing{Root: root, Tree: "/copy", Text: listing}
	for name, c := range map[string]struct {
		change Change
		want   string
	}{
		"behind others":       {changed(qa.Modified, "d/d.go"), "m/a m/b m/c m/e m/d m/main"}, // d and main, without tests, are built; b looks elsewhere, as what e is tested with
		"of a test alone":     {changed(qa.Modified, "c/c_test.go"), "m/b m/c m/e"},
		"of its own":          {changed(qa.Modified, "cmd/main.go"), "m/b m/cmd m/e"},
		"of no package":       {changed(qa.Modified, "z/z.go"), "all: no test is known to load z/z.go"},
		"data":                {changed(qa.Modified, "a/testdata/x.txt"), "all: a/testdata/x.txt changed, and who reads it is not known"},
		"what no test opened": {changed(qa.Modified, "README.md", "a/a.go"), "m/a m/b m/c m/e"},
	} {
		assert.Equal(t, said(Packages(l, c.change, units)), c.want, name)
	}
	assert.Equal(t, said(Packages(l, changed(qa.Modified, "cmd/main.go"), append(units, "m/new"))), "m/b m/cmd m/e m/new")
	assert.Equal(t, said(Packages(l, changed(qa.Modified, "cmd/main.go"), []string{"m/cmd", "m/run"})), "m/cmd m/run")
	assert.Equal(t, said(Packages(l, changed(qa.Modified, "cmd/main.go", "d/d.go"), []string{"m", "m/cmd"})), "m m/cmd m/a m/c m/d m/main") // what lies below it
	assert.Equal(t, said(Packages(l, changed(qa.Modified, "cmd/main.go"), []string{"m/a", "m/cmd"})), "m/cmd")
	// Of a suite that the change cannot reach nothing runs.
	c := changed(qa.Modified, "other/y.js")
	assert.DeepEqual(t, Packages(l, c, []string{"m/a"}), Selection{Left: 1})
}
