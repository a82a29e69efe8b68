package related

import (
	"context"
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// What nothing of before leads to is fresh; what took over the work of something older, or
// is called where names are not written, is not.
func TestFresh(t *testing.T) {
	t.Parallel()
	before := map[string]string{
		"a.go":   "package a\n\nfunc Old(n int) int { return n + 1 }\n\nfunc Gone(n int) int { return n }\n",
		"b.go":   "package a\n\nfunc B(w Writer) { w.Flush() }\n",
		"c.js":   "class C {\n  run () { return 1 }\n}\n",
		"use.js": "const all = []\n",
	}
	after := map[string]string{
		"a.go": "package a\n\nfunc Old(n int) int {\n\tadd := func(m int) int { return m + 1 }\n\treturn helper(n) + add(n)\n}\n\nfunc helper(n int) int { return deeper(n) }\n\nfunc deeper(n int) int { return n }\n" +
			"\n// Alone is none of Old's. Old does not need it.\nfunc Alone(n int) int { return below(n) }\n\nfunc below(n int) int { return n }\n\nfunc (t T) Flush() {}\n\nfunc init() {}\n",
		"b.go":      before["b.go"],
		"moved.go":  "package a\n\nfunc Gone(n int) int { return n }\n",
		"c.js":      "class C {\n  run () { return 1 }\n  stop () { return 2 }\n  constructor () {}\n}\nfunction listed () {}\nfunction other () {}\nmodule.exports = { C, other }\n",
		"use.js":    "const all = [listed]\n",
		"a_test.go": "package a\n\nfunc TestAlone() { Alone(1) }\n",
	}
	var files []qa.FileChange
	for _, name := range []string{"a.go", "moved.go", "c.js", "use.js", "a_test.go"} {
		f := qa.FileChange{Path: name, Status: qa.Modified, Kind: qa.KindSource}
		if before[name] == "" {
			f.Status = qa.Added
		}
		if strings.HasSuffix(name, "_test.go") {
			f.Kind = qa.KindTest
		}
		for i, line := range strings.Split(after[name], "\n") {
			if !strings.Contains(before[name], line) {
				f.Added = append(f.Added, qa.Range{Start: i + 1, End: i + 1})
			}
		}
		files = append(files, f)
	}
	c := code(t, after, qa.Change{Base: "base", Files: files})
	c.o.Content = func(_ context.Context, _, path string) ([]byte, error) {
		if text, ok := before[path]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}
	fresh := Fresh(t.Context(), c)
	for at, want := range map[Site]bool{
		{"a.go", "Alone"}: true, {"a.go", "below"}: true, {"c.js", "C.stop"}: true, {"c.js", "other"}: true,
		{"a.go", "Old"}:           false, // it was there
		{"a.go", "helper"}:        false, // Old's work
		{"a.go", "deeper"}:        false, // likewise, one step on
		{"a.go", "T.Flush"}:       false, // something calls a method of that name
		{"a.go", "init"}:          false, // runs unnamed
		{"b.go", "B"}:             false, // not changed
		{"moved.go", "Gone"}:      false, // stood elsewhere
		{"c.js", "C.run"}:         false,
		{"c.js", "C.constructor"}: false,
		{"c.js", "listed"}:        false, // a list of an older file has it
	} {
		assert.Equal(t, fresh(at.Path, at.Symbol), want, "%v", at)
	}
	c.o.Change.All = true
	assert.Assert(t, !Fresh(t.Context(), c)("a.go", "Alone"), "of everything nothing is new")
}
