package cache

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/walk"
)

// downloads are the caches of package managers. They are written to in place, and
// by the programs that packages bring along, so they are copied, and taken over
// only where the code is trusted.
func downloads() []string {
	var out []string
	for _, c := range language.Caches() {
		if c.Download {
			out = append(out, c.Folder)
		}
	}
	return out
}

// linkFrom is the size from which a file is linked instead of copied, where the
// code is another user than we are: indexes, which grow, are smaller. What is linked
// is ours and may be written to by its owner: an installer copies a file with its
// mode, and changes some of the copies (uv the RECORD of a package).
const linkFrom = 64 << 10

// LayDownloads copies what package managers have fetched to the upper layer; call
// it before the first of them runs.
func (l Layers) LayDownloads() error {
	for _, name := range downloads() {
		lower, upper := filepath.Join(l.Lower, name), filepath.Join(l.Upper, name)
		err := walk.Below(lower, func(rel string, d fs.DirEntry) error {
			path, goal := filepath.Join(lower, rel), filepath.Join(upper, rel)
			info, err := d.Info()
			switch {
			case err != nil:
				return err
			case d.IsDir():
				return errors.Join(os.MkdirAll(goal, 0o755), l.own(goal))
			case !d.Type().IsRegular():
				return nil
			case l.Own != nil && info.Size() >= linkFrom && info.Mode()&0o200 != 0 && os.Link(path, goal) == nil:
				return nil
			}
			return errors.Join(CopyFile(path, goal), os.Chmod(goal, 0o644|info.Mode().Perm()&0o111), l.own(goal))
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("lay cache %s: %w", name, err)
		}
	}
	return nil
}

// PromoteDownloads takes over what package managers have fetched or changed. Only
// a run of trusted code may call it, before any test ran.
func (l Layers) PromoteDownloads() error {
	for _, name := range downloads() {
		lower, upper := filepath.Join(l.Lower, name), filepath.Join(l.Upper, name)
		err := walk.Files(upper, func(rel string, info fs.FileInfo) error {
			path, goal := filepath.Join(upper, rel), filepath.Join(lower, rel)
			if there, err := os.Lstat(goal); err == nil && (os.SameFile(there, info) || there.Size() == info.Size() && !info.ModTime().After(there.ModTime())) {
				return nil
			}
			if err := os.MkdirAll(filepath.Dir(goal), 0o755); err != nil {
				return err
			}
			temp := goal + ".qa-" + rand.Text()[:8] // of this run: another may do the same
			if err := CopyFile(path, temp); err != nil {
				return errors.Join(err, rooted.RemoveAll(temp))
			}
			return errors.Join(os.Rename(temp, goal), settle(goal), os.Chmod(goal, 0o644|info.Mode().Perm()&0o111))
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("take over cache %s: %w", name, err)
		}
	}
	return nil
}
