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

// list is what was noted under a name as one of its states.
type list struct {
	state string
	words []string // entries, and the marks of the sources
}

// lists are those noted under a name, the last first.
func (l Layers) lists(name string) ([]list, error) {
	entries, _ := os.ReadDir(l.noted(name)) // none where nothing was noted
	when := map[string]time.Time{}
	var out []list
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // forgotten meanwhile
		}
		text, err := os.ReadFile(filepath.Join(l.noted(name), e.Name())) // ours, and bounded as the layer is
		if err != nil {
			return nil, fmt.Errorf("read what was used of cache %s: %w", goBuild, err)
		}
		when[e.Name()] = info.ModTime()
		out = append(out, list{e.Name(), strings.Fields(string(text))})
	}
	slices.SortStableFunc(out, func(a, b list) int { return when[b.state].Compare(when[a.state]) })
	return out, nil
}

// LayUsed shows what was noted under a name, and reports whether anything was. Where it
// was for that state, or for one whose sources differ little from these, it shows that
// alone and reports near: nothing need be compiled before the tests.
func (l Layers) LayUsed(name, state string, now Sources) (noted, near bool, err error) {
	lists, err := l.lists(name)
	if err != nil {
		return false, false, err
	}
	at := slices.IndexFunc(lists, func(of list) bool { return of.state == state })
	if at < 0 {
		at = slices.IndexFunc(lists, func(of list) bool { return now.near(of.words) })
	}
	if near = at >= 0; near {
		lists = lists[at : at+1]
		// It is of use: others are forgotten before it.
		asked, dir := time.Now(), l.noted(name)
		err = errors.Join(os.Chtimes(filepath.Join(dir, lists[0].state), asked, asked), os.Chtimes(dir, asked, asked))
	}
	var words []string
	for _, of := range lists {
		words = append(words, of.words...)
	}
	return len(words) > 0, near, errors.Join(err, l.showAll(words))
}

// showAll shows the entries among words.
func (l Layers) showAll(words []string) error {
	k, lower, upper := kinds[goBuild], filepath.Join(l.Lower, goBuild), filepath.Join(l.Upper, goBuild)
	slices.Sort(words)
	made := map[string]bool{}
	var group errgroup.Group
	group.SetLimit(showAtOnce)
	for _, rel := range slices.Compact(words) {
		if !goEntryName.MatchString(rel) {
			continue
		}
		if dir := filepath.Join(upper, filepath.Dir(rel)); !made[dir] {
			if err := errors.Join(os.MkdirAll(dir, 0o755), l.own(dir)); err != nil {
				return errors.Join(fmt.Errorf("lay cache %s: %w", goBuild, err), group.Wait())
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
		return fmt.Errorf("lay cache %s: %w", goBuild, err)
	}
	return nil
}

// NoteUsed notes under a name, as one of its states, what commands have asked for since
// the entries were laid, and from which sources. Call it after [Layers.Promote] and under
// the same conditions.
func (l Layers) NoteUsed(name, state string, from Sources) error {
	lower, upper := filepath.Join(l.Lower, goBuild), filepath.Join(l.Upper, goBuild)
	used := from.marks()
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
