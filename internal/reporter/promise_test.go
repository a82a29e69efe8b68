package reporter

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/quality"
)

// TestEarlierReportsAreRead: a report of the same schema version that an earlier
// release wrote is read, agrees with itself and is rendered by every member. What
// stands in testdata/schema-1 was written before fields were added and is never
// written anew.
func TestEarlierReportsAreRead(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/schema-1/*.json")
	assert.NilError(t, err)
	assert.Equal(t, len(files), 3)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		assert.NilError(t, err)
		r, err := Parse(raw)
		assert.NilError(t, err, file)
		assert.NilError(t, quality.Verify(r), file)
		for _, member := range Names() {
			assert.NilError(t, Render(io.Discard, member, r, onHost()), "%s as %s", file, member)
		}
	}
}
