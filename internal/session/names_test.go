package session

import (
	"path/filepath"
	"testing"
)

func TestDirectoriesOfTargetsAreDistinct(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, name := range []string{".", "root", "a/b", "a-b", "a+b", "a b", "a_b", "ä", "ö", "../x", "x"} {
		safe := Segment(name)
		if other, twice := seen[safe]; twice || !filepath.IsLocal(safe) || filepath.Base(safe) != safe {
			t.Errorf("%q becomes %q, as %q does", name, safe, other)
		}
		seen[safe] = name
	}
}
