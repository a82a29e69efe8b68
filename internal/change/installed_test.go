package change

import (
	"slices"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// Installed packages that a project forgot to ignore are no change of its; a
// file beside them is.
func TestInstalledPackagesAreNoChange(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("a.py", "a = 1\n")
	r.commit("one")
	for _, name := range []string{".venv/pyvenv.cfg", ".venv/lib/x.py", "web/node_modules/y/index.js", "venv/own.py", "b.py"} {
		r.write(name, "x = 1\n")
	}
	c, err := FromGit(t.Context(), Options{Dir: r.dir, Base: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range c.Files {
		got = append(got, f.Path)
	}
	if want := []string{"b.py", "venv/own.py"}; !slices.Equal(got, want) || c.Files[0].Status != qa.Added {
		t.Errorf("%v, want %v", got, want)
	}
}
