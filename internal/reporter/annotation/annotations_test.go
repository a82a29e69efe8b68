package annotation

import (
	"bytes"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// FuzzCommands: no text of others becomes a workflow command or changes one.
func FuzzCommands(f *testing.F) {
	for _, s := range []string{"::error::x ##[error]y %0A", "\n::error::x", "a,b:c%2C", "\x1b[31m\u202e\x00\x9b1m", "\u2028\u2029\u0085", "\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var b bytes.Buffer
		b.WriteString(command(bounded(qa.Annotation{Path: s, Lines: qa.Range{Start: 3, End: 3}, Level: "failure", Title: s, Message: s, Raw: s})))
		got := b.String()
		assert.Equal(t, strings.Count(got, "\n"), 1, "%q", got)
		head, _, ok := strings.Cut(strings.TrimPrefix(got, "::error "), "::")
		assert.Assert(t, ok, "%q", got)
		assert.Equal(t, strings.Count(head, ","), 3, "%q", got)
	})
}
