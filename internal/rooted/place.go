package rooted

import (
	"os"
	"path"
	"path/filepath"
)

// Place is a directory in which something of ours is to be written, below a root
// that is held open. It need not exist.
type Place struct {
	root *os.Root
	top  string // absolute
	name string // slash-separated
}

// In is a place below an open root, whose path is top.
func In(root *os.Root, top string, elem ...string) Place {
	return Place{root: root, top: top}.Join(elem...)
}

// Join is a place below this one.
func (p Place) Join(elem ...string) Place {
	p.name = path.Join(append([]string{p.name}, elem...)...)
	return p
}

// Beside is the place whose name has something more behind it.
func (p Place) Beside(suffix string) Place {
	p.name += suffix
	return p
}

// Path is the place's absolute path.
func (p Place) Path() string { return filepath.Join(p.top, filepath.FromSlash(p.name)) }

// Make makes the directory and opens it.
func (p Place) Make() (*os.Root, error) {
	name := filepath.FromSlash(path.Join(".", p.name))
	if err := p.root.MkdirAll(name, 0o755); err != nil {
		return nil, err
	}
	return p.root.OpenRoot(name)
}
