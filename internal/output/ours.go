package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// RefusedError says why something in the output directory is not read.
type RefusedError struct{ Name, Why, Next string }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s is not read: %s, so it may be the work of whoever wrote the change; %s", e.Name, e.Why, e.Next)
}

// maxEntries bounds how much of the output directory is looked at; what holds
// more was not written by a run.
const maxEntries = 500_000

// Ours tells whether a file or directory in the output directory, with all that
// is below it, was left there by an earlier run: no link leads there or out of
// it, git tracks nothing of it, no repository begins in it, and nobody else owns
// it, can write it or has it under another name. What does not exist is ours.
// The error is a [RefusedError].
func (d *Dir) Ours(name string) error {
	if d.outside {
		return nil
	}
	err := d.ours(name)
	var refused *RefusedError
	if err != nil && !errors.As(err, &refused) {
		refused = &RefusedError{d.called(name), err.Error(), "make it readable, or remove it"}
		err = refused
	}
	if err != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		if !slices.ContainsFunc(d.refused, func(known error) bool { return known.Error() == err.Error() }) {
			d.refused = append(d.refused, err)
		}
	}
	return err
}

// called is how something in the directory is called to people.
func (d *Dir) called(name string) string { return path.Join(d.Name(), name) }

func (d *Dir) ours(name string) error {
	top, err := os.OpenRoot(d.spec.Checkout)
	if err != nil {
		return err
	}
	defer func() { _ = top.Close() }() // only looked at
	whole := d.called(name)
	at, why, err := d.above(top, whole)
	if err == nil && why == "" {
		at, why, err = d.below(top, whole)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case why != "":
		return refusal(whole, at, why)
	}
	return d.untracked(whole)
}

// refusal says what is wrong with at, on the way to the whole or in it.
func refusal(whole, at, why string) error {
	next := "remove it"
	if why == writable {
		next = "take that right away (chmod go-w), or remove it"
	}
	if at == whole {
		at = "it"
	}
	return &RefusedError{whole, at + " " + why, next}
}

// above looks at the checkout and the directories on the way.
func (d *Dir) above(top *os.Root, whole string) (at, why string, err error) {
	info, err := top.Stat(".")
	if err != nil {
		return "", "", err
	}
	if why := d.suspect(info); why != "" {
		return "the checkout", why, nil
	}
	for at := path.Dir(whole); at != "."; at = path.Dir(at) {
		info, err := top.Lstat(filepath.FromSlash(at))
		if err != nil {
			return at, "", err
		}
		if why := d.suspect(info); why != "" {
			return at, why, nil
		}
		if _, err := top.Lstat(filepath.Join(filepath.FromSlash(at), ".git")); err == nil {
			return at, ownRepository, nil
		}
	}
	return "", "", nil
}

const (
	writable      = "can be written by others"
	ownRepository = "is a repository of its own"
)

// below looks at something and all that it holds. The walk stays in the checkout
// and follows no link.
func (d *Dir) below(top *os.Root, whole string) (at, why string, err error) {
	seen := 0
	err = fs.WalkDir(top.FS(), whole, func(name string, _ fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name != whole {
			return nil // another run's, which has just ended with it
		}
		if err != nil {
			return err
		}
		if seen++; seen > maxEntries {
			at, why = whole, fmt.Sprintf("holds more than %d files", maxEntries)
			return fs.SkipAll
		}
		if path.Base(name) == ".git" {
			at, why = path.Dir(name), ownRepository
			return fs.SkipAll
		}
		// Not what the entry says: the walk begins with what a link leads to.
		info, err := top.Lstat(filepath.FromSlash(name))
		if errors.Is(err, fs.ErrNotExist) && name != whole {
			return nil
		}
		if err != nil {
			return err
		}
		if why = d.suspect(info); why != "" {
			at = name
			return fs.SkipAll
		}
		return nil
	})
	return at, why, err
}

// untracked asks git.
func (d *Dir) untracked(whole string) error {
	tracked, err := d.tracked()
	if err != nil {
		return &RefusedError{whole, "git could not tell whether it is tracked (" + err.Error() + ")", "remove it"}
	}
	for _, name := range tracked {
		if within(whole, name) || within(name, whole) {
			return &RefusedError{whole, name + " is tracked by git", "remove it from the repository (git rm -r --cached), or name another output-dir"}
		}
	}
	return nil
}

// within reports whether name is dir or lies below it. Case does not count: there
// are file systems for which it does not.
func within(dir, name string) bool {
	return len(name) >= len(dir) && strings.EqualFold(name[:len(dir)], dir) && (len(name) == len(dir) || name[len(dir)] == '/')
}

// suspect says what is wrong with a file or directory that a run is said to have
// left, "" for nothing.
func (d *Dir) suspect(info fs.FileInfo) string {
	if d.outside {
		if info.Mode().IsRegular() || info.IsDir() {
			return ""
		}
		return "is not a regular file"
	}
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return "is a symbolic link"
	case !mode.IsRegular() && !mode.IsDir():
		return "is neither a file nor a directory"
	case mode.IsRegular() && names(info) > 1:
		return "has a second name (hard link)"
	}
	return d.foreign(info)
}
