package stage

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/org/qa-action/internal/rooted"
)

// readable lists the paths below which everything may be read, so that nothing
// hidden is among them unless it is kept. An allow-list is all that Landlock
// knows. list gives the entries of a directory; what is kept is readable also
// where the user may pass but not list.
func readable(hide, keep []string, list func(string) []string) []string {
	out := slices.Clone(keep)
	var walk func(dir string)
	walk = func(dir string) {
		inside := func(h string) bool { _, ok := rooted.Within(dir, h); return ok }
		hidden := func(h string) bool { _, ok := rooted.Within(h, dir); return ok }
		switch {
		case slices.Contains(keep, dir) || slices.ContainsFunc(hide, hidden):
		case !slices.ContainsFunc(hide, inside):
			out = append(out, dir)
		default:
			for _, name := range list(dir) {
				walk(filepath.Join(dir, name))
			}
		}
	}
	walk("/")
	slices.Sort(out)
	return slices.Compact(out)
}

// listNames gives the entries of a directory but for links: what they point to
// is walked where it is.
func listNames(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.Type()&os.ModeSymlink == 0 {
			names = append(names, e.Name())
		}
	}
	return names
}
