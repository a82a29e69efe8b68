package cache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/walk"
)

// maxEntries bounds each lower layer; what was taken over longest ago goes first.
const maxEntries = 60_000

// Promote takes over into the lower layer what commands have added to the upper
// one, and shows it from there. Call it only while nothing has written to the
// upper layer but commands that run no code of the repository, and while none
// runs. What is there already stays: an entry never changes. Where the lower layer has to
// forget something, so are the notes of what was used.
func (l Layers) Promote() error {
	for name, k := range kinds {
		lower, upper := filepath.Join(l.Lower, name), filepath.Join(l.Upper, name)
		err := k.walk(upper, func(rel string, d fs.DirEntry) error {
			whole := d.IsDir()
			if !whole && !d.Type().IsRegular() {
				return nil
			}
			// What was laid is what it was; a copy of it may be another, and is no
			// business of others.
			if there, err := os.Lstat(filepath.Join(lower, rel)); err == nil && (k.copied(rel) || same(there, d)) {
				return nil
			}
			if !whole && k.sound != nil && !k.sound(filepath.Join(upper, rel)) {
				return nil
			}
			if err := take(filepath.Join(upper, rel), filepath.Join(lower, rel)); err != nil {
				return err
			}
			return l.show(k, lower, upper, rel, time.Now())
		})
		if err != nil {
			return fmt.Errorf("take over cache %s: %w", name, err)
		}
		dropped, err := k.forget(lower)
		if err == nil && dropped {
			err = l.forgetUsed()
		}
		if err != nil {
			return fmt.Errorf("take over cache %s: %w", name, err)
		}
	}
	return nil
}

func same(there fs.FileInfo, d fs.DirEntry) bool {
	info, err := d.Info()
	return err == nil && os.SameFile(there, info)
}

// take moves an entry and makes it ours, for reading. One that is there already
// is only removed from where it was.
func take(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return rooted.RemoveAll(from)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	// A directory can be moved by who may write in it.
	if info, err := os.Lstat(from); err == nil && info.IsDir() {
		if err := os.Chmod(from, 0o755); err != nil {
			return err
		}
	}
	if err := os.Rename(from, to); err != nil {
		temp := to + ".new"
		if err := errors.Join(rooted.RemoveAll(temp), copyAll(from, temp)); err != nil {
			return errors.Join(err, rooted.RemoveAll(temp))
		}
		if err := errors.Join(os.Rename(temp, to), rooted.RemoveAll(from)); err != nil {
			return err
		}
	}
	return settle(to)
}

// settle makes what was taken ours, and readable for everybody.
func settle(dir string) error {
	uid, gid := os.Geteuid(), os.Getegid()
	return walk.Below(dir, func(rel string, d fs.DirEntry) error {
		path := filepath.Join(dir, rel)
		if uid == 0 {
			if err := os.Lchown(path, uid, gid); err != nil {
				return err
			}
		}
		switch info, err := d.Info(); {
		case err != nil:
			return err
		case d.IsDir():
			return os.Chmod(path, 0o755)
		case d.Type().IsRegular():
			return os.Chmod(path, 0o444|info.Mode().Perm()&0o111)
		}
		return nil
	})
}

// copyAll copies between file systems; links are copied as such.
func copyAll(from, to string) error {
	if info, err := os.Lstat(from); err != nil || !info.IsDir() {
		return errors.Join(err, CopyFile(from, to))
	}
	return os.CopyFS(to, os.DirFS(from))
}

// CopyFile makes a new file that has what another has, for its owner to write.
func CopyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600|info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// forget keeps a lower layer within its bound.
func (k kind) forget(lower string) (dropped bool, err error) {
	type entry struct {
		rel string
		age int64
	}
	var all []entry
	err = k.walk(lower, func(rel string, d fs.DirEntry) error {
		info, err := d.Info()
		if err != nil {
			return err
		}
		all = append(all, entry{rel, info.ModTime().UnixNano()})
		return nil
	})
	if err != nil || len(all) <= maxEntries {
		return false, err
	}
	slices.SortFunc(all, func(a, b entry) int { return int(min(max(a.age-b.age, -1), 1)) })
	for _, e := range all[:len(all)-maxEntries] {
		err = errors.Join(err, rooted.RemoveAll(filepath.Join(lower, e.rel)))
	}
	return true, err
}
