package runtime

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/org/qa-action/internal/runtime/clone"
	"github.com/org/qa-action/internal/runtime/user"
)

// BenchmarkCopy copies a checkout of 1 GB: 20,000 source files, 30,000 small
// files of dependencies and a few large ones.
func BenchmarkCopy(b *testing.B) {
	root := filepath.Join(b.TempDir(), "repo")
	var total int64
	fill := func(dir string, files, size int) {
		data := make([]byte, size)
		_, _ = rand.Read(data)
		for i := range files {
			path := filepath.Join(root, dir, fmt.Sprint(i%200), fmt.Sprintf("f%d.js", i))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				b.Fatal(err)
			}
			total += int64(size)
		}
	}
	fill("src", 20_000, 10<<10)
	fill("node_modules", 30_000, 12<<10)
	fill("assets", 45, 10<<20)
	b.SetBytes(total)
	b.ResetTimer()
	for i := range b.N {
		to := filepath.Join(b.TempDir(), fmt.Sprint("copy", i))
		if err := os.Mkdir(to, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := (clone.Copy{From: root, To: to, User: user.Choose(), Private: &clone.Privacy{Root: root}}).Tree(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
