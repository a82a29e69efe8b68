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

// A comment between a signature and its body is no part of it.
func TestSignatureEndsBeforeTheBody(t *testing.T) {
	t.Parallel()
	o, err := Parse("a.py", []byte("@cached\ndef one(a, *, b=1) -> int:  # noqa\n    # why\n    return a\n\ndef two(a): # x\n    pass\n"))
	assert.NilError(t, err)
	assert.Equal(t, o.Functions[0].Signature, "@cached def one(a, *, b=1) -> int")
	assert.Equal(t, o.Functions[1].Signature, "def two(a)")
}
