package runtime

import (
	"fmt"
	"testing"

	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/sandbox"
)

// BenchmarkReads is what watching 20,000 files costs.
func BenchmarkReads(b *testing.B) {
	w := &Workspace{opts: Options{Root: "/nonexistent"}, box: &sandbox.Sandbox{Place: place.Place{Tree: b.TempDir()}}}
	files := map[string]string{}
	for i := range 20_000 {
		files[fmt.Sprintf("many/%d/%d.txt", i%200, i)] = "x"
	}
	put(b, w.box.Place.Tree, files)
	for b.Loop() {
		if err := w.markAll(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
