package tree

import (
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"
)

// That names are not noted is said, and why.
func TestNamesThatAreNotNoted(t *testing.T) {
	t.Parallel()
	var n Names
	dir := t.TempDir()
	n.begin(dir, []string{"."})
	assert.Check(t, cmp.Equal(n.Level(), "notes of names: what comes and goes where runners look is noted"))
	n.begin(dir, make([]string, maxWatched+1))
	assert.Check(t, cmp.Equal(n.Level(), "notes of names: off: inotify: 50001 directories, more than 50000"))
	_, got := n.Stirred()
	assert.Check(t, cmp.Len(got.Made, 0))
}
