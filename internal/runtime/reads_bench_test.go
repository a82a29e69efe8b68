package runtime

import (
	"fmt"
	"testing"
)

// BenchmarkReads is what watching 20,000 files costs.
func BenchmarkReads(b *testing.B) {
	w := &Workspace{opts: Options{Root: "/nonexistent"}, place: place{tree: b.TempDir()}}
	files := map[string]string{}
	for i := range 20_000 {
		files[fmt.Sprintf("many/%d/%d.txt", i%200, i)] = "x"
	}
	put(b, w.place.tree, files)
	for b.Loop() {
		if err := w.markAll(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
