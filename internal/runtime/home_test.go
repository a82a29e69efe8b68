package runtime

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/place"
)

// sharedDir is a directory that every user may enter.
func sharedDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "qa-shared-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rooted.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Head stands at the same path in every run of a checkout, one run at a time; base
// and a second run stand beside it under names of the same length.
func TestHomeIsStable(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	o := Options{Root: root, Install: "never", Driver: "host", Cache: sharedDir(t), Scratch: sharedDir(t)}
	stable := place.StableHome(o.Scratch, place.Options{Root: o.Root, Dir: o.Dir, Env: o.Env})
	homeOf := func() (string, *Workspace) {
		w, err := Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return w.box.Place.Home, w
	}
	first, w := homeOf()
	second, w2 := homeOf()
	if first != stable || second == stable || len(second) != len(stable) {
		t.Errorf("homes %s and %s, want %s and another of its length", first, second, stable)
	}
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.box.Place.Home) != len(stable) || filepath.Dir(b.box.Place.Home) != o.Scratch {
		t.Errorf("base stands at %s", b.box.Place.Home)
	}
	for _, w := range []*Workspace{b, w2, w} {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	other := o
	other.Dir = "sub"
	if place.StableHome(o.Scratch, place.Options{Root: other.Root, Dir: other.Dir, Env: other.Env}) == stable {
		t.Error("two directories of a checkout have one home")
	}
	// A run that was killed leaves its home; the next one takes the place over.
	put(t, stable, map[string]string{"tree/left": "x", "owner": ""})
	third, w := homeOf()
	if third != stable {
		t.Errorf("home %s, want %s as before the kill", third, stable)
	}
	if _, err := os.Lstat(filepath.Join(w.Dir(), "left")); err == nil {
		t.Error("the tree has what a killed run left")
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(o.Scratch); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The scratch directory is everybody's: what somebody else put at head's place is
// neither used nor removed.
func TestPlantedHomeIsRefused(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	for name, plant := range map[string]func(path, away string) error{
		"link":          func(path, away string) error { return os.Symlink(away, path) },
		"dangling link": func(path, away string) error { return os.Symlink(filepath.Join(away, "none"), path) },
		"file":          func(path, _ string) error { return os.WriteFile(path, nil, 0o644) },
		"open to all": func(path, _ string) error {
			if err := os.Mkdir(path, 0o755); err != nil {
				return err
			}
			return os.Chmod(path, 0o777)
		},
		"of another user": func(path, _ string) error {
			if os.Geteuid() != 0 {
				return os.Symlink("x", path) // as ourselves nothing is another's
			}
			if err := os.Mkdir(path, 0o755); err != nil {
				return err
			}
			return os.Chown(path, 65534, 65534)
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Root: root, Install: "never", Cache: sharedDir(t), Scratch: sharedDir(t)}
			away := sharedDir(t)
			put(t, away, map[string]string{"kept": "x"})
			stable := place.StableHome(o.Scratch, place.Options{Root: o.Root, Dir: o.Dir, Env: o.Env})
			if err := plant(stable, away); err != nil {
				t.Fatal(err)
			}
			before, err := os.Lstat(stable)
			if err != nil {
				t.Fatal(err)
			}
			w := open(t, o)
			if w.box.Place.Home == stable {
				t.Error("a planted directory is used")
			}
			run(t, w, "true")
			if now, err := os.Lstat(stable); err != nil || !os.SameFile(before, now) || now.Mode() != before.Mode() {
				t.Errorf("what was planted was touched: %v", err)
			}
			if _, err := os.Stat(filepath.Join(away, "kept")); err != nil {
				t.Error(err)
			}
		})
	}
}

// A home that another run has put in the place of ours is that run's.
func TestCloseLeavesTheHomeOfAnother(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	w, err := Open(t.Context(), Options{Root: root, Install: "never", Driver: "host", Cache: sharedDir(t), Scratch: sharedDir(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(w.box.Place.Home, w.box.Place.Home+"-was"); err != nil {
		t.Fatal(err)
	}
	put(t, w.box.Place.Home, map[string]string{"tree/file": "x"})
	if err := w.Close(); err == nil {
		t.Error("nothing is said")
	}
	if _, err := os.Stat(filepath.Join(w.box.Place.Home, "tree", "file")); err != nil {
		t.Error(err)
	}
}
