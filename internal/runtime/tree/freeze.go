package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/user"
	"github.com/org/qa-action/internal/runtime/walk"
)

// stickyDir lets everybody make entries and nobody remove those of others.
const stickyDir = 0o777 | fs.ModeSticky

// freeze makes what was installed ours, so that the code can read it and not change
// it: a second tree runs with the same packages. Only beside the packages, in a
// node_modules folder itself, new entries can be made, as tools keep their caches
// there. Without another user nothing can be frozen; see untampered.
func (t *Tree) freeze() error {
	return t.packagesTo(&user.User{UID: os.Geteuid(), GID: os.Getegid()}, 0o022, stickyDir)
}

// Thaw gives the packages back to the code, for a command of the preparation.
func (t *Tree) Thaw() error {
	return errors.Join(t.Unshare(), t.packagesTo(t.box.User, 0, 0o755))
}

// Unshare gives the copy packages of its own, where they are second names of files of
// the checkout. It is called before every command that may change packages.
func (t *Tree) Unshare() error {
	if !t.Shares {
		return nil
	}
	t.Shares = false
	err := t.packageDirs(t.box.Place.Tree, func(rel string) error {
		return clone.Unshare(filepath.Join(t.box.Place.Tree, rel), t.box.User)
	})
	if err != nil {
		return fmt.Errorf("give the copy packages of its own: %w", err)
	}
	return nil
}

// packagesTo gives all that was installed to an owner, without the rights of mask
// for others, and sets the mode of the outermost folders that packages lie in.
func (t *Tree) packagesTo(owner *user.User, mask, folder fs.FileMode) error {
	if t.box.User == nil {
		return nil
	}
	t.frozen = map[string]fs.FileInfo{}
	g := giving{owner: owner, mask: mask, folder: folder}
	err := t.packageDirs(t.box.Place.Tree, func(rel string) error {
		info, err := os.Lstat(filepath.Join(t.box.Place.Tree, rel))
		if err != nil {
			return err
		}
		t.frozen[rel] = info
		return g.all(t.box.Place.Tree, rel, t.Tracked)
	})
	if err == nil && repository.IsVenv(t.box.Place.Venv) {
		err = g.all(t.box.Place.Venv, ".", nil)
	}
	if err != nil {
		return fmt.Errorf("hand over the installed packages: %w", err)
	}
	return nil
}

// Unmoved makes sure that the directories of packages are those that were frozen:
// the code cannot write to them, but put others in their place.
func (t *Tree) Unmoved() error {
	if now, err := os.Lstat(t.box.Place.Home); err != nil || t.box.Place.Made != nil && !os.SameFile(t.box.Place.Made, now) {
		return errors.New("the copy of head is no longer where it was made")
	}
	for rel, was := range t.frozen {
		if info, err := os.Lstat(filepath.Join(t.box.Place.Tree, rel)); err != nil || !os.SameFile(was, info) {
			return fmt.Errorf("commands moved the installed packages of %s; packages must stay as they were installed for a comparison", rel)
		}
	}
	return nil
}

// packageDirs visits the outermost directories of a tree that an installation has
// filled, relative to it.
func (t *Tree) packageDirs(tree string, visit func(rel string) error) error {
	return walk.Below(tree, func(rel string, d fs.DirEntry) error {
		switch {
		case !d.IsDir():
		case rel == ".git", d.Name() == "node_modules" && repository.Built(tree, rel):
			return fs.SkipDir
		case d.Name() == "node_modules" || t.Tracked.Venv(tree, rel):
			return walk.Beside(visit(rel))
		}
		return nil
	})
}

// giving is a change of owner and modes.
type giving struct {
	owner *user.User
	mask  fs.FileMode // taken from the rights of what is no folder
	// folder is the mode of an outermost directory of packages: a second tree has
	// one of its own, and shares what lies in it as a whole.
	folder fs.FileMode
}

// all changes what lies below a directory of a tree. What git knows stays the
// project's, and the caches of tools stay the code's.
func (g giving) all(tree, dir string, t *repository.Tracked) error {
	top := filepath.Join(tree, dir)
	return walk.Below(top, func(inside string, d fs.DirEntry) error {
		path, rel := filepath.Join(top, inside), filepath.Join(dir, inside)
		switch {
		case d.IsDir() && repository.ToolCache(rel) && filepath.Dir(rel) == dir:
			return fs.SkipDir
		case t.File(rel), d.IsDir() && t.Dir(rel):
			return nil
		case rel == dir && d.Name() == "node_modules": // of base a directory of its own
			return errors.Join(g.owner.Own(path), os.Chmod(path, g.folder))
		}
		return g.one(path, d)
	})
}

func (g giving) one(path string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	// A second name of a file of the checkout is left as it is there.
	if g.owner.Owns(info) && user.Linked(info) && !d.IsDir() {
		return nil
	}
	if err := g.owner.Own(path); err != nil || d.Type()&fs.ModeSymlink != 0 {
		return err
	}
	mode := info.Mode().Perm() &^ g.mask
	if g.mask != 0 { // whoever installed them may have kept them for himself
		mode |= 0o444 | mode&0o100>>3 | mode&0o100>>6
	}
	if mode == info.Mode().Perm() {
		return nil
	}
	return os.Chmod(path, mode)
}

// Readied is called when no test has run yet, or none runs: what lies in the tree
// now is what it was opened with.
func (t *Tree) Readied() (err error) {
	if err := t.freeze(); err != nil {
		return err
	}
	if t.opened, err = Look(t.box.Place.Tree, t.Tracked); err != nil {
		return fmt.Errorf("look at the copy: %w", err)
	}
	if err := withoutByteCode(t); err != nil {
		return fmt.Errorf("look at the copy: %w", err)
	}
	if t.box.User == nil {
		t.opened.packages, err = t.PackageStamps()
	}
	keepOwn(t, nil)
	t.Names.begin(t.box.Place.Tree, watched(t.opened.dirs))
	t.Names.Stirred() // what made the tree ready is nobody's doing
	return err
}
