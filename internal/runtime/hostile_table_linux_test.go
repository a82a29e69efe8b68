package runtime

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every attack of the collection has its row in docs/isolation.md, and no row is of
// an attack that is gone.
func TestHostileTable(t *testing.T) {
	t.Parallel()
	if os.Getenv(asUser) != "" {
		t.Skip("the page is not there")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "isolation.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, a := range hostileAttacks(t) {
		want[a.name] = true
	}
	for _, dir := range []string{"phases", "changes"} {
		files, err := fs.Glob(os.DirFS(hostileDir), dir+"/*.*")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			want[f] = true
		}
	}
	_, tables, _ := strings.Cut(string(page), "| program | tries |")
	for line := range strings.Lines(tables) {
		name, found := strings.CutPrefix(line, "| `")
		if !found {
			continue
		}
		name, rest, _ := strings.Cut(name, "`")
		if !want[name] {
			t.Errorf("%s has a row and is no attack", name)
		}
		if strings.Count(rest, "|") < 3 {
			t.Errorf("%s: no result in its row", name)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s has no row in docs/isolation.md", name)
	}
}
