package outline

import (
	"encoding/json"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/testsupport/fixture"
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
