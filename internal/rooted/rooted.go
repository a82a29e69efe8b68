// Package rooted reads and replaces files below an [os.Root] into which somebody
// else may have put anything: links, pipes, devices, files without an end.
// Nothing here leaves the root, waits for a writer or reads without a bound.
// Names are slash-separated.
package rooted

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Open opens a regular file for reading. Links inside of the root are followed.
func Open(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	info, err := root.Stat(filepath.FromSlash(name))
	return open(root, filepath.FromSlash(name), name, info, err)
}

// open opens a file of which info says what it is: opening a device can do something, so
// that was looked at first; and it is again after, because what was there may be gone.
// name is for errors.
func open(at *os.Root, local, name string, info fs.FileInfo, err error) (*os.File, fs.FileInfo, error) {
	if err == nil {
		err = regular(name, info)
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := at.OpenFile(local, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = regular(name, info)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

func regular(name string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", name)
	}
	return nil
}

// Read reads a regular file of at most limit bytes.
func Read(root *os.Root, name string, limit int64) ([]byte, error) {
	f, info, err := Open(root, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return All(f, info, name, limit)
}

// All reads an open file of at most limit bytes. Nothing is taken of one that is
// larger; one that grows while it is read is cut off and refused.
func All(f *os.File, info fs.FileInfo, name string, limit int64) ([]byte, error) {
	tooLarge := fmt.Errorf("%s is larger than %d bytes", name, limit)
	if info.Size() > limit {
		return nil, tooLarge
	}
	// With room for the end of it, one read has the whole file.
	data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	_, err := data.ReadFrom(io.LimitReader(f, limit+1))
	if err == nil && int64(data.Len()) > limit {
		return nil, tooLarge
	}
	return data.Bytes(), err
}

// ReadIn reads a regular file below a directory, as Read does.
func ReadIn(dir, name string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // only read
	return Read(root, name, limit)
}

// List lists at most that many entries of a directory; what is none, or cannot be read,
// has none. Links inside of the root are followed, and no pipe is waited for.
func List(root *os.Root, name string, most int) []fs.DirEntry {
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // only read
	entries, _ := f.ReadDir(most)    // those before an error are there
	return entries
}

// Enter opens a directory that is no link, one step below the root.
func Enter(root *os.Root, name string) (*os.Root, fs.FileInfo, error) {
	before, err := root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if err := directory(name, before); err != nil {
		return nil, nil, err
	}
	inner, err := root.OpenRoot(name)
	if err != nil {
		return nil, nil, err
	}
	after, err := inner.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = fmt.Errorf("%s was exchanged while it was opened", name)
	}
	if err != nil {
		return nil, nil, errors.Join(err, inner.Close())
	}
	return inner, after, nil
}

func directory(name string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link", name)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", name)
	}
	return nil
}

// tempMark is part of the name of every unfinished file.
const tempMark = ".tmp~"

// Replace puts a file in place of what has its name: readers find the old file
// or the new one. What is there is never written to, so neither a link nor a
// second name of a file elsewhere has an effect.
func Replace(root *os.Root, name string, data []byte) error {
	local := filepath.FromSlash(name)
	// Two runs may write the same file at once, each its own.
	temp := filepath.Join(filepath.Dir(local), "."+path.Base(name)+"."+rand.Text()[:8]+tempMark)
	f, err := Fresh(root, temp)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = root.Rename(temp, local)
	}
	if err != nil {
		_ = root.Remove(temp) // incomplete; the old file stays
	}
	return err
}

// Fresh makes a new file for writing, in place of what has its name.
func Fresh(root *os.Root, name string) (*os.File, error) {
	local := filepath.FromSlash(name)
	if err := root.Remove(local); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return root.OpenFile(local, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
}
