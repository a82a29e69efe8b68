package scout

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/source/versions"
)

func TestMarkedShowsWhatWasTakenAway(t *testing.T) {
	t.Parallel()
	f := shownFile{Side: related.Side{
		Source: "func Half(n int) int {\n\treturn n / 2\n}\n",
		Before: "func Half(n int) int {\n\tif n < 0 {\n\t\treturn 0\n\t}\n\treturn n >> 1\n}\n",
		Added:  []qa.Range{{Start: 2, End: 2}},
	}}
	want := "  func Half(n int) int {\n- \tif n < 0 {\n- \t\treturn 0\n- \t}\n- \treturn n >> 1\n+ \treturn n / 2\n  }\n"
	if got := marked(f); got != want {
		t.Errorf("got\n%s", got)
	}
	for quote, want := range map[string]qa.Range{
		"return n / 2":                        {Start: 2, End: 2},
		"if n < 0 {":                          {Start: 2, End: 2}, // where it stood
		"- \tif n < 0 {":                      {Start: 2, End: 2},
		"- if n < 0 {\n-  return 0":           {Start: 2, End: 2},
		"- \treturn n >> 1\n+ \treturn n / 2": {Start: 2, End: 2},
	} {
		if got, ok := place(f, quote); !ok || got != want {
			t.Errorf("%q: got %v %t", quote, got, ok)
		}
	}
	for _, quote := range []string{"return n * 2", "- return n * 2", "- "} {
		if got, ok := place(f, quote); ok {
			t.Errorf("%q was placed at %v", quote, got)
		}
	}
}

func TestMarkedCutsLongFiles(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.Repeat("x\n", 400), "\n")
	lines[299], lines[199], lines[349] = "changed", "in the function", "far away"
	f := shownFile{Side: related.Side{Source: strings.Join(lines, "\n"), Added: []qa.Range{{Start: 300, End: 300}}, Whole: []qa.Range{{Start: 198, End: 202}}}}
	got := marked(f)
	for text, want := range map[string]bool{"+ changed": true, "  in the function": true, "far away": false, "…": true} {
		if strings.Contains(got, text) != want {
			t.Errorf("shows %q: %t\n%s", text, !want, got)
		}
	}
	if n := strings.Count(got, "\n"); n > 60 {
		t.Errorf("shows %d lines", n)
	}
}

func TestClaimsNeedAnInput(t *testing.T) {
	t.Parallel()
	c := claimed("return out")
	c.Trigger = " "
	m := answers(c)
	res, err := m.Scan(t.Context(), sample())
	if err != nil || len(res.Hits) > 0 || len(res.Dropped) != 1 {
		t.Errorf("got %+v, dropped %v, %v", res.Hits, res.Dropped, err)
	}
}

// A reader is told the version of Go: that of the file's module, or a later one of its own.
func TestFilesOfGoTellTheirVersion(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.21\n", "a/b/b.go": "package b\n", "tool/go.mod": "module tool\n\ngo 1.25.1\n", "tool/t.go": "package tool\n",
		"a/b/b.py": "n = 1\n", "none/go.mod": "module none\n", "none/n.go": "package none\n",
		"a/new.go": "// Of today.\n\n//go:build go1.22 && !tinygo\n\npackage a\n", "a/old.go": "//go:build !go1.22\n\npackage a\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := checkout.Checkout{Root: root}
	for file, want := range map[string]string{"a/b/b.go": "1.21", "tool/t.go": "1.25.1", "a/b/b.py": "", "none/n.go": "", "a/new.go": "1.22", "a/old.go": "1.21", "a/made.go": "1.21"} {
		if got := versions.Go(in.Read, file); got != want {
			t.Errorf("%s: %q, not %q", file, got, want)
		}
	}
	text, err := render("scan.md", input{Files: []shownFile{{Side: related.Side{Path: "a/b/b.go", Source: "package b\n"}, Version: "1.21", Release: "2.0"}}})
	if err != nil || !strings.Contains(text, "File a/b/b.go, in Go 1.21, of the project at version 2.0:") {
		t.Errorf("%v\n%s", err, text)
	}
}

// What stands around several files of a request is told once.
func TestAroundIsToldOnce(t *testing.T) {
	t.Parallel()
	file := func(name, context string) shownFile {
		return shownFile{Side: related.Side{Path: name, Source: "package b\n"}, Context: context}
	}
	text, err := render("scan.md", input{Files: []shownFile{file("a.go", ""), file("b.go", "flag.go: Set"), file("c.go", "flag.go: Get"), file("d.go", "flag.go: Set"), file("e.go", "")}})
	assert.NilError(t, err)
	assert.Equal(t, strings.Count(text, "flag.go: Set"), 1)
	assert.Equal(t, strings.Count(text, "Around it: as for b.go\n"), 1)
	assert.Equal(t, strings.Count(text, "Around it"), 3)
}
