package source

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"
)

// samples are the source files under testdata/<language>.
func samples(t testing.TB) []string {
	t.Helper()
	var out []string
	for e := range byExtension {
		found, err := filepath.Glob(filepath.Join("testdata", "*", "*"+e))
		assert.NilError(t, err)
		out = append(out, found...)
	}
	assert.Assert(t, len(out) >= 8, "the samples are gone")
	return out
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, path := range samples(t) {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(path)
			assert.NilError(t, err)
			o, err := Parse(filepath.ToSlash(path), src)
			assert.NilError(t, err)
			assert.Assert(t, !o.Broken)
			text, err := json.MarshalIndent(o, "", " ")
			assert.NilError(t, err)
			name, _ := filepath.Rel("testdata", path)
			golden.Assert(t, string(text)+"\n", name+".outline.json")
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
