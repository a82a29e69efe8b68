package runtime

import (
	"os"
	"path/filepath"
	"testing"
)

// Temporary files may lie in memory, of which the code gets its own: that must not cost
// a workspace the layers that it has elsewhere, and show no more of the machine.
func TestWorkspaceInSharedMemory(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("/dev/shm", "qa-workspace-")
	if err != nil {
		t.Skip("no shared memory: ", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	// Where commands of other tests have no mounts of their own, what appears in memory
	// meanwhile and nobody has open is taken for theirs.
	held, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = held.Close() })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"other/secret": "s"})
	left := dir + "-left"
	root, base := repo(t)
	usual, w := open(t, Options{Root: root, Install: "never"}), open(t, Options{Root: root, Install: "never", Scratch: dir})
	if filepath.Dir(w.box.Place.Home) != dir {
		t.Fatalf("the workspace is %s, not in %s", w.box.Place.Home, dir)
	}
	if w.box.Layers != usual.box.Layers {
		t.Errorf("layers are %+v, elsewhere %+v", w.box.Layers, usual.box.Layers)
	}
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []*Workspace{w, b} {
		run(t, w, "sh", "-c", "echo x > made && test -e file")
		run(t, w, "sh", "-c", "test -e made")
		if w.box.Layers.Namespaces { // else all of memory is closed but for the workspace
			run(t, w, "sh", "-c", "echo x > "+left)
			run(t, w, "sh", "-c", "test ! -e "+dir+"/other && test ! -e "+left)
		}
	}
	if _, err := os.Lstat(left); err == nil {
		t.Error("a file in shared memory outlived its command")
	}
}
