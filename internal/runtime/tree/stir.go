package tree

import (
	"maps"
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

// and is what both noted.
func (s Stir) and(other Stir) Stir {
	out := newStir()
	for _, one := range []Stir{s, other} {
		maps.Copy(out.Made, one.Made)
		maps.Copy(out.Gone, one.Gone)
		out.Lost = out.Lost || one.Lost
	}
	return out
}

// Names notes what comes and goes in directories. It is safe for concurrent use.
type Names struct {
	mu      sync.Mutex
	watch   *watch // nil where the system does not let us
	why     error  // that it does not
	earlier Stir   // noted by watches before this one
	held    Stir   // noted by this one before something was put back
}

func (n *Names) begin(tree string, dirs []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.earlier = n.earlier.and(n.held).and(n.watch.stirred())
	n.held = Stir{}
	n.watch.close()
	n.watch, n.why = newWatch(tree, dirs)
}

// Level tells whether names are noted, as the layers of the sandbox are described.
func (n *Names) Level() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.why != nil {
		return "notes of names: off: " + n.why.Error()
	}
	return "notes of names: what comes and goes where runners look is noted"
}

// Stirred tells what came and went since the tree was ready, or since it was asked
// last: before the last command of the preparation ended, and since.
func (n *Names) Stirred() (earlier, since Stir) {
	n.mu.Lock()
	defer n.mu.Unlock()
	earlier, n.earlier = n.earlier, Stir{}
	since, n.held = n.held.and(n.watch.stirred()), Stir{}
	return earlier, since
}

// hold keeps what was noted until it is asked for, forget drops what was noted after that.
func (n *Names) hold() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.held = n.held.and(n.watch.stirred())
}

func (n *Names) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.watch.stirred()
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
