package walk

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// However a directory is named, what lies below it is told by the path from there.
func TestBelowTellsPathsFromTheDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "in", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "in/b", "in/deep/c"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	want := []string{".", "a", "in", "in/b", "in/deep", "in/deep/c"}
	for _, name := range []string{dir, dir + "/", dir + "//in/..", ".", "./", "in/..", "", filepath.Join("..", filepath.Base(dir))} {
		var got []string
		err := Below(name, func(rel string, _ fs.DirEntry) error {
			got = append(got, filepath.ToSlash(rel))
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	first := ""
	_ = Below("/", func(rel string, _ fs.DirEntry) error {
		if rel == "." {
			return nil
		}
		first = rel
		return fs.SkipAll
	})
	if filepath.IsAbs(first) || first == "" {
		t.Errorf("below the root lies %q", first)
	}
}
