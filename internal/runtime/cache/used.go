package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/org/qa-action/internal/rooted"
)

// A lower layer holds what many projects and many states of one were made of. To show
// all of it costs more than a small suite takes, so it is noted which entries of Go's
// build cache the commands of one suite asked for: those are shown when the same suite
// is compiled again. What is missing then is made anew.

// goBuild is the cache of which not all is shown.
const goBuild = "go-build"

// laidAt is the time that entries carry when they are laid: go sets the time of those
// that it asks for to now, when they are older than an hour.
var laidAt = time.Unix(1_000_000_000, 0)

// Bounds of what is noted: the suites, and for each so many states, head and base of two
// pushes.
const (
	suites = 200
	states = 4
)

// showAtOnce is how many entries are made at a time: making one waits for the disk.
const showAtOnce = 8

// LayUsed shows what was noted under a name, and reports whether anything was.
func (l Layers) LayUsed(name string) (noted bool, err error) {
	k, lower, upper := kinds[goBuild], filepath.Join(l.Lower, goBuild), filepath.Join(l.Upper, goBuild)
	var entries []string
	names, _ := filepath.Glob(filepath.Join(l.noted(name), "*"))
	for _, list := range names {
		text, err := os.ReadFile(list) // ours, and bounded as the layer is
		if err != nil {
			return false, fmt.Errorf("read what was used of cache %s: %w", goBuild, err)
		}
		entries = append(entries, strings.Fields(string(text))...)
	}
	slices.Sort(entries)
	made := map[string]bool{}
	var group errgroup.Group
	group.SetLimit(showAtOnce)
	for _, rel := range slices.Compact(entries) {
		if !goEntryName.MatchString(rel) {
			continue
		}
		if dir := filepath.Join(upper, filepath.Dir(rel)); !made[dir] {
			if err := errors.Join(os.MkdirAll(dir, 0o755), l.own(dir)); err != nil {
				return false, errors.Join(fmt.Errorf("lay cache %s: %w", goBuild, err), group.Wait())
			}
			made[dir] = true
		}
		group.Go(func() error {
			err := l.show(k, lower, upper, filepath.FromSlash(rel), laidAt)
			if errors.Is(err, fs.ErrNotExist) { // forgotten
				return nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return false, fmt.Errorf("lay cache %s: %w", goBuild, err)
	}
	return len(entries) > 0, nil
}

// NoteUsed notes under a name, as one of its states, what commands have asked for since
// the entries were laid. Call it after [Layers.Promote] and under the same conditions.
func (l Layers) NoteUsed(name, state string) error {
	lower, upper := filepath.Join(l.Lower, goBuild), filepath.Join(l.Upper, goBuild)
	var used []string
	now := time.Now()
	err := kinds[goBuild].walk(upper, func(rel string, d fs.DirEntry) error {
		info, err := d.Info()
		if err != nil || !goAction(rel) || info.ModTime().Equal(laidAt) {
			return err
		}
		for _, entry := range append(outputs(lower, rel), rel) {
			// Long used and still asked for is not old.
			if os.Chtimes(filepath.Join(lower, entry), now, now) == nil {
				used = append(used, filepath.ToSlash(entry))
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note what was used of cache %s: %w", goBuild, err)
	}
	dir := l.noted(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, state), []byte(strings.Join(used, "\n")), 0o644); err != nil {
		return err
	}
	return errors.Join(Forget(dir, state, states), Forget(l.noted(""), name, suites))
}

// Noted reports whether it is known what one state of a suite asked for.
func (l Layers) Noted(name, state string) bool {
	info, err := os.Lstat(filepath.Join(l.noted(name), state))
	return err == nil && info.Mode().IsRegular()
}

// forgetUsed drops all notes: of any of them, something may be missing.
func (l Layers) forgetUsed() error { return rooted.RemoveAll(l.noted("")) }

func (l Layers) noted(name string) string { return filepath.Join(l.Lower, "used", name) }

// outputs are the entries that an action of the lower layer leads to.
func outputs(lower, action string) []string {
	line, err := os.ReadFile(filepath.Join(lower, action))
	if err != nil {
		return nil
	}
	fields := strings.Fields(string(line))
	if len(fields) < 3 || len(fields[2]) < 2 {
		return nil
	}
	out := filepath.Join(fields[2][:2], fields[2]+"-d")
	programs, err := os.ReadDir(filepath.Join(lower, out))
	if err != nil {
		return []string{out}
	}
	var all []string
	for _, p := range programs {
		all = append(all, filepath.Join(out, p.Name()))
	}
	return all
}
