package change

import (
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

func TestTracked(t *testing.T) {
	t.Parallel()
	outer := newTree(t)
	outer.write("inner/out/planted", "x")
	outer.write("inner.txt", "x")
	outer.git("add", "-A")
	outer.git("commit", "-q", "-m", "outer")
	in := tree{t, filepath.Join(outer.dir, "inner")}
	ask := func(name string, commits ...string) []string {
		t.Helper()
		got, err := Tracked(t.Context(), in.dir, name, commits...)
		assert.NilError(t, err)
		return got
	}
	// A repository without a commit, in one that has files in its place.
	in.git("init", "-q", "-b", "main")
	assert.DeepEqual(t, ask("out"), []string{"out/planted"})
	assert.DeepEqual(t, ask("other"), []string(nil))
	outer.git("rm", "-q", "--cached", "-r", "inner")
	outer.git("commit", "-q", "-m", "none")
	assert.DeepEqual(t, ask("out"), []string(nil))
	// The index alone.
	in.git("add", "out/planted")
	assert.DeepEqual(t, ask("out"), []string{"out/planted"})
	assert.DeepEqual(t, ask("OUT/Planted"), []string{"out/planted"})
	assert.DeepEqual(t, ask("ou"), []string(nil))
	// A commit alone: HEAD, and one that is not checked out.
	in.git("commit", "-q", "-m", "one")
	in.git("branch", "side")
	in.git("rm", "-q", "--cached", "out/planted")
	assert.DeepEqual(t, ask("out"), []string{"out/planted"})
	in.git("commit", "-q", "-m", "two")
	assert.DeepEqual(t, ask("out"), []string(nil))
	assert.DeepEqual(t, ask("out", "", "--all", "0123456789012345678901234567890123456789"), []string(nil))
	assert.DeepEqual(t, ask("out", "side"), []string{"out/planted"})
	assert.DeepEqual(t, ask("out/planted/deep", "side"), []string{"out/planted"})
	// An outer repository that names a commit of this one has no file of it; and
	// what this one has as a submodule is not ours.
	outer.git("add", "inner")
	outer.git("commit", "-q", "-m", "submodule")
	assert.DeepEqual(t, ask("out"), []string(nil))
	deep := tree{t, filepath.Join(in.dir, "sub")}
	in.write("sub/out/x", "x")
	deep.git("init", "-q")
	deep.git("add", "-A")
	deep.git("commit", "-q", "-m", "deep")
	in.git("add", "sub")
	assert.DeepEqual(t, ask("sub/out"), []string{"sub"})
	in.git("commit", "-q", "-m", "three")
	in.git("rm", "-q", "--cached", "sub")
	assert.DeepEqual(t, ask("sub/out"), []string{"sub"})
}
