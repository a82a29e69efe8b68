package framework

import (
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
)

func TestWhatAnArtifactIsMadeOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		artifact, source, language string
		want                       bool
	}{
		{"src/kit/fast.cpython-311-x86_64-linux-gnu.so", "src/kit/fast.c", "c", true},
		{"build/Release/addon.node", "src/addon.h", "c", true},
		{"kit/fast.so", "kit/fast.pyx", "python", true},
		{"kit/fast.so", "kit/slow.py", "python", false},
		{"pkg/kit_bg.wasm", "src/lib.rs", "rust", true},
		{"kit/fast.so", "notes.csv", "", false},
		{"gen/api_pb2.py", "proto/api.proto", "", true},
		{"gen/api.pb.go", "proto/api.proto", "", true},
		{"gen/apiary.py", "proto/api.proto", "", false},
		{"kit/_version.py", "setup.py", "python", false},
		{"dist/index.js", "src/index.ts", "typescript", false}, // a bundle, which is looked at as one
		{"lib/a.c", "lib/a.c", "c", false},
	} {
		assert.Equal(t, adapter.Artifact{Path: c.artifact}.MadeOf(c.source, c.language), c.want, "%s of %s", c.artifact, c.source)
	}
}

func TestOlderThan(t *testing.T) {
	t.Parallel()
	second := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	whole, exact := adapter.Artifact{Modified: second}, adapter.Artifact{Modified: second.Add(200 * time.Millisecond)}
	assert.Assert(t, !whole.OlderThan(second.Add(900*time.Millisecond)), "the same second, as far as is known")
	assert.Assert(t, whole.OlderThan(second.Add(1100*time.Millisecond)))
	assert.Assert(t, exact.OlderThan(second.Add(900*time.Millisecond)))
	assert.Assert(t, !exact.OlderThan(second))
}
