package tree

import (
	"path/filepath"
	"sync"
)

// byteCode is where Python keeps what it compiled.
const byteCode = "__pycache__"

// Stir is what came and went in the project's directories, slash separated, whether
// or not it is there in the end.
type Stir struct {
	Made, Gone map[string]bool
	// Lost says that more happened than could be noted.
	Lost bool
}

func newStir() Stir { return Stir{Made: map[string]bool{}, Gone: map[string]bool{}} }

// Names notes what comes and goes in directories. It is safe for concurrent use.
type Names struct {
	mu    sync.Mutex
	watch *watch // nil where the system does not let us
}

func (n *Names) begin(tree string, dirs []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.watch.close()
	n.watch = newWatch(tree, dirs)
}

// Stirred tells what came and went since the tree was ready, or since it was asked last.
func (n *Names) Stirred() Stir {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.watch.stirred()
}

// Close ends it.
func (n *Names) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.watch.close()
	n.watch = nil
}

// watched are the directories of the project in a tree, and those that packages lie in.
func watched(known map[string]bool) []string {
	dirs := []string{"."}
	for dir, own := range known {
		if own && dir != "." {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// IsPackages reports whether a path is a directory of packages that was handed over.
func IsPackages(t *Tree, name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.frozen[filepath.FromSlash(name)]
	return ok
}
