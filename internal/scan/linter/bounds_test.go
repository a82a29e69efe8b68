package linter

import (
	"strings"
	"testing"
	"testing/fstest"

	"gotest.tools/v3/assert"
)

// TestReportsAreBounded: what a SARIF file consists of is counted before a
// decoder makes results of it.
func TestReportsAreBounded(t *testing.T) {
	t.Parallel()
	array := func(n int) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("[" + strings.Repeat("0,", n-1) + "0]")}
	}
	tree := fstest.MapFS{"most": array(reportBounds.Values), "more": array(reportBounds.Values + 1), "deep": {Data: []byte(strings.Repeat("[", 101))}}
	_, err := readBounded(tree, "most")
	assert.NilError(t, err)
	_, err = readBounded(tree, "more")
	assert.ErrorContains(t, err, "read report more: more than 4000000 values")
	_, err = readBounded(tree, "deep")
	assert.ErrorContains(t, err, "read report deep: more than 100 levels of nesting")
}
