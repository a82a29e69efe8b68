package tree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/walk"
)

// keptDeep is how deep names in the code's own directories are noted: programs keep
// theirs in a folder of ~/.cache or ~/.config.
const keptDeep = 2

// Afresh takes away what lies in the code's home and among its temporary files since the
// tree was ready, and puts the project's files back: a program finds its first run there,
// which is the only one that a new machine sees. What it changed in its home is left, and
// so is what has no original. [Tree.Restore] lists what was put back here as well. No
// command may run meanwhile.
func (t *Tree) Afresh(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Names.hold()
	touched, err := putBack(ctx, t)
	t.Names.forget() // what is put back is our doing
	t.before = each.Sorted(t.before, touched)
	if err != nil && !errors.Is(err, errNoOriginal) {
		return err
	}
	home, err := os.OpenRoot(t.box.Place.Home)
	if err != nil {
		return err
	}
	defer func() { _ = home.Close() }()
	var errs []error
	for name := range ownFiles(t.box.Place) {
		if !t.own[name] {
			errs = append(errs, rooted.Remove(home, name))
		}
	}
	return errors.Join(errs...)
}

// ownFiles are the names in the directories that are the code's own, from the workspace's
// home.
func ownFiles(p place.Place) map[string]bool {
	out := map[string]bool{}
	for _, dir := range []string{p.UserHome(), p.Tmp, p.SlashTmp} {
		_ = walk.Below(dir, func(rel string, d fs.DirEntry) error { // what cannot be entered stays as it is
			if rel != "." {
				out[filepath.Join(filepath.Base(dir), rel)] = true
			}
			if d.IsDir() && rel != "." && strings.Count(rel, string(filepath.Separator)) >= keptDeep-1 {
				return fs.SkipDir
			}
			return nil
		})
	}
	return out
}

// keepOwn notes what the code's own directories hold now, but for names of before.
func keepOwn(t *Tree, before map[string]bool) {
	if t.own == nil {
		t.own = map[string]bool{}
	}
	for name := range ownFiles(t.box.Place) {
		if !before[name] {
			t.own[name] = true
		}
	}
}
