// Package cache gives every tree caches of its own, which start from what
// trusted commands left for all.
//
// Compilers and package managers keep what they made and fetched. Whoever can
// write there decides what others compile and run, so a test of a change must
// not: the lower layer is ours and read-only for the code, what the code writes
// goes to an upper layer that dies with the tree. Only what a command wrote that
// runs no code of the repository is taken over, before any test ran. Start at
// [Layers].
package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/runtime/walk"
)

// Layers are the caches of one tree, below two directories: Lower outlives the
// run and is written by us alone, Upper belongs to the tree.
type Layers struct {
	Lower, Upper string
	// Own gives a path of the upper layer to whoever the code runs as; nil leaves
	// it ours.
	Own func(path string) error
}

// kind is how the entries of one cache are found.
type kind struct {
	// whole reports whether a path, slash separated and relative to the cache, is
	// one thing that is taken or left as a whole; a file always is.
	whole func(rel string) bool
	// keeps refuses what is no content: locks, notes of the hour.
	keeps func(rel string) bool
	// copies names the files that are written anew although they are there.
	copies func(rel string) bool
	// trimmed is the file in which the tool notes, in seconds, when it last threw
	// out what was not used for long: entries of the lower layer look old.
	trimmed string
	// sound judges what a command made before it is taken over; nil trusts it.
	sound func(path string) bool
}

// kinds are the caches in which an entry never changes once it is there, so that
// a link to the lower layer serves as well as a copy.
var kinds = map[string]kind{
	goBuild:  {keeps: goEntry, copies: goAction, trimmed: "trim.txt", sound: soundGoEntry},
	"go-mod": {whole: goModule, keeps: goDownload},
}

// Variables are the environment of the caches below a directory, "K=V".
func Variables(dir string) []string {
	return each.Of(language.Caches(), func(c language.Cache) string { return c.Variable + "=" + filepath.Join(dir, c.Folder) })
}

// Lay shows the lower layer in the upper one, which must be empty, but for what Go
// compiled: see [Layers.LayUsed] and [Layers.LayBuilt].
func (l Layers) Lay() error {
	for name, k := range kinds {
		upper := filepath.Join(l.Upper, name)
		err := os.MkdirAll(upper, 0o755)
		if note := filepath.Join(upper, k.trimmed); err == nil && k.trimmed != "" {
			err = errors.Join(os.WriteFile(note, []byte(strconv.FormatInt(time.Now().Unix(), 10)), 0o644), l.own(note), l.own(upper))
		}
		if err == nil && name != goBuild {
			err = l.layAll(name)
		}
		if err != nil {
			return fmt.Errorf("lay cache %s: %w", name, err)
		}
	}
	return l.own(l.Upper)
}

// LayBuilt shows all that Go compiled for anybody.
func (l Layers) LayBuilt() error {
	if err := l.layAll(goBuild); err != nil {
		return fmt.Errorf("lay cache %s: %w", goBuild, err)
	}
	return nil
}

func (l Layers) layAll(name string) error {
	k, lower, upper := kinds[name], filepath.Join(l.Lower, name), filepath.Join(l.Upper, name)
	err := k.walk(lower, func(rel string, _ fs.DirEntry) error { return l.show(k, lower, upper, rel, laidAt) })
	if err != nil {
		return err
	}
	return l.ownDirs(upper)
}

// walk visits the entries of a cache, which need not be there.
func (k kind) walk(dir string, visit func(rel string, d fs.DirEntry) error) error {
	err := walk.Below(dir, func(rel string, d fs.DirEntry) error {
		slash := filepath.ToSlash(rel)
		switch whole := k.whole != nil && k.whole(slash); {
		case rel == ".":
			return nil
		case whole && d.IsDir():
			return walk.Beside(visit(rel, d))
		case d.IsDir() && strings.HasPrefix(d.Name(), "."), d.IsDir() && k.keeps != nil && !k.keeps(slash+"/"):
			return fs.SkipDir
		case d.IsDir(), k.keeps != nil && !k.keeps(slash):
			return nil
		}
		return visit(rel, d)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (k kind) copied(rel string) bool { return k.copies != nil && k.copies(filepath.ToSlash(rel)) }

// show makes one entry of the lower layer appear in the upper one; a copy has the time
// at. One that is there stays.
func (l Layers) show(k kind, lower, upper, rel string, at time.Time) error {
	from, goal := filepath.Join(lower, rel), filepath.Join(upper, rel)
	make := func() error {
		// Names of one file cost less than links, and nobody else may write to it.
		if info, err := os.Lstat(from); l.Own != nil && err == nil && info.Mode().IsRegular() && os.Link(from, goal) == nil {
			return nil
		}
		return link(from, goal)
	}
	if k.copied(rel) {
		make = func() error {
			err := CopyFile(from, goal)
			if err != nil {
				return err
			}
			return errors.Join(os.Chmod(goal, 0o644), os.Chtimes(goal, at, at), l.own(goal))
		}
	}
	err := make()
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(goal), 0o755); err == nil {
			err = make()
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// link leads to an entry by a relative way, which holds in another container that
// sees both layers by another name.
func link(from, goal string) error {
	way, err := filepath.Rel(filepath.Dir(goal), from)
	if err != nil {
		return err
	}
	return os.Symlink(way, goal)
}

// ownDirs gives the directories of the upper layer to the code's user; links
// belong to nobody in particular.
func (l Layers) ownDirs(dir string) error {
	if l.Own == nil {
		return nil
	}
	return walk.Below(dir, func(rel string, d fs.DirEntry) error {
		if !d.IsDir() {
			return nil
		}
		return l.Own(filepath.Join(dir, rel))
	})
}

func (l Layers) own(path string) error {
	if l.Own == nil {
		return nil
	}
	return l.Own(path)
}
