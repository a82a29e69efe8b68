package executor

import (
	"testing"

	"gotest.tools/v3/assert"
)

// TestShrinks: what only lost lines, or is gone, shrinks; a value that became another does not.
func TestShrinks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		now, was string
		gone     bool
		want     bool
	}{
		"a row less":                   {now: "[\n1,\n3\n]\n", was: "[\n1,\n2,\n3\n]\n", want: true},
		"the last row less":            {now: "[\n1\n]\n", was: "[\n1,\n2\n]\n", want: true},
		"nothing left":                 {now: "", was: "a\nb\n", want: true},
		"the file is gone":             {was: "a", gone: true, want: true},
		"an empty file is gone":        {gone: true},
		"the same":                     {now: "a\nb\n", was: "a\nb\n"},
		"a row more":                   {now: "a\nb\nc\n", was: "a\nb\n"},
		"a row less and another value": {now: "a\nd\n", was: "a\nb\nc\n"},
		"another order":                {now: "b\na\n", was: "a\nb\nc\n"},
	} {
		now := []byte(c.now)
		if c.gone {
			now = nil
		}
		assert.Equal(t, shrinks(now, []byte(c.was)), c.want, name)
	}
}
