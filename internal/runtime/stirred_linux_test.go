package runtime

import (
	"maps"
	"slices"
	"testing"
)

// What came and went while commands ran is known by name though all is as before, and
// what is put back by us is nobody's doing.
func TestStirred(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	put(t, root, map[string]string{"lib/a.py": "x = 1\n"})
	git(t, root, "add", "lib")
	git(t, root, "commit", "-q", "-m", "lib")
	w := open(t, Options{Root: root})
	for range 2 {
		run(t, w, "sh", "-c", "mv lib kept; mkdir lib; touch lib/b.py; rm -r lib; mv kept lib; mkdir lib/a lib/__pycache__; touch lib/__pycache__/a.pyc; echo y >> lib/a.py")
		_, got := w.Stirred()
		made, gone := slices.Sorted(maps.Keys(got.Made)), slices.Sorted(maps.Keys(got.Gone))
		for _, name := range []string{"kept", "lib", "lib/__pycache__/a.pyc", "lib/a"} {
			if !slices.Contains(made, name) {
				t.Errorf("%s was made: %q", name, made)
			}
		}
		if !slices.Contains(gone, "lib") || got.Lost {
			t.Errorf("gone %q, lost %v", gone, got.Lost)
		}
		if _, err := w.Restore(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, got := w.Stirred(); len(got.Made)+len(got.Gone) > 0 {
			t.Errorf("after Restore: %+v", got)
		}
		run(t, w, "sh", "-c", "rm -rf lib/a lib/__pycache__")
		w.Stirred()
	}
}
