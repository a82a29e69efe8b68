package tree

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/walk"
)

// A Stamp tells whether a file was touched: no user but root can set the time of
// the last change of its metadata. Where times do not tell, its contents must do.
type Stamp struct {
	inode   uint64
	size    int64
	mode    fs.FileMode
	changed time.Time
	// modified is when the contents changed, as far as the file tells.
	modified time.Time
	// content is the hash of what is in it, zero where times tell.
	content [sha256.Size]byte
}

// touched is the stamp without what is in the file.
func (s Stamp) touched() Stamp {
	s.content = [sha256.Size]byte{}
	return s
}

// pages are what files are read into: most are smaller than what is made to read one.
var pages = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// stamper makes the stamps of files below a directory.
type stamper struct{ tells bool }

func stampsBelow(dir string) stamper { return stamper{timesTell(dir)} }

func (s stamper) of(path string, info fs.FileInfo) (Stamp, error) {
	out := stampOf(info)
	if s.tells || !info.Mode().IsRegular() {
		return out, nil
	}
	f, err := openQuietly(path)
	if errors.Is(err, fs.ErrPermission) {
		return out, nil // nobody else can map it either, and a new mode is a new stamp
	}
	if err != nil {
		return out, err
	}
	h := sha256.New()
	page := pages.Get().(*[32 << 10]byte) //nolint:forcetypeassert // nothing else is put there
	defer pages.Put(page)
	n, err := io.CopyBuffer(h, io.LimitReader(f, mostHashed), page[:])
	if n == mostHashed {
		_, _ = rand.Read(out.content[:]) // it counts as touched
	} else {
		h.Sum(out.content[:0])
	}
	return out, errors.Join(err, f.Close())
}

// mostHashed bounds what is read of a file: a hole in memory has any size.
const mostHashed = 1 << 30

// stamps are the files of a tree, by their path relative to it.
type stamps struct {
	// Project are the files of the repository itself, packages those that an
	// installation put into it, where somebody asks for them.
	Project, packages map[string]Stamp
	// dirs are the directories of the project.
	dirs map[string]bool
}

// Look looks at every file of the project below dir once, and reads none where times
// tell. Installed packages are passed over, of which there are many times more: whoever
// compares them asks for their stamps.
func Look(dir string, t *repository.Tracked) (stamps, error) { return look(dir, t, nil) }

// look is Look, and fills packages where that is a map.
func look(dir string, t *repository.Tracked, packages map[string]Stamp) (stamps, error) {
	s := stamps{Project: map[string]Stamp{}, packages: packages, dirs: map[string]bool{}}
	stamp := stampsBelow(dir)
	err := walk.Below(dir, func(rel string, d fs.DirEntry) error {
		if d.IsDir() {
			if d.Name() == ".git" || repository.ToolCache(rel) && !t.Dir(rel) || t.Venv(dir, rel) {
				return fs.SkipDir
			}
			s.dirs[rel] = t.Dir(rel) || !repository.InPackages(rel)
			return nil
		}
		into := s.Project
		if t.Installed(rel) {
			into = s.packages
		}
		if into == nil {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		into[rel], err = stamp.of(filepath.Join(dir, rel), info)
		return err
	})
	return s, err
}

// stampAll looks at every file below a directory.
func stampAll(dir string) (map[string]Stamp, error) {
	out := map[string]Stamp{}
	stamp := stampsBelow(dir)
	err := walk.Below(dir, func(rel string, d fs.DirEntry) error {
		if d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err == nil {
			out[rel], err = stamp.of(filepath.Join(dir, rel), info)
		}
		return err
	})
	return out, err
}

// Untampered makes sure that the installed packages are what was installed: a
// second tree runs with them too. What commands added is removed, as compilers
// and test runners leave notes of their own there; what they changed or removed
// has no original and is an error. Where the packages are not the code's there is
// nothing to look at; see freeze.
func (t *Tree) Untampered() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.Unmoved(); err != nil || t.box.User != nil {
		return err
	}
	now, err := t.PackageStamps()
	if err != nil {
		return fmt.Errorf("look at the installed packages: %w", err)
	}
	changed, made := each.Differ(t.opened.packages, now)
	if len(changed) > 0 {
		return fmt.Errorf("%d files of installed packages were changed by commands, among them %s; packages must stay as they were installed for a comparison", len(changed), changed[0])
	}
	root, err := os.OpenRoot(t.box.Place.Home)
	if err != nil {
		return fmt.Errorf("look at the installed packages: %w", err)
	}
	defer func() { _ = root.Close() }()
	for _, name := range made {
		name = filepath.Join(filepath.Base(t.box.Place.Tree), name)
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove what a command added to the installed packages: %w", err)
		}
	}
	return nil
}

// PackageStamps looks at everything that was installed: in the tree, and in the
// environment beside it.
func (t *Tree) PackageStamps() (map[string]Stamp, error) {
	now, err := look(t.box.Place.Tree, t.Tracked, map[string]Stamp{})
	if err != nil {
		return nil, err
	}
	beside := filepath.Join("..", filepath.Base(t.box.Place.Venv))
	venvs := []string{beside}
	err = t.packageDirs(t.box.Place.Tree, func(rel string) error {
		if filepath.Base(rel) != "node_modules" {
			venvs = append(venvs, rel)
		}
		return nil
	})
	for _, venv := range venvs {
		inside, look := stampAll(filepath.Join(t.box.Place.Tree, venv))
		err = errors.Join(err, look)
		for name, one := range inside {
			now.packages[filepath.Join(venv, name)] = one
		}
	}
	return now.packages, err
}
