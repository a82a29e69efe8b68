package tree

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/sandbox"
)

// BenchmarkReads is what watching 20,000 files costs.
func BenchmarkReads(b *testing.B) {
	dir := b.TempDir()
	tree := New(&sandbox.Sandbox{Machine: sandbox.Machine{Root: "/nonexistent"}, Place: place.Place{Tree: dir}}, nil)
	files := map[string]string{}
	for i := range 20_000 {
		files[fmt.Sprintf("many/%d/%d.txt", i%200, i)] = "x"
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if err := tree.markAll(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
