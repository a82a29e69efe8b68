package related

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestNamed: what a test is of is found in its file by its name: a function, a method, a
// class also where it has no method.
func TestNamed(t *testing.T) {
	t.Parallel()
	const src = "# class Gone:\nclass Response(Event):\n    def close(self):\n        pass\n\n\n@frozen\nclass Closed(Event):\n    pass\n\n\ndef helper():\n    pass\n"
	for name, want := range map[string]qa.Range{
		"Response": {Start: 2, End: 2}, "Response.close": {Start: 3, End: 4}, "Closed": {Start: 8, End: 8}, "helper": {Start: 12, End: 13}, "Gone": {}, "": {}, "close": {},
	} {
		at, ok := Named("events.py", []byte(src), name)
		assert.Equal(t, at, want, name)
		assert.Equal(t, ok, want != qa.Range{}, name)
	}
	at, ok := Named("span.js", []byte("class Span {\n  grow() {\n    return 1\n  }\n}\n"), "Span")
	assert.Assert(t, ok && at.Start >= 1 && at.End <= 4, at)
}
