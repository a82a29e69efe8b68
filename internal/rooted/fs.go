package rooted

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxRead bounds one file that is read through [FS].
const maxRead = 64 << 20

// FS is a tree that somebody else has filled, for readers of an [fs.FS]: no link
// leads out of it, what is no file or directory does not open, and no file is
// read without a bound. It holds nothing open.
func FS(dir string) fs.FS { return tree(dir) }

type tree string

// Open opens a file or directory of the tree.
func (t tree) Open(name string) (fs.File, error) {
	root, err := t.root("open", name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // what it opened stays open
	if info, err := root.Stat(filepath.FromSlash(name)); err == nil && info.IsDir() {
		return root.Open(filepath.FromSlash(name))
	}
	f, _, err := Open(root, name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ReadFile reads a regular file.
func (t tree) ReadFile(name string) ([]byte, error) {
	root, err := t.root("read", name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // only read
	return Read(root, name, maxRead)
}

// Stat looks at what has a name in the tree.
func (t tree) Stat(name string) (fs.FileInfo, error) {
	root, err := t.root("stat", name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // only looked at
	return root.Stat(filepath.FromSlash(name))
}

func (t tree) root(op, name string) (*os.Root, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	root, err := os.OpenRoot(string(t))
	if err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	return root, nil
}
