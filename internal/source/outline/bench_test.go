package outline

import (
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	for _, path := range []string{"go/closures.go", "javascript/common.js", "typescript/service.ts", "python/kinds.py"} {
		b.Run(path, func(b *testing.B) {
			src, err := os.ReadFile(filepath.Join("testdata", path))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if _, err := Parse(path, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
