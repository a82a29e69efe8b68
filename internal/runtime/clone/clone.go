// Package clone copies checkouts and installations to another place: files that name
// the old one name the new one afterwards, and what nobody committed and looks like
// a secret stays behind.
package clone

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/user"
	"github.com/org/qa-action/internal/runtime/walk"
	"github.com/org/qa-action/internal/timing"
)

// Copy is a checkout that is to be copied, From, to an empty directory.
type Copy struct {
	From, To string
	User     *user.User // gets the copy
	Private  *Privacy   // what stays out
	// Without are directories, absolute, that are left out: our own are written to
	// while the copy is made.
	Without []string
	// Share lets installed packages be second names of the files of the checkout, where
	// those are ours and the code cannot change them; see [Apart].
	Share bool
}

// Tree makes the copy. Files share their blocks with the original where the file
// system can do that. Symbolic links are copied as links: those that lead to the
// original by an absolute path lead to the copy then. Sockets, devices and pipes are
// left out. The git directory is not copied but made anew: see copyGit.
func (t Copy) Tree(ctx context.Context) error {
	ctx, end := timing.Begin(ctx, timing.Copy, "copy of head")
	defer end()
	from, to := t.From, t.To
	top, err := filepath.EvalSymlinks(from)
	if err != nil {
		return err
	}
	c := copier{from: top, to: to, user: t.User, private: t.Private, without: map[string]bool{}, share: t.Share && t.User != nil}
	for _, dir := range t.Without {
		if rel, ok := rooted.Within(from, dir); ok {
			c.without[rel] = true
		}
	}
	from = top
	c.group, c.ctx = errgroup.WithContext(ctx)
	c.group.SetLimit(2 * runtime.GOMAXPROCS(0))
	walkErr := walk.Below(from, c.visit)
	c.flush()
	// The error of the workers is the cause when the walk was cancelled by it.
	if err := c.group.Wait(); err != nil {
		return err
	}
	if walkErr != nil {
		return walkErr
	}
	if err := c.closeDirs(); err != nil {
		return err
	}
	for _, name := range c.naming {
		if err := Rewrite(name, from, to); err != nil && !errors.Is(err, fs.ErrNotExist) { // removed while we walked
			return fmt.Errorf("point packages installed in place at the copy: %w", err)
		}
	}
	return nil
}

type copier struct {
	from, to string
	user     *user.User
	private  *Privacy
	without  map[string]bool // relative to from
	share    bool            // as in Copy; false once it could not be done
	venv     string          // the last virtual environment that was entered
	group    *errgroup.Group
	ctx      context.Context
	dirs     []dirMode
	folder   string    // whose files wait
	batch    []pending // for a worker
	naming   []string  // files of the copy that may name the original
}

// pending is a file that is to be copied.
type pending struct {
	from, to string
	info     fs.FileInfo
}

// maxBatch is how many files one worker copies before another may have its turn.
const maxBatch = 64

// dirMode is set last: a read-only directory could not be filled.
type dirMode struct {
	path string
	info fs.FileInfo
}

func (c *copier) visit(rel string, d fs.DirEntry) error {
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	path := filepath.Join(c.from, rel)
	// A nested .git is a submodule's, or a fixture's directory: a submodule has
	// a file there.
	if d.Name() == ".git" && (rel == ".git" || !d.IsDir()) {
		if err := repository.CopyDir(path, filepath.Join(c.to, rel), c.user); err != nil {
			return fmt.Errorf("copy git metadata: %w", err)
		}
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	if d.IsDir() && c.without[rel] && rel != "." {
		return fs.SkipDir
	}
	if c.private.leftover(rel, d.IsDir()) {
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	// The place of a copy may lie inside the checkout.
	if d.IsDir() && strings.HasPrefix(c.to+string(filepath.Separator), path+string(filepath.Separator)) && rel != "." {
		return fs.SkipDir
	}
	if !d.IsDir() && c.private.keeps(filepath.ToSlash(rel)) {
		return nil
	}
	info, err := d.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed while we walk
	}
	if err != nil {
		return err
	}
	return c.put(path, rel, info)
}

// put makes one directory, link or file of the copy.
func (c *copier) put(path, rel string, info fs.FileInfo) error {
	target := filepath.Join(c.to, rel)
	if info.Mode().IsRegular() && namesProject(rel) && NamesPaths(path) {
		c.naming = append(c.naming, target)
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		if rel != "." {
			if err := os.Mkdir(target, 0o700); err != nil {
				return err
			}
		}
		c.dirs = append(c.dirs, dirMode{target, info})
		if c.share && c.private.Tracked.Venv(c.from, rel) {
			c.venv = rel
		}
	case mode&fs.ModeSymlink != 0:
		return c.link(path, target)
	case mode.IsRegular() && c.share && c.unchangeable(rel, info):
		if err := os.Link(path, target); err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		c.share = false // another file system
		fallthrough
	case mode.IsRegular():
		if dir := filepath.Dir(rel); dir != c.folder || len(c.batch) == maxBatch {
			c.flush()
			c.folder = dir
		}
		c.batch = append(c.batch, pending{path, target, info})
	}
	return nil
}

// flush has a worker copy the files that were found since the last time. They are of one
// folder: workers that make files in the same one wait for each other.
func (c *copier) flush() {
	files := c.batch
	if c.batch = nil; len(files) == 0 {
		return
	}
	c.group.Go(func() error {
		for _, f := range files {
			if err := c.file(f.from, f.to, f.info); err != nil {
				return err
			}
		}
		return nil
	})
}

// link copies a symbolic link; an absolute one into the original is turned to
// the copy, because a test must never reach the original through it.
func (c *copier) link(path, target string) error {
	dest, err := os.Readlink(path)
	if err != nil {
		return err
	}
	if err := os.Symlink(Turn(dest, c.from, c.to), target); err != nil {
		return err
	}
	return c.user.Own(target)
}

func (c *copier) file(path, target string, info fs.FileInfo) error {
	if c.ctx.Err() != nil {
		return nil
	}
	err := File(path, target, info, c.user)
	if err == nil {
		return nil
	}
	if _, gone := os.Lstat(path); errors.Is(gone, fs.ErrNotExist) {
		return nil // removed while we walk
	}
	return err
}

// File makes target, which must not exist, a copy with mode and time that is the user's.
// Set-uid bits are dropped.
func File(path, target string, info fs.FileInfo, u *user.User) error {
	if info.Size() <= maxSmall {
		return small(path, target, info, u)
	}
	return large(path, target, info, u)
}

// large copies a file of any size, by its blocks where the file system can share them.
func large(path, target string, info fs.FileInfo, u *user.User) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := reflink(out, in); err != nil {
		if _, err := io.Copy(out, in); err != nil {
			return errors.Join(fmt.Errorf("copy %s: %w", path, err), out.Close())
		}
	}
	if err := errors.Join(out.Chmod(info.Mode().Perm()|0o600), out.Close()); err != nil {
		return err
	}
	return errors.Join(os.Chtimes(target, info.ModTime(), info.ModTime()), u.Own(target))
}

// maxSmall is the size up to which a file is read and written as a whole. Most of a
// checkout is smaller, and what each costs is the number of calls.
const maxSmall = 64 << 10

func (c *copier) closeDirs() error {
	for i := len(c.dirs) - 1; i >= 0; i-- {
		d := c.dirs[i]
		if err := errors.Join(c.user.Own(d.path), os.Chmod(d.path, d.info.Mode().Perm()|0o700)); err != nil {
			return err
		}
	}
	return nil
}

// Made copies the files and links that made names, nil being all, with the
// directories that they lie in. What is there already is an error, and so is a
// link in the place of a directory: nothing is written through it.
func Made(ctx context.Context, from, to string, made func(rel string) bool) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2 * runtime.GOMAXPROCS(0))
	err := walk.Below(from, func(rel string, d fs.DirEntry) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case d.IsDir() && made == nil:
			return makePlain(filepath.Join(to, rel))
		case d.IsDir() && !made(rel):
			return fs.SkipDir
		case d.IsDir() || made != nil && !made(rel):
			return nil
		}
		path, goal := filepath.Join(from, rel), filepath.Join(to, rel)
		if made != nil {
			if err := os.MkdirAll(filepath.Dir(goal), 0o755); err != nil {
				return err
			}
		}
		if d.Type()&fs.ModeSymlink != 0 {
			dest, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(dest, goal)
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		group.Go(func() error { return File(path, goal, info, nil) })
		return nil
	})
	return errors.Join(err, group.Wait())
}

// makePlain makes a directory, or finds one that is no link.
func makePlain(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no directory", filepath.Base(dir))
	}
	return err
}
