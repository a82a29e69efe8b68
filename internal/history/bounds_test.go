package history

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestBooksAreBounded: what a book consists of is counted before a decoder makes
// tests of it.
func TestBooksAreBounded(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	book := func(values int) []byte {
		return []byte(`{"schema":1,"unknown":[` + strings.Repeat("0,", values) + "0]}")
	}
	_, err := decode(book(bounds.Values - 10))
	assert.Check(t, err == nil || !strings.Contains(err.Error(), "values"), "%v", err)
	_, err = decode(book(bounds.Values))
	assert.ErrorContains(t, err, "more than 4000000 values")
	_, err = decode([]byte(strings.Repeat("[", 65)))
	assert.ErrorContains(t, err, "more than 64 levels of nesting")
}
