package change

import (
	"testing"

	"gotest.tools/v3/assert"
)

// What the commits of a change say is read with and without a pull request.
func TestMessages(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("a.go", "package a\n")
	base := r.commit("base")
	r.write("a.go", "package a\n\nvar A = 1\n")
	r.commit("a: one\n\nBREAKING CHANGE: A is there.\n\ncommit 123 is no header")
	r.write("a.go", "package a\n\nvar A = 2\n")
	r.commit("a: two")
	got, err := Messages(t.Context(), r.dir, base, r.git("rev-parse", "HEAD"))
	assert.NilError(t, err)
	assert.DeepEqual(t, got, []string{"a: two", "a: one\n\nBREAKING CHANGE: A is there.\n\ncommit 123 is no header"})
	none, err := Messages(t.Context(), r.dir, base, base)
	assert.NilError(t, err)
	assert.Equal(t, len(none), 0)
	_, err = Messages(t.Context(), r.dir, "--all", base)
	assert.ErrorContains(t, err, "not full commit ids")
}
