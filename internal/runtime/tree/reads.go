package tree

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Reads is what commands opened since MarkReads, as the access times of the copy
// tell it. Paths are slash separated, relative to the root and sorted. A file
// that was changed, replaced or removed counts as opened: who did that may have
// read it. A suite that wants to hide what it reads is seen by that, too.
type Reads struct {
	// Known says that the file system keeps access times for the code; else Why
	// says why nothing is known, and the lists are empty.
	Known bool
	Why   string
	// Watched is how many files of the project, Opened which of them were opened,
	// Unopened the others.
	Watched          int
	Opened, Unopened []string
	// Built are those that git ignores and that were opened: the output of a
	// build, say. Extra are those that were asked for by name; what of them lies
	// outside of the tree, as packages that base shares with head, is Unwatched.
	Built, Extra, Unwatched []string
}

// behind is how far access times are set behind the modification.
const behind = time.Hour

// A mark is a file as it was when it began to be watched.
type mark struct {
	Stamp
	access time.Time
}

// marks are the watched files by the path they are reported under.
type marks struct {
	project, ignored, extra map[string]mark
	unwatched               []string
}

// MarkReads begins to watch the files of the project, and those of extra that are
// there: slash separated, also in installed packages. Byte code that an earlier
// command left goes: Python would open it instead of the source. No command may
// run meanwhile. Our own look at the files (Digest, Open) does not count as long
// as they belong to us or we are root.
func (t *Tree) MarkReads(ctx context.Context, extra ...string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.marks = nil
	if err := t.markAll(ctx, extra); err != nil {
		return fmt.Errorf("watch the files of the project: %w", err)
	}
	return nil
}

func (t *Tree) markAll(ctx context.Context, extra []string) error {
	root, err := os.OpenRoot(t.box.Place.Tree)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	now, err := Look(t.box.Place.Tree, t.Tracked)
	if err != nil {
		return err
	}
	if err := t.dropByteCode(root, now.Project); err != nil {
		return err
	}
	var names, strange []string
	for name, s := range now.Project {
		if s.mode.Type()&^fs.ModeSymlink != 0 || filepath.Base(name) == ".git" {
			continue
		}
		names = append(names, name)
		if !t.Tracked.File(name) {
			strange = append(strange, name)
		}
	}
	ignored, err := t.box.Machine.Repository.Ignored(ctx, t.box.Place.Tree, strange)
	if err != nil {
		return err
	}
	m := &marks{project: map[string]mark{}, ignored: map[string]mark{}, extra: map[string]mark{}}
	err = inEach(root, names, func(dir *os.Root, at *os.File, name string) error {
		set, err := markOne(dir, at, filepath.Base(name), now.Project[name].modified)
		if err != nil {
			return err
		}
		if s, ok := t.opened.Project[name]; ok && s == now.Project[name] {
			ours := set.Stamp // not a command's
			ours.content = s.content
			t.opened.Project[name] = ours
		}
		if ignored[name] {
			m.ignored[name] = set
		} else {
			m.project[name] = set
		}
		return nil
	})
	for _, name := range extra {
		err = errors.Join(err, t.markExtra(root, m, name))
	}
	if err != nil {
		return err
	}
	t.marks = m
	return nil
}

// markOne sets the access time of one file behind its modification.
func markOne(dir *os.Root, at *os.File, name string, modified time.Time) (mark, error) {
	if err := setAccess(at, name, modified.Add(-behind)); err != nil {
		return mark{}, fmt.Errorf("set the access time of %s: %w", name, err)
	}
	info, err := dir.Lstat(name)
	if err != nil {
		return mark{}, err
	}
	return mark{stampOf(info), Accessed(info)}, nil
}

// Reads tells what was opened since MarkReads, which stays in force.
func (t *Tree) Reads(ctx context.Context) (Reads, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.marks == nil {
		return Reads{Why: "no file was watched"}, nil
	}
	r := Reads{Watched: len(t.marks.project), Unwatched: t.marks.unwatched}
	if t.access == nil { // nothing that commands do changes it
		why, err := t.losesAccess(ctx)
		if err != nil {
			return r, fmt.Errorf("look what was opened: %w", err)
		}
		t.access = &why
	}
	r.Why = *t.access
	if r.Why != "" {
		return r, nil
	}
	r.Known = true
	root, err := os.OpenRoot(t.box.Place.Tree)
	if err != nil {
		return Reads{}, fmt.Errorf("look what was opened: %w", err)
	}
	defer func() { _ = root.Close() }()
	r.Opened, r.Unopened = opened(root, t.marks.project)
	r.Built, _ = opened(root, t.marks.ignored)
	for name, was := range t.marks.extra {
		info, err := root.Stat(filepath.FromSlash(name))
		if err != nil || (mark{stampOf(info), Accessed(info)}) != was {
			r.Extra = append(r.Extra, name)
		}
	}
	slices.Sort(r.Extra)
	return r, nil
}

// opened tells what is not as it was marked from what is, sorted.
func opened(root *os.Root, marked map[string]mark) (not, still []string) {
	names := slices.Sorted(maps.Keys(marked))
	same := map[string]bool{}
	// A directory that cannot be looked at any more has taken its files along.
	_ = inEach(root, names, func(dir *os.Root, _ *os.File, name string) error {
		info, err := dir.Lstat(filepath.Base(name))
		same[name] = err == nil && mark{stampOf(info), Accessed(info)} == marked[name]
		return nil
	})
	for _, name := range names {
		if same[name] {
			still = append(still, filepath.ToSlash(name))
		} else {
			not = append(not, filepath.ToSlash(name))
		}
	}
	return not, still
}

// inEach visits files with their directory open. A directory that is not there is
// passed over.
func inEach(root *os.Root, names []string, visit func(dir *os.Root, at *os.File, name string) error) error {
	byDir := map[string][]string{}
	for _, name := range names {
		byDir[filepath.Dir(name)] = append(byDir[filepath.Dir(name)], name)
	}
	for dir, names := range byDir {
		if err := inOne(root, dir, names, visit); err != nil {
			return err
		}
	}
	return nil
}

func inOne(root *os.Root, dir string, names []string, visit func(*os.Root, *os.File, string) error) error {
	sub, err := root.OpenRoot(dir)
	if err != nil {
		return nil //nolint:nilerr // gone, or no directory any more
	}
	defer func() { _ = sub.Close() }()
	at, err := sub.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = at.Close() }()
	for _, name := range names {
		if err := visit(sub, at, name); err != nil {
			return err
		}
	}
	return nil
}

// losesAccess says why access times of the copy tell nothing; empty when they do.
// A file of ours beside the tree is read as the code reads, inside the sandbox,
// where mount options may be others.
func (t *Tree) losesAccess(ctx context.Context) (string, error) {
	root, err := os.OpenRoot(t.box.Place.Tmp)
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }()
	name := "qa-probe-" + rand.Text()
	if err := errors.Join(root.WriteFile(name, []byte("?\n"), 0o644), ownIn(t.box.User, root, name)); err != nil {
		return "", err
	}
	defer func() { _ = root.Remove(name) }()
	before, kept := time.Time{}, false
	err = inEach(root, []string{name}, func(dir *os.Root, at *os.File, name string) error {
		set, err := markOne(dir, at, name, time.Now())
		before = set.access
		return err
	})
	if errors.Is(err, errors.ErrUnsupported) {
		return "access times are not read on this system", nil
	}
	if err != nil {
		return "", err
	}
	err = t.read(ctx, filepath.Join(t.box.Place.Tmp, name))
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		if _, err := root.ReadFile(name); err != nil {
			return "", err
		}
	}
	if info, err := root.Lstat(name); err == nil {
		kept = !Accessed(info).Equal(before)
	}
	if !kept {
		return "the file system of the copy keeps no access times (mounted noatime)", nil
	}
	return "", nil
}

// withoutByteCode takes byte code out of what the tree begins with.
func withoutByteCode(t *Tree) error {
	root, err := os.OpenRoot(t.box.Place.Tree)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return t.dropByteCode(root, t.opened.Project)
}

// dropByteCode removes what Python compiled of the project, from the tree and from
// the list of its files. What git knows of it goes too: the byte code says itself
// whether Python compares it with its source.
func (t *Tree) dropByteCode(root *os.Root, project map[string]Stamp) error {
	for name := range project {
		if filepath.Base(filepath.Dir(name)) != byteCode || t.Tracked.File(name) && filepath.Ext(name) != ".pyc" {
			continue
		}
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove byte code: %w", err)
		}
		delete(t.opened.Project, name)
		delete(project, name)
	}
	return nil
}
