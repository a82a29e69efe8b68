package quality_test

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/quality"
)

func TestIsolationGaps(t *testing.T) {
	t.Parallel()
	full := []string{"uid: commands run as 65532, without groups", "namespaces: own mounts", "landlock: not needed: only the workspace is mounted"}
	assert.Equal(t, len(quality.IsolationGaps(full)), 0)
	got := quality.IsolationGaps([]string{"env: allow-list", "namespaces: off: operation not permitted", "landlock: unsupported on darwin", "seccomp: deny list"})
	assert.DeepEqual(t, got, []string{"isolation was not full: no namespaces, no landlock"})
}
