// Package walk visits what lies below directories of ours.
package walk

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Below visits a directory, as ".", and all that lies below it, by the path from there.
// Links are visited and not followed. The first error ends it; [fs.SkipDir] and
// [fs.SkipAll] are none.
func Below(dir string, visit func(rel string, d fs.DirEntry) error) error {
	dir = filepath.Clean(dir)
	// The paths of a walk begin with the directory, so that what is left of one is its rest.
	skip := len(dir)
	switch {
	case dir == ".":
		skip = 0
	case !os.IsPathSeparator(dir[skip-1]):
		skip++
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == dir {
			return visit(".", d)
		}
		return visit(path[skip:], d)
	})
}

// Files visits the regular files below a directory.
func Files(dir string, visit func(rel string, info fs.FileInfo) error) error {
	return Below(dir, func(rel string, d fs.DirEntry) error {
		if !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return visit(rel, info)
	})
}

// Beside goes on beside a directory that was dealt with. The walk compares with ==, so
// that the sentinel must not be joined with anything.
func Beside(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}
