package source

import (
	"encoding/json"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/fixture"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, sample := range fixture.Samples(t) {
		t.Run(sample.Name, func(t *testing.T) {
			t.Parallel()
			o, err := Parse("testdata/"+sample.Name, sample.Text)
			assert.NilError(t, err)
			assert.Assert(t, !o.Broken)
			text, err := json.MarshalIndent(o, "", " ")
			assert.NilError(t, err)
			golden.Assert(t, string(text)+"\n", sample.Name+".outline.json")
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ path, src, want string }{
		"unknown extension": {"a.rb", "x", `no parser for "a.rb", extensions understood are .cjs .cts .go .js`},
		"too large":         {"a.js", strings.Repeat(" ", maxSize+1), "at most 1048576 are read"},
		"brackets":          {"a.js", strings.Repeat("(", 5000), "nest 5000 deep"},
		"go brackets":       {"a.go", "package a; var x = " + strings.Repeat("[", 5000), "nest 5000 deep"},
		"chain":             {"a.ts", "x" + strings.Repeat(".a", maxDepth+1), "nests deeper than"},
		"go chain":          {"a.go", "package a; var x = x" + strings.Repeat(".a", 5000), "nests deeper than"},
		"python chain":      {"a.py", "x" + strings.Repeat(".a", maxDepth+1), "nests deeper than"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(tc.path, []byte(tc.src))
			assert.ErrorContains(t, err, tc.want)
		})
	}
}

func TestParseMarksBroken(t *testing.T) {
	t.Parallel()
	for path, src := range map[string]string{
		"a.go":  "package a\nfunc whole() {}\nfunc broken( {\n",
		"a.js":  "function whole() {}\nfunction broken( {\n",
		"a.tsx": "function whole() {}\nconst x = <a><b></a>;\n",
		"a.py":  "def whole(): pass\ndef broken(:\n",
	} {
		o, err := Parse(path, []byte(src))
		assert.NilError(t, err, path)
		assert.Assert(t, o.Broken, path)
		assert.Equal(t, o.Functions[0].Name, "whole", path)
	}
}
