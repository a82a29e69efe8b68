package jsonscan

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"gotest.tools/v3/assert"
)

func TestBounds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		doc, want string
		b         Bounds
	}{
		"as many as may be":    {doc: `[{},{},{}]`, b: Bounds{Values: 6}},
		"one more":             {doc: `[{},{},{}]`, b: Bounds{Values: 5}, want: "more than 5 values"},
		"as deep as may be":    {doc: `[[{"a":[]}]]`, b: Bounds{Depth: 4}},
		"deeper":               {doc: `[[{"a":[]}]]`, b: Bounds{Depth: 3}, want: "more than 3 levels of nesting"},
		"in strings":           {doc: `["[[[,,,{{{\"[[[,,,","\\"]`, b: Bounds{Values: 2, Depth: 1}},
		"after an escape":      {doc: `["\\",[[]]]`, b: Bounds{Depth: 2}, want: "more than 2 levels"},
		"beside each other":    {doc: `[[],[],[],[]]`, b: Bounds{Depth: 2}},
		"no bounds":            {doc: strings.Repeat("[", 10_000)},
		"several documents":    {doc: "{}\n{}\n{}", b: Bounds{Values: 2}, want: "more than 2 values"},
		"not JSON, not judged": {doc: "}}}]]] what", b: Bounds{Values: 1, Depth: 1}},
	} {
		for _, r := range []func() (got []byte, err error){
			func() ([]byte, error) { return tt.b.ReadAll(strings.NewReader(tt.doc), 1<<20) },
			func() ([]byte, error) { return tt.b.ReadAll(iotest.OneByteReader(strings.NewReader(tt.doc)), 1<<20) },
		} {
			got, err := r()
			if tt.want == "" {
				assert.NilError(t, err, name)
				assert.Equal(t, string(got), tt.doc, name)
				continue
			}
			assert.ErrorContains(t, err, tt.want, name)
			assert.Assert(t, errors.As(err, new(*BoundsError)), name)
			assert.Equal(t, len(got), 0, name)
		}
	}
	_, err := Bounds{}.ReadAll(strings.NewReader("12345"), 4)
	assert.ErrorContains(t, err, "more than 4 bytes")
	_, err = Bounds{}.ReadAll(strings.NewReader("1234"), 4)
	assert.NilError(t, err)
	assert.Equal(t, Count([]byte(`{"a":[1,2,{"b":"x,y"}]}`)), 5)
}

// TestBoundsBeforeAll: of an endless document next to nothing is read.
func TestBoundsBeforeAll(t *testing.T) {
	t.Parallel()
	r := &endless{}
	_, err := Bounds{Values: 1000}.ReadAll(r, 1<<40)
	assert.ErrorContains(t, err, "more than 1000 values")
	assert.Check(t, r.given < 64<<10, "%d bytes were read", r.given)
}

type endless struct{ given int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "{},"[(e.given+i)%3]
	}
	e.given += len(p)
	return len(p), nil
}
