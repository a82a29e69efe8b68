package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/clone"
)

// MarkMore begins to watch files of packages, as the extra ones of MarkReads. What
// opened them before is forgotten; commands may run meanwhile.
func (t *Tree) MarkMore(extra ...string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.marks == nil || len(extra) == 0 {
		return nil
	}
	root, err := os.OpenRoot(t.box.Place.Tree)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, name := range extra {
		if _, watched := t.marks.extra[path.Clean(name)]; !watched {
			err = errors.Join(err, t.markExtra(root, t.marks, name))
		}
	}
	return err
}

// markExtra watches one more file, where it really is. What base shares with head
// lies behind a mount that keeps no access times.
func (t *Tree) markExtra(root *os.Root, m *marks, name string) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%q: not a path inside the tree", name)
	}
	name = path.Clean(name)
	real, err := filepath.EvalSymlinks(filepath.Join(t.box.Place.Tree, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	top, err := filepath.EvalSymlinks(t.box.Place.Tree)
	if err != nil {
		return err
	}
	rel, ok := rooted.Within(top, real)
	if !ok {
		m.unwatched = append(m.unwatched, name)
		return nil
	}
	return inEach(root, []string{rel}, func(dir *os.Root, at *os.File, rel string) error {
		was, err := dir.Lstat(filepath.Base(rel))
		if err != nil || !was.Mode().IsRegular() {
			return err
		}
		if t.box.User != nil { // the time is not to be set on a file of the checkout
			if err := clone.Unshare(real, nil); err != nil {
				return err
			}
			if was, err = dir.Lstat(filepath.Base(rel)); err != nil {
				return err
			}
		}
		set, err := markOne(dir, at, filepath.Base(rel), was.ModTime())
		if err != nil {
			return err
		}
		for _, known := range []map[string]Stamp{t.opened.Project, t.opened.packages} {
			if s, ok := known[rel]; ok && s.touched() == stampOf(was) {
				content := s.content
				s = set.Stamp
				s.content = content
				known[rel] = s
			}
		}
		for _, seen := range []map[string]mark{m.project, m.ignored} {
			if _, ok := seen[rel]; ok {
				seen[rel] = set
			}
		}
		m.extra[name] = set
		return nil
	})
}
