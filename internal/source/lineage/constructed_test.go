package lineage

import (
	"testing"

	"gotest.tools/v3/assert"
)

// TestConstructed: what makes objects of a class is told from its other methods.
func TestConstructed(t *testing.T) {
	t.Parallel()
	for symbol, want := range map[string]string{
		"Span.__init__": "Span", "Span.constructor": "Span", "Outer.Span.__post_init__": "Outer.Span", "Span.Span": "Span", "Outer.Span.Span": "Outer.Span",
		"Span.grow": "", "Span": "", "__init__": "", "": "",
	} {
		assert.Equal(t, Constructed(symbol), want, symbol)
	}
}
